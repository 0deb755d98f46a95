import { isTerminal, type StateRecord, stateTimes } from '@millrace/contract';
import type { Snapshot } from './invariants.ts';

/** Measures with its own clock how long an execution and its task runs were open, to compare with their durations. */
export class OpenTime {
  private readonly openMs = new Map<string, number>();
  private readonly copied = new Set<string>();

  /** Copied rows include the time that they ran before. */
  constructor(rows: Snapshot) {
    for (const { id, state } of [rows.execution, ...rows.taskRuns])
      this.openMs.set(id, durationAt(state, lastDate(state)));
    for (const { id, copied } of rows.taskRuns) if (copied) this.copied.add(id);
  }

  pass(ms: number, { execution, taskRuns }: Snapshot): void {
    this.startCopiesOver(taskRuns);
    for (const { id, state } of [execution, ...taskRuns])
      if (!isTerminal(state.current)) this.openMs.set(id, (this.openMs.get(id) ?? 0) + ms);
  }

  mismatch({ execution, taskRuns }: Snapshot): string | undefined {
    this.startCopiesOver(taskRuns);
    for (const row of [execution, ...taskRuns]) {
      const { id, state } = row;
      const shown = durationAt(state, lastDate(state));
      const measured = this.openMs.get(id) ?? 0;
      if (shown !== measured)
        return `the duration of ${'taskId' in row ? row.taskId : 'the execution'} is ${shown} ms, but it was open for ${measured} ms: ${JSON.stringify(state)}`;
    }
    return undefined;
  }

  /** A copied run that runs again counts only the time that it ran here. */
  private startCopiesOver(taskRuns: Snapshot['taskRuns']): void {
    for (const { id, copied } of taskRuns) {
      if (!copied && this.copied.delete(id)) this.openMs.set(id, 0);
    }
  }
}

const lastDate = ({ histories }: StateRecord): number => histories.at(-1)?.date ?? 0;

const durationAt = (state: StateRecord, now: number): number => stateTimes(state, now).durationMs;

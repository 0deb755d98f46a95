import type { ExecutionRecord, LogRecord, StateType, TaskRunRecord } from '@millrace/contract';
import type { Changes, Effect, Event, LiveRun } from '@millrace/engine';
import { createMasker } from '@millrace/plugin-kit';
import type { Op } from '@millrace/store';
import type { RemoteEffect } from './effects.ts';
import type { Letter } from './letter.ts';

/** What the row of a new execution holds besides its record. */
export type NewRow = Pick<Extract<Op, { op: 'execution.insert' }>, 'uniqueKey' | 'owner'>;

/** What guards the row that a turn writes. */
interface Guard {
  /** 0: there is no row yet. */
  readonly version: number;
  readonly eventSeq: number;
  readonly insert?: NewRow;
}

/** What one turn of a mailbox gathers between two commits: rows once each, events in order, effects for later. */
export class Turn {
  readonly answered: Letter[] = [];
  readonly effects: Effect[] = [];
  /** What other processes do: their jobs commit with the step. */
  readonly jobs: RemoteEffect[] = [];
  /** Log lines and metrics that the commit of this turn stores. */
  lines: readonly Op[] = [];
  /** The end is told to the parent by the commit itself. */
  isParentTold = false;
  /** How often the execution has changed its state. */
  stateChanges = 0;
  readonly #taskRuns = new Map<string, TaskRunRecord>();
  readonly #removed = new Set<string>();
  readonly #events: Event[] = [];
  readonly #logs: LogRecord[] = [];
  #execution: ExecutionRecord | undefined;
  #previousState: StateType | undefined;

  get eventCount(): number {
    return this.#events.length;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  get hasChanges(): boolean {
    return this.#events.length > 0 || this.#taskRuns.size > 0 || this.#removed.size > 0 || !!this.#execution;
  }

  gather(changes: Changes): void {
    this.#previousState ??= changes.previousState;
    if (changes.execution) this.#execution = changes.execution;
    for (const taskRun of changes.taskRuns) this.#taskRuns.set(taskRun.id, taskRun);
    for (const id of changes.removedTaskRunIds) {
      this.#taskRuns.delete(id);
      this.#removed.add(id);
    }
    this.#events.push(...changes.events);
  }

  addLog(run: LiveRun, effect: Effect & { effect: 'log' }, now: number): void {
    this.#logs.push(toLogRecord(run, effect, now));
  }

  /** The unit that makes this turn durable. Every one moves the version on, so that two owners cannot both write. */
  toUnit(latest: ExecutionRecord, { version, eventSeq, insert }: Guard, at: number): Op[] {
    const execution = this.#execution ?? latest;
    const unit: Op[] = [
      version === 0
        ? { op: 'execution.insert', execution, ...insert }
        : {
            op: 'execution.update',
            execution,
            previousState: this.#previousState ?? execution.state.current,
            expectVersion: version,
          },
    ];
    if (this.#removed.size > 0) {
      unit.push({ op: 'taskRun.delete', executionId: execution.id, ids: [...this.#removed] });
    }
    for (const taskRun of this.#taskRuns.values()) unit.push({ op: 'taskRun.put', taskRun });
    if (this.#events.length > 0) {
      unit.push({
        op: 'event.append',
        executionId: execution.id,
        seq: eventSeq + 1,
        at,
        events: this.#events,
      });
    }
    for (const log of this.#logs) unit.push({ op: 'log.insert', log });
    return unit;
  }
}

/** Whether a log line or metric is about a task run that the stored execution knows. */
export function isAboutStored(op: Op, run: LiveRun): boolean {
  const taskRunId =
    op.op === 'log.insert' ? op.log.taskRunId : op.op === 'metric.insert' ? op.metric.taskRunId : undefined;
  return taskRunId === undefined || run.taskRun(taskRunId) !== undefined;
}

function toLogRecord(run: LiveRun, effect: Effect & { effect: 'log' }, now: number): LogRecord {
  const { execution } = run;
  const taskRun = effect.taskRunId === undefined ? undefined : run.taskRun(effect.taskRunId);
  return {
    tenantId: execution.tenantId,
    namespace: execution.namespace,
    flowId: execution.flowId,
    executionId: execution.id,
    ...(taskRun
      ? {
          taskId: taskRun.taskId,
          taskRunId: taskRun.id,
          attemptNumber: Math.max(taskRun.attempts.length - 1, 0),
        }
      : {}),
    at: now,
    level: effect.level,
    message: masked(effect.message, run),
  };
}

/** The engine quotes values, those of secrets among them. */
function masked(message: string, run: LiveRun): string {
  const secrets = run.secretTexts();
  return secrets.length === 0 ? message : createMasker(secrets).mask(message);
}

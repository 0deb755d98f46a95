import type { ExecutionRecord, LogRecord, StateType, TaskRunRecord } from '@millrace/contract';
import type { Changes, Effect, LiveRun, RecordedEvent } from '@millrace/engine';
import { createMasker } from '@millrace/plugin-kit';
import type { Op } from '@millrace/store';
import type { Command } from './command.ts';
import type { RemoteEffect } from './remoteEffect.ts';

/** Columns of a new execution's row besides the record. */
export type NewRow = Pick<Extract<Op, { op: 'execution.insert' }>, 'uniqueKey' | 'owner'>;

/** The values that guard the row against other writers. */
interface Guard {
  /** 0 when the row does not exist yet. */
  readonly version: number;
  readonly eventSeq: number;
  readonly insert?: NewRow;
}

/** The changes between two commits of an actor: each row once, events in order, effects to perform after the commit. */
export class StepBatch {
  readonly commands: Command[] = [];
  readonly effects: Effect[] = [];
  /** Effects for other processes; their jobs commit with the step. */
  readonly jobs: RemoteEffect[] = [];
  /** Log lines and metrics that the commit of this batch stores. */
  lines: readonly Op[] = [];
  /** The commit itself notifies the parent of the end. */
  isParentNotified = false;
  /** Number of state changes of the execution. */
  stateChanges = 0;
  readonly #taskRuns = new Map<string, TaskRunRecord>();
  readonly #removed = new Set<string>();
  readonly #events: RecordedEvent[] = [];
  readonly #logs: LogRecord[] = [];
  #execution: ExecutionRecord | undefined;
  #previousState: StateType | undefined;

  get eventCount(): number {
    return this.#events.length;
  }

  get events(): readonly RecordedEvent[] {
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

  /** The unit that makes this batch durable. Each unit raises the version, so that two owners cannot both write. */
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

/** Whether a log line or metric belongs to a task run that is stored. */
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

/** Masks secrets, because messages of the engine quote values. */
function masked(message: string, run: LiveRun): string {
  const secrets = run.secretTexts();
  return secrets.length === 0 ? message : createMasker(secrets).mask(message);
}

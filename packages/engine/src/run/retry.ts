import { type AttemptRecord, isTerminal, type StateType } from '@millrace/contract';
import { readDuration } from '../duration.ts';
import { endNode, tolerated } from './end.ts';
import { abandonWaiting } from './interrupt.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

interface Retry {
  readonly type: string;
  readonly interval?: string | number;
  readonly maxInterval?: string | number;
  readonly minInterval?: string | number;
  readonly delayFactor?: number;
  readonly maxAttempt?: number;
  readonly maxAttempts?: number;
  readonly maxDuration?: string | number;
  readonly warningOnRetry?: boolean;
  readonly behavior?: 'RETRY_FAILED_TASK' | 'CREATE_NEW_EXECUTION';
}

/** Ends a task run, or schedules another attempt when it failed and a retry applies. */
export function endOrRetry(run: Run, node: Node, state: StateType): void {
  const retry = retryOf(run, node);
  if (state === 'FAILED' && retry && run.state !== 'KILLING' && !isTerminal(run.state)) {
    const at = nextAttemptAt(run, node, retry);
    if (at !== undefined) {
      if (retry.behavior === 'CREATE_NEW_EXECUTION') return retryByNewExecution(run, node, at);
      run.move(node, 'FAILED');
      return retryAt(run, node, at);
    }
  }
  const isRetried = attemptsOf(node).length > 1 && state === 'SUCCESS' && retry?.warningOnRetry === true;
  endNode(run, node, isRetried ? tolerated(node.task, 'WARNING') : state);
}

/** Schedules the next attempt of a task run. */
export function retryAt(run: Run, node: Node, at: number): void {
  run.move(node, 'RETRYING');
  run.remember(node, { wakeAt: at });
  notePlan(run, node, at);
  run.emit({ effect: 'wake', wake: { reason: 'retry', taskRunId: node.record.id, at } });
  if (run.state === 'RUNNING') run.moveExecution('RETRYING');
}

function notePlan(run: Run, node: Node, until: number, byExecution?: true): void {
  const { id, taskId, attempts } = node.record;
  const max = retryOf(run, node)?.maxAttempt ?? retryOf(run, node)?.maxAttempts;
  run.note({
    type: 'retryPlanned',
    taskRunId: id,
    taskId,
    attempt: byExecution ? run.execution.attemptNumber + 1 : attempts.length + 1,
    until,
    ...(max === undefined ? {} : { max }),
    ...(byExecution ? { byExecution } : {}),
  });
}

/** Its own retry, else that of the nearest control task around it, else the flow's. */
function retryOf(run: Run, node: Node): Retry | undefined {
  if (node.task.retry) return node.task.retry as Retry;
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    if (owner.task.retry) return owner.task.retry as Retry;
  }
  return run.flow.retry as Retry | undefined;
}

function nextAttemptAt(run: Run, node: Node, retry: Retry): number | undefined {
  const byExecution = retry.behavior === 'CREATE_NEW_EXECUTION';
  const attempts = byExecution ? run.execution.attemptNumber : attemptsOf(node).length;
  const max = retry.maxAttempt ?? retry.maxAttempts;
  if (max !== undefined && attempts >= max) return undefined;
  const at = run.now + delayMs(run, retry, attempts);
  const first = byExecution ? run.execution.originalCreatedAt : attemptsOf(node)[0]!.state.histories[0]!.date;
  const maxDurationMs = retry.maxDuration === undefined ? undefined : readDuration(retry.maxDuration);
  return maxDurationMs !== undefined && at > first + maxDurationMs ? undefined : at;
}

/** The attempts since the task run was started or restarted: a restart may be retried as often as the first start. */
const attemptsOf = ({ record }: Node): readonly AttemptRecord[] =>
  record.attempts.slice(Number(record.memo?.earlierAttempts ?? 0));

function delayMs(run: Run, retry: Retry, attempts: number): number {
  const interval = readDuration(retry.interval ?? 'PT0S') ?? 0;
  if (retry.type === 'random') {
    const least = readDuration(retry.minInterval ?? 'PT0S') ?? 0;
    const most = readDuration(retry.maxInterval ?? 'PT0S') ?? least;
    return Math.round(least + run.environment.random() * Math.max(0, most - least));
  }
  if (retry.type !== 'exponential') return interval;
  const cap = readDuration(retry.maxInterval ?? '') ?? Number.POSITIVE_INFINITY;
  return Math.min(interval * (retry.delayFactor ?? 2) ** (attempts - 1), cap);
}

/** Ends this execution as RETRIED; a new execution starts from the beginning. */
function retryByNewExecution(run: Run, node: Node, at: number): void {
  run.move(node, 'FAILED');
  run.move(node, 'RETRIED');
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    if (!isTerminal(owner.record.state.current)) run.move(owner, 'RETRIED');
  }
  if (run.state === 'RESTARTED') run.moveExecution('RUNNING');
  run.moveExecution('RETRIED');
  run.updateExecution({ memo: { ...run.execution.memo, replayAt: at } });
  notePlan(run, node, at, true);
  run.emit({ effect: 'wake', wake: { reason: 'replay', at } });
  abandonWaiting(run);
  run.dirty.add(run.root);
}

import type { Actor, ExecutionEvent, ExecutionRecord, StateType, TaskRunRecord } from '@millrace/contract';
import { hideSealed } from '../inputs/sealed.ts';
import type { Wake } from './event.ts';
import { isoDate } from './isoDate.ts';
import type { RecordedEvent } from './note.ts';

/** Where an entry is in the record of its execution, and when it was made. */
export interface EventPosition {
  readonly id: string;
  readonly at: number;
}

/** Larger payloads are cut: a page of the record must stay small, and outputs have their own view. */
const maxPayloadLength = 4_096;

interface Words {
  readonly summary: string;
  readonly reason?: string | undefined;
  readonly state?: StateType;
  readonly attempt?: number;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly actor?: Actor;
}

const system: Actor = { type: 'system' };

/** An entry of the record in plain words. `taskRun` is the task run that it is about, while that exists. */
export function presentEvent(
  entry: RecordedEvent,
  { id, at }: EventPosition,
  taskRun: TaskRunRecord | undefined,
): ExecutionEvent {
  const words = describe(entry);
  const taskRunId = taskRunOf(entry);
  const taskId = entry.taskId ?? taskRun?.taskId;
  return {
    id,
    kind: entry.type,
    date: isoDate(at),
    actor: entry.by ?? words.actor ?? system,
    ...(taskRunId === undefined ? {} : { taskRunId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(taskRun?.value === undefined ? {} : { value: taskRun.value }),
    ...(words.attempt === undefined ? {} : { attempt: words.attempt }),
    ...(words.state === undefined ? {} : { state: words.state }),
    summary: words.summary,
    ...(words.reason === undefined ? {} : { reason: words.reason }),
    payload: bounded(words.payload ?? {}),
  };
}

/** The task run that an entry is about. */
export function taskRunOf(entry: RecordedEvent): string | undefined {
  if ('taskRunId' in entry) return entry.taskRunId;
  return entry.type === 'woken' && 'taskRunId' in entry.wake ? entry.wake.taskRunId : undefined;
}

/** The first entry: who or what created the execution. It is derived from the row, which every execution has. */
export function presentCreation(execution: ExecutionRecord): ExecutionEvent {
  const { id, parentId, originalId, scheduledAt, flowRevision } = execution;
  const isReplay = originalId !== id && parentId !== undefined;
  return {
    id: '0-0',
    kind: 'created',
    date: isoDate(execution.state.histories[0]?.date ?? execution.originalCreatedAt),
    actor: creatorOf(execution),
    state: 'CREATED',
    summary: isReplay ? 'The execution was created as a replay.' : 'The execution was created.',
    ...(scheduledAt === undefined ? {} : { reason: `It is scheduled for ${isoDate(scheduledAt)}.` }),
    payload: bounded({
      flowRevision,
      ...(isReplay ? { replayOf: parentId } : {}),
      ...(execution.inputs ? { inputs: execution.inputs } : {}),
      ...(execution.trigger ? { trigger: execution.trigger } : {}),
      ...(scheduledAt === undefined ? {} : { scheduleDate: isoDate(scheduledAt) }),
    }),
  };
}

function creatorOf({ state, trigger, parentId }: ExecutionRecord): Actor {
  const by = state.histories[0]?.by;
  if (by) return by;
  // A replay that no user asked for is the retry of an execution.
  if (parentId !== undefined) return system;
  // Earlier releases did not record the user.
  if (!trigger) return { type: 'user' };
  const parent = trigger.variables?.executionId;
  // A flow trigger starts it after another execution; a subflow is started by it.
  if (typeof parent === 'string' && !/\.trigger\./.test(trigger.type))
    return { type: 'execution', id: parent };
  return { type: /schedule/i.test(trigger.type) ? 'schedule' : 'trigger', id: trigger.id };
}

function describe(entry: RecordedEvent): Words {
  switch (entry.type) {
    case 'start':
      return { summary: 'The execution may start.' };
    case 'refused':
      return {
        summary:
          entry.behavior === 'QUEUE'
            ? 'The execution waits in the queue.'
            : `The execution was not started: ${entry.behavior === 'FAIL' ? 'it fails' : 'it is cancelled'}.`,
        reason: `The concurrency limit of the flow is ${entry.limit}, and all slots were in use.`,
        payload: { limit: entry.limit, behavior: entry.behavior },
      };
    case 'taskStarted':
      return { summary: `Attempt ${entry.attempt + 1} started.`, state: 'RUNNING', attempt: entry.attempt };
    case 'taskEnded':
      return {
        summary: `Attempt ${entry.attempt + 1} ended in ${entry.state}.`,
        reason: entry.reason ?? entry.error,
        state: entry.state,
        attempt: entry.attempt,
        payload: {
          ...(entry.outputs ? { outputs: entry.outputs } : {}),
          ...(entry.dynamic ? { reportedTaskRuns: entry.dynamic.length } : {}),
        },
      };
    case 'workerLost':
      return {
        summary: `Attempt ${entry.attempt + 1} was lost with its worker.`,
        reason: entry.isDrained
          ? 'The worker was drained.'
          : entry.isShared
            ? 'The server stopped while it ran several tasks.'
            : 'The worker stopped sending heartbeats.',
        attempt: entry.attempt,
      };
    case 'resolved':
      return {
        summary: `The value of "${entry.key}" was fetched.`,
        reason: 'error' in entry.result ? entry.result.error : undefined,
        payload: { property: entry.key },
      };
    case 'directory':
      return {
        summary: `The shared folder was ${entry.phase}.`,
        reason: entry.error,
        payload: { phase: entry.phase },
      };
    case 'directoryLost':
      return { summary: 'The shared folder was lost with its server.' };
    case 'listenersChosen':
      return {
        summary: `${entry.indexes.length} listeners were chosen.`,
        reason: entry.error,
        payload: { indexes: entry.indexes },
      };
    case 'woken':
      return {
        ...describeWake(entry.wake),
        payload: { wake: entry.wake.reason, at: isoDate(entry.wake.at) },
      };
    case 'childCreated':
      return {
        summary: 'A child execution was created.',
        payload: { executionId: entry.executionId, index: entry.index },
      };
    case 'childEnded':
      return {
        summary: `A child execution ended in ${entry.state}.`,
        reason: entry.problem,
        actor: { type: 'execution', id: entry.executionId },
        payload: { executionId: entry.executionId, index: entry.index, childState: entry.state },
      };
    case 'childRefused':
      return {
        summary: 'A child execution could not be created.',
        reason: entry.reason,
        payload: { index: entry.index },
      };
    case 'broken':
      return { summary: 'The execution cannot continue.', reason: entry.reason };
    default:
      return describeAction(entry);
  }
}

type Other = Exclude<
  RecordedEvent['type'],
  | 'start'
  | 'refused'
  | 'taskStarted'
  | 'taskEnded'
  | 'workerLost'
  | 'resolved'
  | 'directory'
  | 'directoryLost'
  | 'listenersChosen'
  | 'woken'
  | 'childCreated'
  | 'childEnded'
  | 'childRefused'
  | 'broken'
>;

/** Actions of users, and the notes of the engine. */
function describeAction(entry: Extract<RecordedEvent, { type: Other }>): Words {
  switch (entry.type) {
    case 'kill':
      return { summary: 'A kill was requested.', payload: { cascade: entry.cascade } };
    case 'pause':
      return { summary: 'A pause was requested.' };
    case 'resume':
      return { summary: 'The execution was resumed.', payload: entry.inputs ? { inputs: entry.inputs } : {} };
    case 'resumeFromBreakpoint':
      return { summary: 'The execution was resumed from a breakpoint.' };
    case 'changeTaskRunState':
      return { summary: `The state of the task run was changed to ${entry.state}.`, state: entry.state };
    case 'changeState':
      return { summary: `The state of the execution was changed to ${entry.state}.`, state: entry.state };
    case 'restart':
      return { summary: 'A restart of the failed tasks was requested.' };
    case 'replayed':
      return { summary: 'The execution was replayed as a new one.' };
    case 'unqueue':
      return {
        summary: `The execution was taken out of the queue${entry.state ? ` as ${entry.state}` : ''}.`,
        ...(entry.state ? { state: entry.state } : {}),
      };
    case 'forceRun':
      return { summary: 'The execution was forced to run.' };
    case 'setLabels':
      return { summary: 'The labels were set.', payload: { labels: entry.labels } };
    case 'state':
      return { summary: `The execution is ${entry.state}.`, state: entry.state };
    case 'taskState':
      return {
        summary: `The task run moved from ${entry.from} to ${entry.state}.`,
        state: entry.state,
        payload: { from: entry.from },
      };
    case 'removed':
      return { summary: 'The task run was removed, because its task may run again.' };
    case 'decided':
      return {
        summary: `"${entry.property}" was evaluated to "${entry.value}".`,
        reason: `${entry.property}: ${entry.expression}`,
        payload: { property: entry.property, expression: entry.expression, value: entry.value },
      };
    case 'retryPlanned':
      return {
        summary: entry.byExecution
          ? `A new execution is planned as attempt ${entry.attempt}.`
          : `Attempt ${entry.attempt} is planned for ${isoDate(entry.until)}.`,
        reason: entry.max === undefined ? undefined : `The retry policy allows ${entry.max} attempts.`,
        payload: {
          nextAttempt: entry.attempt,
          until: isoDate(entry.until),
          ...(entry.max === undefined ? {} : { maxAttempts: entry.max }),
          ...(entry.byExecution ? { newExecution: true } : {}),
        },
      };
    case 'paused':
      return {
        summary: 'The task run waits to be resumed.',
        reason: entry.until === undefined ? undefined : `It waits until ${isoDate(entry.until)}.`,
        state: 'PAUSED',
        payload: entry.until === undefined ? {} : { until: isoDate(entry.until) },
      };
    case 'slaViolated':
      return {
        summary: `The SLA "${entry.slaId}" was violated.`,
        reason: entry.rule,
        payload: { slaId: entry.slaId, behavior: entry.behavior, rule: entry.rule },
      };
    case 'variables':
      return { summary: 'The variables changed.', payload: { before: entry.before, after: entry.after } };
    case 'labels':
      return { summary: 'The labels changed.', payload: { added: entry.added, removed: entry.removed } };
  }
}

function describeWake(wake: Wake): Words {
  switch (wake.reason) {
    case 'schedule':
      return { summary: 'The scheduled date has come.' };
    case 'replay':
      return { summary: 'The delay before the new execution has passed.' };
    case 'retry':
      return { summary: 'The delay before the next attempt has passed.' };
    case 'pause':
      return { summary: 'The pause has lasted as long as the task says.' };
    case 'loop':
      return { summary: 'The next iteration of the loop is due.' };
    case 'sla':
      return { summary: `The deadline of the SLA "${wake.slaId}" has passed.` };
  }
}

function bounded(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = hideSealed({ ...payload });
  const length = JSON.stringify(shown).length;
  if (length <= maxPayloadLength) return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      const text = JSON.stringify(value) ?? '';
      return [name, text.length > 512 ? { omitted: true, sizeBytes: text.length } : value];
    }),
  );
}

import { z } from 'zod';
import { Actor } from './actor.ts';
import { StateType } from './state.ts';

/** What a user can ask of an execution that exists. */
export const requestedKinds = [
  'kill',
  'pause',
  'resume',
  'resumeFromBreakpoint',
  'changeTaskRunState',
  'changeState',
  'restart',
  'replayed',
  'unqueue',
  'forceRun',
  'setLabels',
] as const;

/**
 * Everything that the record of an execution can say. The first group is what was asked for or reported, the
 * second what the engine decided because of it.
 */
export const eventKinds = [
  'created',
  'start',
  'refused',
  'taskStarted',
  'taskEnded',
  'workerLost',
  'resolved',
  'directory',
  'directoryLost',
  'listenersChosen',
  'woken',
  'childCreated',
  'childEnded',
  'childRefused',
  ...requestedKinds,
  'broken',
  'state',
  'taskState',
  'removed',
  'decided',
  'retryPlanned',
  'paused',
  'slaViolated',
  'labels',
  'variables',
] as const;

export const EventKind = z.enum(eventKinds);
export type EventKind = z.infer<typeof EventKind>;

/** One entry of the record of an execution. */
export const ExecutionEvent = z.object({
  /** Its position in the record; unique within the execution. */
  id: z.string(),
  kind: EventKind,
  date: z.string(),
  actor: Actor,
  taskRunId: z.string().optional(),
  taskId: z.string().optional(),
  /** The loop value of the task run. */
  value: z.string().optional(),
  attempt: z.number().int().optional(),
  /** The state that the task run or the execution got. */
  state: StateType.optional(),
  /** What happened, as an English sentence. */
  summary: z.string(),
  /** Why it happened, where the record knows it. */
  reason: z.string().optional(),
  /** The values of this kind of event; values that are too large are left out. */
  payload: z.record(z.string(), z.unknown()),
});
export type ExecutionEvent = z.infer<typeof ExecutionEvent>;

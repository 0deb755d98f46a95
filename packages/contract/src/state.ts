import { z } from 'zod';
import { Actor } from './actor.ts';

/** Every state an execution, a task run or an attempt can be in. SUBMITTED and RESUBMITTED are only read, never set, for clients of later versions. */
export const stateTypes = [
  'CREATED',
  'QUEUED',
  'RUNNING',
  'PAUSED',
  'RESTARTED',
  'RETRYING',
  'KILLING',
  'SUCCESS',
  'WARNING',
  'FAILED',
  'KILLED',
  'CANCELLED',
  'RETRIED',
  'SKIPPED',
  'SUBMITTED',
  'RESUBMITTED',
  'BREAKPOINT',
] as const;

export const StateType = z.enum(stateTypes);
export type StateType = z.infer<typeof StateType>;

/** The states that an execution can get when it leaves the queue. */
export const UnqueueState = z.enum(['RUNNING', 'CANCELLED', 'FAILED']);
export type UnqueueState = z.infer<typeof UnqueueState>;

const terminal: ReadonlySet<StateType> = new Set([
  'FAILED',
  'WARNING',
  'SUCCESS',
  'KILLED',
  'CANCELLED',
  'RETRIED',
  'SKIPPED',
]);

export const terminalStates: readonly StateType[] = [...terminal];

/** True when nothing more happens by itself from this state on. */
export const isTerminal = (state: StateType): boolean => terminal.has(state);
export const isCreated = (state: StateType): boolean => state === 'CREATED' || state === 'RESTARTED';
export const isRunning = (state: StateType): boolean => state === 'RUNNING' || state === 'KILLING';

/** The view of a state on the API: dates as ISO text, duration as an ISO duration. */
export const State = z.object({
  current: StateType,
  /** `by` is there when a user asked for the change. */
  histories: z.array(z.object({ state: StateType, date: z.string(), by: Actor.optional() })),
  duration: z.string(),
  startDate: z.string(),
  endDate: z.string().optional(),
});
export type State = z.infer<typeof State>;

import { type Execution, isTerminal, type StateType } from '@millrace/contract';

const killable: ReadonlySet<StateType> = new Set([
  'CREATED',
  'QUEUED',
  'RESTARTED',
  'RUNNING',
  'KILLING',
  'PAUSED',
  'RETRYING',
]);

export const isKillable = (execution: Execution): boolean => killable.has(execution.state.current);
export const isLive = (execution: Execution): boolean => !isTerminal(execution.state.current);

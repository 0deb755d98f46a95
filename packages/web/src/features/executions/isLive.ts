import { type Execution, isTerminal } from '@millrace/contract';

export const isLive = (execution: Execution): boolean => !isTerminal(execution.state.current);

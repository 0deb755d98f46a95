import { type Evaluate, requireExecution } from './context.ts';

export const executionFlow: Evaluate = (condition, context) => {
  const execution = requireExecution(condition, context);
  return execution.namespace === condition.namespace && execution.flowId === condition.flowId;
};

import { type Evaluate, requireExecution, wordsOf } from './context.ts';

export const executionStatus: Evaluate = (condition, context) => {
  const { state } = requireExecution(condition, context);
  const wanted = wordsOf(condition.in);
  const unwanted = wordsOf(condition.notIn);
  return (wanted?.includes(state) ?? true) && !(unwanted?.includes(state) ?? false);
};

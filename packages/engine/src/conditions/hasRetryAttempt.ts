import { type Evaluate, requireExecution, wordsOf } from './context.ts';

/** Some task run was tried more than once, with an attempt in (or not in) the given states. */
export const hasRetryAttempt: Evaluate = (condition, context) => {
  const wanted = wordsOf(condition.in);
  const unwanted = wordsOf(condition.notIn);
  const { attempts = [] } = requireExecution(condition, context);
  return attempts.some(
    (states) =>
      states.length > 1 &&
      states.some((state) => (wanted?.includes(state) ?? true) && !(unwanted?.includes(state) ?? false)),
  );
};

import { isTruthy, render } from '@millrace/expression';
import { type Evaluate, requireExecution, requireText } from './context.ts';

/** The expression sees the outputs of the upstream execution as `trigger.outputs`; without outputs it is false. */
export const executionOutputs: Evaluate = async (condition, context) => {
  const { outputs } = requireExecution(condition, context);
  if (!outputs || Object.keys(outputs).length === 0) return false;
  const { trigger } = context.variables;
  const known = typeof trigger === 'object' && trigger !== null ? trigger : {};
  const variables = { ...context.variables, trigger: { ...known, outputs } };
  return isTruthy(await render(requireText(condition, 'expression'), variables, context.host));
};

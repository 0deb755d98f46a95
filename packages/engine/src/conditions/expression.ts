import { render } from '@millrace/expression';
import { type Evaluate, requireText } from './context.ts';

/** True unless the expression renders to nothing or to `false`. */
export const expression: Evaluate = async (condition, context) => {
  const text = (await render(requireText(condition, 'expression'), context.variables, context.host)).trim();
  return text !== '' && text !== 'false';
};

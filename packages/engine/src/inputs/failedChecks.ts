import type { Flow, FlowCheck } from '@millrace/contract';
import { type Host, isTruthy, render, renderTyped, type Variables } from '@millrace/expression';

export type FailedCheck = Omit<FlowCheck, 'condition'>;

/**
 * [E211] The checks of the flow whose condition is not true, in their order. A condition that cannot be evaluated
 * fails, because it cannot be said to hold.
 */
export async function failedChecks(
  { checks = [] }: Flow,
  variables: Variables,
  host: Host,
): Promise<FailedCheck[]> {
  const failed: FailedCheck[] = [];
  for (const { condition, message, style, behavior } of checks) {
    try {
      if (isTruthy(await renderTyped(condition, variables, host))) continue;
      failed.push({ message: await render(message, variables, host), style, behavior });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failed.push({ message: `${message} (${reason})`, style, behavior });
    }
  }
  return failed;
}

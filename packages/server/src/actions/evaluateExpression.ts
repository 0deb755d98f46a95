import { AppError, type executionActions } from '@millrace/contract';
import { LiveRun } from '@millrace/engine';
import { render } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import type { Product } from '../product.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';

type Result = executionActions.EvalResult;

/**
 * Renders an expression with what an execution, or one of its task runs, knows. Secrets are looked up but never shown,
 * whatever the expression makes of them. A bad expression is an answer, not an error.
 */
export async function evaluateExpression(
  about: { readonly executionId: string; readonly taskRunId?: string },
  expression: string,
  parts: Pick<Product, 'store' | 'flows' | 'environment' | 'host'>,
): Promise<Result> {
  const { execution, taskRuns } = await findExecution(parts, about.executionId);
  const flow = await findFlowToRun(parts, execution);
  // Without the key: whoever may ask must not read what a SECRET input holds.
  const { decrypt: _, ...environment } = parts.environment;
  const run = new LiveRun(flow, execution, taskRuns, environment);
  if (about.taskRunId !== undefined && !run.taskRun(about.taskRunId)) {
    throw new AppError(
      'not-found',
      `there is no task run "${about.taskRunId}" in the execution "${about.executionId}"`,
    );
  }
  try {
    const host = { ...parts.host({ namespace: execution.namespace, execution }), hidesSecrets: true };
    return { result: await render(expression, run.variables(about.taskRunId), host) };
  } catch (error) {
    const name = error instanceof Error ? error.name : 'Error';
    const message = shorten(messageOf(error));
    return { error: message, stackTrace: `${name}: ${message}` };
  }
}

/** Messages quote what they are about, and that can be a megabyte. */
const longestMessage = 4_000;

const shorten = (message: string): string =>
  message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;

import { AppError, type executionActions } from '@millrace/contract';
import { findTask, hideSealed, LiveRun, type RunEnvironment } from '@millrace/engine';
import { render, renderTyped } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import type { Store } from '@millrace/store';
import type { CreateHost } from '../expressionHost.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';

type Result = executionActions.EvalResult;

export interface EvaluationParts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly environment: RunEnvironment;
  readonly host: CreateHost;
}

interface Place {
  readonly executionId: string;
  readonly taskRunId?: string;
}

/**
 * Renders an expression with the variables of an execution or of one of its task runs. Secrets are resolved
 * but always masked in the result. A bad expression is returned as a result, not thrown.
 */
export async function evaluateExpression(
  about: Place,
  expression: { readonly text: string; readonly isTyped: boolean },
  parts: EvaluationParts,
): Promise<Result> {
  const { variables, host } = await openPlace(about, parts);
  try {
    const { text, isTyped } = expression;
    if (!isTyped) return { result: await render(text, variables, host) };
    return typedResult(hideSealed(await renderTyped(text, variables, host)));
  } catch (error) {
    const name = error instanceof Error ? error.name : 'Error';
    const message = shorten(messageOf(error));
    return { error: message, stackTrace: `${name}: ${message}` };
  }
}

function typedResult(value: unknown): Result {
  const result = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return { result, type: typeOf(value), value: value ?? null };
}

function typeOf(value: unknown): NonNullable<Result['type']> {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return 'LIST';
  if (typeof value === 'object') return 'MAP';
  if (typeof value === 'boolean') return 'BOOLEAN';
  return typeof value === 'number' || typeof value === 'bigint' ? 'NUMBER' : 'STRING';
}

/** What expressions see at a place of an execution, and the task of a task run. */
export async function openPlace({ executionId, taskRunId }: Place, parts: EvaluationParts) {
  const { execution, taskRuns } = await findExecution(parts, executionId);
  const flow = await findFlowToRun(parts, execution);
  // Without the key, so that the caller cannot read the value of a SECRET input.
  const { decrypt: _, ...environment } = parts.environment;
  const run = new LiveRun(flow, execution, taskRuns, environment);
  const taskRun = taskRunId === undefined ? undefined : run.taskRun(taskRunId);
  if (taskRunId !== undefined && !taskRun) {
    const message = `there is no task run "${taskRunId}" in the execution "${executionId}"`;
    throw new AppError('not-found', message);
  }
  return {
    variables: run.variables(taskRunId),
    host: { ...parts.host({ namespace: execution.namespace, execution }), hidesSecrets: true },
    task: taskRun && findTask(flow, taskRun.taskId),
    taskRun,
  };
}

/** Messages quote the expression's values, which can be a megabyte long. */
const longestMessage = 4_000;

export const shorten = (message: string): string =>
  message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;

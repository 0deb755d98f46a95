import { AppError, type Label } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import type { SubflowRequest } from '@millrace/expression';
import type { Store } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecutionRecord } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import type { InputParts } from './readInputs.ts';
import { startExecution } from './startExecution.ts';

/** The function `subflow()` of expressions; `depth` is the number of nested calls. */

type Parts = InputParts & {
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly store: Store;
  readonly clock: () => number;
  readonly newId: () => string;
};

/** The maximum nesting of flows whose inputs call other flows; beyond it they are assumed to be recursive. */
const maxDepth = 3;
const longestMs = 5 * 60_000;

/** Runs a flow to its end and returns its result. The start of the calling flow waits for it. */
export async function callSubflow(request: SubflowRequest, depth: number, parts: Parts): Promise<unknown> {
  const { namespace, id, revision, timeout } = request;
  if (depth >= maxDepth)
    throw new AppError('illegal-state', `subflow() calls are nested deeper than ${maxDepth} levels`);
  const timeoutMs = parseDuration(timeout);
  if (timeoutMs === undefined)
    throw new AppError('illegal-argument', `the timeout "${timeout}" of subflow() is not a duration`);
  const execution = await startExecution(
    {
      namespace,
      id,
      inputs: mapOf(request.inputs, 'inputs'),
      labels: labelsOf(request.labels),
      ...(revision === null ? {} : { revision }),
      subflowDepth: depth + 1,
    },
    parts,
  );
  await whenEnded(execution.id, Math.min(timeoutMs, longestMs), parts);
  const ended = await findExecutionRecord(parts, execution.id);
  if (ended.closedAt === undefined)
    throw new AppError('illegal-state', `the flow "${namespace}.${id}" did not end within ${timeout}`);
  const labels = Object.fromEntries(ended.labels.map(({ key, value }) => [key, value]));
  return { id: ended.id, state: ended.state.current, outputs: ended.outputs ?? {}, labels };
}

/** Resolves when the execution ends or the timeout expires. */
async function whenEnded(id: string, timeoutMs: number, parts: Parts): Promise<void> {
  const { ended, stop } = parts.executor.whenEnded(id);
  let timer: NodeJS.Timeout | undefined;
  try {
    const execution = await findExecutionRecord(parts, id);
    if (execution.closedAt !== undefined) return;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

function mapOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value };
  throw new AppError('illegal-argument', `the ${name} of subflow() must be a map`);
}

const labelsOf = (value: unknown): Label[] =>
  Object.entries(mapOf(value, 'labels')).map(([key, text]) => ({ key, value: String(text) }));

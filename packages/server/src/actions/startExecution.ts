import {
  AppError,
  type ExecutionRecord,
  type Flow,
  type Label,
  mainTenant,
  systemLabelPrefix,
} from '@millrace/contract';
import { type Breakpoint, createExecution } from '@millrace/engine';
import type { Store } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { FlowCache } from './flowCache.ts';
import { findFailedChecks, type InputParts, readInputs } from './readInputs.ts';
import { startOnce } from './startOnce.ts';

export interface StartRequest {
  readonly namespace: string;
  readonly id: string;
  /** Chosen already when files were stored for it. */
  readonly executionId?: string;
  readonly revision?: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly labels: readonly Label[];
  readonly scheduledAt?: number;
  /** The request in a trace, if there is one. */
  readonly traceParent?: string;
  readonly kind?: string;
  readonly breakpoints?: readonly Breakpoint[];
  /** A second request with the same key returns the execution of the first. */
  readonly idempotencyKey?: string;
  /** The number of nested `subflow()` calls in inputs that led to it. */
  readonly subflowDepth?: number;
}

export type StartParts = InputParts & {
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly store: Store;
  readonly clock: () => number;
  readonly newId: () => string;
};

/** Starts an execution of a flow; resolves once it is on disk. */
export async function startExecution(request: StartRequest, parts: StartParts): Promise<ExecutionRecord> {
  const { namespace, id: flowId, labels, scheduledAt, kind, traceParent, idempotencyKey } = request;
  checkLabels(labels);
  const { runnable: flow } = await parts.flows.findRunnable(namespace, flowId, request.revision);
  const uniqueKey =
    idempotencyKey === undefined ? undefined : `request/${namespace}/${flowId}/${idempotencyKey}`;
  return startOnce<never>(uniqueKey, parts, async () => {
    const id = request.executionId ?? parts.newId();
    const inputs = await readInputs(flow, request.inputs, id, parts, request.subflowDepth);
    const failedChecks = await passChecks(flow, inputs, id, parts, request.subflowDepth);
    const execution = createExecution(flow, {
      id,
      tenantId: mainTenant,
      now: parts.clock(),
      inputs,
      labels,
      failedChecks,
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
      ...(traceParent === undefined ? {} : { traceParent }),
      ...(kind === undefined ? {} : { kind }),
      ...(request.breakpoints ? { breakpoints: request.breakpoints } : {}),
    });
    await parts.executor.start(flow, execution, uniqueKey);
    return execution;
  });
}

/** [E211] Refuses an execution that a check blocks; returns the messages of checks that make it fail. */
async function passChecks(
  flow: Flow,
  inputs: Readonly<Record<string, unknown>>,
  executionId: string,
  parts: StartParts,
  subflowDepth?: number,
): Promise<string[]> {
  const failed = await findFailedChecks(flow, inputs, executionId, parts, subflowDepth);
  const blocking = failed.filter(({ behavior }) => behavior === 'BLOCK_EXECUTION');
  if (blocking.length > 0) {
    const messages = blocking.map(({ message }) => message);
    throw new AppError(
      'invalid-entity',
      `A check of the flow blocks the execution: ${messages.join(' · ')}`,
      {
        errors: messages.map((message) => ({ path: 'checks', message })),
      },
    );
  }
  return failed.filter(({ behavior }) => behavior === 'FAIL_EXECUTION').map(({ message }) => message);
}

const correlationId = `${systemLabelPrefix}correlationId`;

function checkLabels(labels: readonly Label[]): void {
  const seen = new Set<string>();
  for (const { key } of labels) {
    if (key.startsWith(systemLabelPrefix) && key !== correlationId) {
      throw new AppError('illegal-argument', `the label "${key}" belongs to the system and cannot be set`);
    }
    if (seen.has(key)) throw new AppError('illegal-argument', `the label "${key}" is given twice`);
    seen.add(key);
  }
}

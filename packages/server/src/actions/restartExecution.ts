import { restartAs } from '@millrace/engine';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';
import { holdPlace } from './holdPlace.ts';

type Parts = Pick<Product, 'store' | 'flows' | 'executor' | 'admission' | 'environment' | 'clock'>;

/** Runs the failed tasks again: in the same execution or, on another revision, as a new one. */
export async function restartExecution(
  executionId: string,
  revision: number | undefined,
  parts: Parts,
): Promise<ExecutionWithTaskRuns> {
  const source = await findExecution(parts, executionId);
  const flow = await findFlowToRun(parts, source.execution, revision);
  if (revision === undefined) {
    return holdPlace(parts, { flow, execution: source.execution }, () =>
      parts.executor.request(executionId, { type: 'restart' }),
    );
  }
  const wanted = { id: parts.environment.newId(), now: parts.clock() };
  const restarted = restartAs(flow, source, wanted, parts.environment);
  await holdPlace(parts, { flow, execution: restarted.execution }, () =>
    parts.executor.adopt(flow, restarted),
  );
  return restarted;
}

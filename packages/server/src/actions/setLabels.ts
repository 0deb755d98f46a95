import { AppError, type Label, systemLabelPrefix } from '@millrace/contract';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { Product } from '../product.ts';
import { findExecutionRecord } from './findExecution.ts';

/** Replaces the labels of an execution that has ended, except those of the system. */
export function setLabels(
  executionId: string,
  labels: readonly Label[],
  { executor }: Pick<Product, 'executor'>,
): Promise<ExecutionWithTaskRuns> {
  return executor.request(executionId, { type: 'setLabels', labels: lastOfEachKey(labels) });
}

/** Adds labels to an execution that has ended; the same keys are overwritten. */
export async function addLabels(
  executionId: string,
  labels: readonly Label[],
  parts: Pick<Product, 'store' | 'executor'>,
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  return setLabels(executionId, [...execution.labels, ...labels], parts);
}

/** For many executions at once: what could not be set on any of them is refused before the first is touched. */
export function checkAddedLabels(labels: readonly Label[]): void {
  const reserved = labels.find(({ key }) => key.startsWith(systemLabelPrefix));
  if (reserved) {
    throw new AppError(
      'illegal-argument',
      `the label "${reserved.key}" belongs to the system and cannot be set`,
    );
  }
}

const lastOfEachKey = (labels: readonly Label[]): Label[] =>
  [...new Map(labels.map(({ key, value }) => [key, value]))].map(([key, value]) => ({ key, value }));

import { AppError, type Label, systemLabelPrefix } from '@millrace/contract';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecutionRecord } from './findExecution.ts';

/** Replaces the labels of an execution that has ended, except those of the system. */
export function setLabels(
  executionId: string,
  labels: readonly Label[],
  { executor }: { readonly executor: ExecutorPort },
): Promise<ExecutionWithTaskRuns> {
  return executor.request(executionId, { type: 'setLabels', labels: lastOfEachKey(labels) });
}

/** Adds labels to an execution that has ended; the same keys are overwritten. */
export async function addLabels(
  executionId: string,
  labels: readonly Label[],
  parts: { readonly store: Store; readonly executor: ExecutorPort },
): Promise<ExecutionWithTaskRuns> {
  const execution = await findExecutionRecord(parts, executionId);
  return setLabels(executionId, [...execution.labels, ...labels], parts);
}

/** For bulk use: refuses labels that no execution may have before the first one is changed. */
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

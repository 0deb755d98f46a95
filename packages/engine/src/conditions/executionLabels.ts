import type { Label } from '@millrace/contract';
import { type Evaluate, requireExecution } from './context.ts';

/** Every label of the condition is on the execution with the same value. */
export const executionLabels: Evaluate = (condition, context) =>
  hasLabels(requireExecution(condition, context).labels, condition.labels);

/** Wanted labels are written as a map or as a list of keys and values. */
export function hasLabels(labels: readonly Label[], wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return true;
  const pairs = Array.isArray(wanted) ? wanted.map(pairOf) : Object.entries(wanted);
  return pairs.every(([key, value]) =>
    labels.some((label) => label.key === key && label.value === String(value)),
  );
}

const pairOf = (label: unknown): [string, unknown] =>
  typeof label === 'object' && label !== null && 'key' in label && 'value' in label
    ? [String(label.key), label.value]
    : ['', undefined];

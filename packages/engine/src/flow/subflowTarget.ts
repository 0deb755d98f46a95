import type { Task } from '@millrace/contract';
import { controlTypeOf } from './controlType.ts';

export interface SubflowTarget {
  readonly namespace: string;
  readonly flowId: string;
  readonly revision?: number;
}

/** The flow that a Subflow or ForEachItem task calls, as written: its parts may hold expressions. */
export function subflowTarget(task: Task): SubflowTarget | undefined {
  const control = controlTypeOf(task.type);
  if (control !== 'core.flow.Subflow' && control !== 'core.flow.ForEachItem') return undefined;
  const { namespace, flowId, revision } = task;
  if (typeof namespace !== 'string' || typeof flowId !== 'string') return undefined;
  return { namespace, flowId, ...(typeof revision === 'number' && { revision }) };
}

/** True when both names are literal, so that the target is known before any run. */
export const isLiteralTarget = (target: SubflowTarget): boolean =>
  !hasExpression(target.namespace) && !hasExpression(target.flowId);

export const hasExpression = (text: string): boolean => text.includes('{{') || text.includes('{%');

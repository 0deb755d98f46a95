import type { Evaluate } from './context.ts';
import { matchesNamespace } from './executionNamespace.ts';

/** Tests the flow that contains the condition; both types are deprecated and constant for a flow. */
export const flow: Evaluate = (condition, context) =>
  context.flow.namespace === condition.namespace && context.flow.id === condition.flowId;

export const flowNamespace: Evaluate = (condition, context) =>
  matchesNamespace(condition, context.flow.namespace);

import type { Evaluate } from './context.ts';
import { matchesNamespace } from './executionNamespace.ts';

/** About the flow that the condition is written in; both are deprecated and always the same answer for a flow. */
export const flow: Evaluate = (condition, context) =>
  context.flow.namespace === condition.namespace && context.flow.id === condition.flowId;

export const flowNamespace: Evaluate = (condition, context) =>
  matchesNamespace(condition, context.flow.namespace);

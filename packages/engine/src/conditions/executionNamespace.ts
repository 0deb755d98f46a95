import { type Condition, type Evaluate, requireExecution, requireText } from './context.ts';

export const executionNamespace: Evaluate = (condition, context) =>
  matchesNamespace(condition, requireExecution(condition, context).namespace);

/** Compares whole namespaces, or their beginnings or ends as plain text. */
export function matchesNamespace(condition: Condition, namespace: string): boolean {
  const wanted = requireText(condition, 'namespace');
  const comparison = condition.comparison ?? (condition.prefix === true ? 'PREFIX' : 'EQUALS');
  if (comparison === 'PREFIX') return namespace.startsWith(wanted);
  return comparison === 'SUFFIX' ? namespace.endsWith(wanted) : namespace === wanted;
}

import type { AlertRule } from '@millrace/contract';
import type { Filter } from '@millrace/store';

type Scope = Pick<AlertRule, 'namespace' | 'flowId'>;

/** Whether a rule applies to a flow. A namespace includes its children, unless the rule names one flow. */
export function isInScope({ namespace, flowId }: Scope, of: { namespace: string; flowId: string }): boolean {
  if (namespace === undefined) return true;
  if (flowId !== undefined) return of.namespace === namespace && of.flowId === flowId;
  return of.namespace === namespace || of.namespace.startsWith(`${namespace}.`);
}

/** The filters of executions that select the scope. */
export function filtersOf({ namespace, flowId }: Scope): Filter[] {
  if (namespace === undefined) return [];
  if (flowId === undefined) return [{ field: 'namespace', operation: 'PREFIX', value: namespace }];
  return [
    { field: 'namespace', operation: 'EQUALS', value: namespace },
    { field: 'flowId', operation: 'EQUALS', value: flowId },
  ];
}

/** The scope in words, for messages. */
export function nameScope({ namespace, flowId }: Scope): string {
  if (namespace === undefined) return 'all flows';
  return flowId === undefined ? `namespace ${namespace}` : `${namespace}.${flowId}`;
}

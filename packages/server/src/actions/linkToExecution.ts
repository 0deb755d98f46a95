import type { ExecutionRecord } from '@millrace/contract';

/** The page of an execution below the address of the web app, or on this server when that is empty. */
export function linkToExecution(
  url: string,
  { tenantId, namespace, flowId, id }: Pick<ExecutionRecord, 'tenantId' | 'namespace' | 'flowId' | 'id'>,
): string {
  return `${url.replace(/\/+$/, '')}/${tenantId}/executions/${namespace}/${flowId}/${id}`;
}

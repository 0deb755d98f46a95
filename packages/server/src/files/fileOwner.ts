import type { ExecutionRecord } from '@millrace/contract';
import { executionFolder } from './internalStorage.ts';

type Run = Pick<ExecutionRecord, 'id' | 'namespace' | 'flowId'>;

/**
 * The execution that a file is read through: this one for its own files and for what its flow and namespace remember,
 * another one for that one's files, none for everything else.
 */
export function ownerOf(key: string, execution: Run): string | undefined {
  const { id, namespace, flowId } = execution;
  const space = namespace.replaceAll('.', '/');
  const own = [
    executionFolder({ namespace, flowId, executionId: id }).join('/'),
    `${space}/${flowId}/states`,
    `${space}/states`,
  ];
  if (own.some((folder) => key.startsWith(`${folder}/`))) return id;
  // Namespaces and flows cannot be called like this folder and have an execution's id below it, so the first one counts.
  const other = /^[^/]+(?:\/[^/]+)*?\/executions\/([a-zA-Z0-9]+)\/./.exec(key)?.[1];
  // The same execution under another flow or namespace is no file of it.
  return other === id ? undefined : other;
}

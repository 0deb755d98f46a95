import type { ExecutionRecord } from '@millrace/contract';
import { executionFolder } from './internalStorage.ts';

type Run = Pick<ExecutionRecord, 'id' | 'namespace' | 'flowId'>;

/**
 * The execution through which a file is read: this one for its own files and for the states of its flow and
 * namespace, another one for the files of that one, none for all other files.
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
  // No namespace or flow has this folder's name with an execution's id below it, so the first match counts.
  const other = /^[^/]+(?:\/[^/]+)*?\/executions\/([a-zA-Z0-9]+)\/./.exec(key)?.[1];
  // A file with this execution's id under another flow or namespace does not belong to it.
  return other === id ? undefined : other;
}

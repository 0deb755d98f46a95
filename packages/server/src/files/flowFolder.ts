import { AppError } from '@millrace/contract';
import { blobKey } from '@millrace/store';

/** Flows of a namespace seen as files: `/_flows/<name>` is a flow, and the folder holds nothing else. */
const folder = '_flows';

/** A path that is an ordinary file; the virtual folder cannot be read, moved or deleted as if it were one. */
export function checkOrdinaryPath(path: string): string {
  const key = blobKey(path);
  if (key === folder || key.startsWith(`${folder}/`))
    throw new AppError('illegal-argument', `the path "${path}" is forbidden: it belongs to the flows`);
  return key;
}

/** Whether a file written there is a flow. Only the folder itself takes flows, not folders in it. */
export function isFlowPath(path: string): boolean {
  const parts = blobKey(path).split('/');
  if (parts[0] !== folder) return false;
  if (parts.length !== 2)
    throw new AppError(
      'illegal-argument',
      `the path "${path}" is forbidden: a flow lies directly in "/${folder}"`,
    );
  return true;
}

/** The source of a flow that has come to another namespace. */
export function withNamespace(source: string, namespace: string): string {
  const line = `namespace: ${namespace}`;
  return /^namespace:.*$/m.test(source) ? source.replace(/^namespace:.*$/m, line) : `${line}\n${source}`;
}

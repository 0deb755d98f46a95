import type { Endpoint } from '@millrace/contract';
import { type CallArgs, call } from './call.ts';

/** Makes a call that answers with a file and hands the file to the browser to save. */
export async function download<const E extends Pick<Endpoint, 'method' | 'path' | 'bodyKind' | 'replyKind'>>(
  endpoint: E,
  args: CallArgs<E>,
  fileName: string,
): Promise<void> {
  const file = (await call(endpoint, args)) as unknown as Blob; // What `call` gives for endpoints that answer with files.
  saveFile(file, fileName);
}

/** Hands a text to the browser to save. */
export const saveText = (text: string, fileName: string, type: string): void =>
  saveFile(new Blob([text], { type }), fileName);

function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

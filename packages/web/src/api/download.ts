import { type Endpoint, sessions } from '@millrace/contract';
import type { MouseEvent } from 'react';
import { type CallArgs, call } from './call.ts';

/** Makes a call that returns a file and lets the browser save it. */
export async function download<const E extends Pick<Endpoint, 'method' | 'path' | 'bodyKind' | 'replyKind'>>(
  endpoint: E,
  args: CallArgs<E>,
  fileName: string,
): Promise<void> {
  const file = (await call(endpoint, args)) as unknown as Blob; // `call` returns a blob for endpoints that return files.
  saveFile(file, fileName);
}

/** Hands a text to the browser to save. */
export const saveText = (text: string, fileName: string, type: string): void =>
  saveFile(new Blob([text], { type }), fileName);

/** Hands a file to the browser to save. */
export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * For the click on a link to a file: the session is made sure of first, and renewed if need be. Without one the browser
 * would ask for a password by itself. The browser still fetches the file, so that a large one goes straight to the disk.
 */
export function checkedDownload(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const { href, download } = event.currentTarget;
  call(sessions.getSession, {}).then(
    () => {
      const link = document.createElement('a');
      link.href = href;
      link.download = download;
      link.click();
    },
    () => {}, // The call has said it, or led to the login page.
  );
}

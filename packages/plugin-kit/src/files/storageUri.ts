import type { FileStorage } from '../context.ts';

/** True for an address in internal storage: `millrace:///…`, or `nsfile:///…` for a file of a namespace. */
export const isStorageUri = (text: string): boolean =>
  /^(?:(?:millrace|kestra):\/\/\/?|nsfile:\/\/)[^\s]/.test(text);

/** The last part of the address, fit to be the name of a file. */
export function nameOfUri(uri: string): string {
  const last = uri.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  return last.replace(/[^\w.-]/g, '_') || 'file';
}

/** The whole file as text, for files that are known to be small. */
export async function readText(
  files: FileStorage,
  uri: string,
  maxBytes = 64 * 1024 * 1024,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await files.read(uri)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The file ${uri} is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import { AppError } from '@millrace/contract';
import { blobKey } from './blobKey.ts';

const scheme = 'millrace:///';
const acceptedSchemes = [scheme, 'kestra:///'];

/** `millrace:///company/team/a%20b.txt`: the URI of a file for flows and clients. */
export function toBlobUri(key: string): string {
  return scheme + key.split('/').map(encodeURIComponent).join('/');
}

export const isBlobUri = (text: string): boolean =>
  acceptedSchemes.some((accepted) => text.startsWith(accepted));

/** The key of a URI. Accepts both schemes, and names that were never encoded. */
export function fromBlobUri(uri: string): string {
  const prefix = acceptedSchemes.find((accepted) => uri.startsWith(accepted));
  if (prefix === undefined) throw invalid(uri);
  const key = blobKey(uri.slice(prefix.length).split('/').map(decode).join('/'));
  if (key === '') throw invalid(uri);
  return key;
}

/** Leaves an encoded slash encoded, so that it is rejected instead of creating a folder. */
function decode(part: string): string {
  if (/%(2f|5c|00)/i.test(part)) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function invalid(uri: string): AppError {
  const shown = uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
  return new AppError('illegal-argument', `"${shown}" is not the address of a file in internal storage`);
}

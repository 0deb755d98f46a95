import { AppError } from '@millrace/contract';

/**
 * The only way from a text to a place in internal storage. A path is taken apart, every part is checked, and only
 * then put together again, so that no spelling of "the folder above" can come through: not `..`, not `%2e%2e`, not a
 * backslash, a drive letter, a network path or NUL. What comes out works as a path on every file system and as an
 * object name.
 */
export function blobKey(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  for (const part of parts) checkPart(part, path);
  const key = parts.join('/');
  if (/^[a-z]:/i.test(key)) throw refuse(path, 'it begins with a drive letter');
  if (Buffer.byteLength(key) > maxKeyBytes) throw refuse(path, `it is longer than ${maxKeyBytes} bytes`);
  return key;
}

/** Turns any name into one part of a path: what a task calls its file must not decide where it lands. */
export function blobPart(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  const flat = name.replace(/[/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu, '_');
  const part = cut(flat, maxPartBytes - 1).replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  return part === '' || isForbidden(part) ? `_${part.replaceAll('%', '_')}` : part;
}

/** What every object store and file system takes. */
const maxKeyBytes = 1_000;
const maxPartBytes = 220;

/** Those that turn the direction of writing too: "report\u202egpj.exe" reads like a picture. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const impossible = /[\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
/** Names that mean a device on some systems, with any ending, and endings that others drop. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$|[. ]$/i;

function checkPart(part: string, path: string): void {
  if (impossible.test(part)) throw refuse(path, 'it has a backslash or a control character');
  if (isForbidden(part)) throw refuse(path, `"${part}" cannot be a name`);
  if (Buffer.byteLength(part) > maxPartBytes)
    throw refuse(path, `a name is longer than ${maxPartBytes} bytes`);
}

/** A name is also refused when someone else might decode it into one that leads away. */
function isForbidden(part: string): boolean {
  const decoded = decode(part);
  return reserved.test(part) || reserved.test(decoded) || /[/\\\0]/.test(decoded);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function cut(text: string, maxBytes: number): string {
  let kept = text;
  while (Buffer.byteLength(kept) > maxBytes) kept = [...kept].slice(0, -1 - (kept.length >> 4)).join('');
  return kept;
}

function refuse(path: string, reason: string): AppError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new AppError('illegal-argument', `the path "${shown}" is not allowed: ${reason}`);
}

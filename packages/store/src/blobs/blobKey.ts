import { AppError } from '@millrace/contract';

/**
 * The only way to turn text into a key of internal storage. Splits the path, checks every part and joins the
 * parts again, so that no form of path traversal is possible: not `..`, not `%2e%2e`, not a backslash, a
 * drive letter, a network path or NUL. The result is valid as a path on every file system and as an object
 * name.
 */
export function blobKey(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  for (const part of parts) checkPart(part, path);
  const key = parts.join('/');
  if (/^[a-z]:/i.test(key)) throw refuse(path, 'it begins with a drive letter');
  if (Buffer.byteLength(key) > maxKeyBytes) throw refuse(path, `it is longer than ${maxKeyBytes} bytes`);
  return key;
}

/** Turns any name into one part of a path: a task's file name must not decide the file's location. */
export function blobPart(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  const flat = name.replace(/[/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu, '_');
  const part = cut(flat, maxPartBytes - 1).replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  return part === '' || isForbidden(part) ? `_${part.replaceAll('%', '_')}` : part;
}

/** A length that every object store and file system supports. */
const maxKeyBytes = 1_000;
const maxPartBytes = 220;

/** Includes bidirectional control characters: "report\u202egpj.exe" looks like an image. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const impossible = /[\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
/** Device names of some systems, with any extension, and endings that other systems strip. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$|[. ]$/i;

function checkPart(part: string, path: string): void {
  if (impossible.test(part)) throw refuse(path, 'it has a backslash or a control character');
  if (isForbidden(part)) throw refuse(path, `"${part}" cannot be a name`);
  if (Buffer.byteLength(part) > maxPartBytes)
    throw refuse(path, `a name is longer than ${maxPartBytes} bytes`);
}

/** Also rejects a name that another program might decode into a path outside the folder. */
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

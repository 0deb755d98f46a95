import type { IncomingMessage } from 'node:http';
import { AppError, type BodyKind } from '@millrace/contract';
import { HttpRefusal } from './problem.ts';

/** Bytes of a body by its kind. Multipart bodies stream and have limits of their own. */
export const bodyLimits: Readonly<Record<BodyKind, number>> = {
  none: 1_048_576,
  json: 10 * 1_048_576,
  yaml: 10 * 1_048_576,
  text: 10 * 1_048_576,
  multipart: 10 * 1_073_741_824,
};

const maxJsonDepth = 200;

const yamlTypes = new Set([
  'application/x-yaml',
  'application/yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  // JSON is YAML; older clients send flows as JSON.
  'application/json',
]);

/** Refuses a body that says itself that it is too large, before a byte of it is read. */
export function checkLength(kind: BodyKind, header: string | undefined): void {
  if (Number(header ?? 0) > bodyLimits[kind]) throw tooLarge(bodyLimits[kind]);
}

const tooLarge = (limitBytes: number): HttpRefusal =>
  new HttpRefusal(413, 'Payload Too Large', `the body is larger than ${limitBytes} bytes`);

/** Refuses a content type that the route does not take, before a byte of the body is read. */
export function checkContentType(kind: BodyKind, header: string | undefined, isEmpty: boolean): void {
  if (header === undefined || isEmpty) return;
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (accepts(kind, type)) return;
  throw new HttpRefusal(
    415,
    'Unsupported Media Type',
    `"${type}" is not accepted here; expected ${expected[kind]}`,
  );
}

function accepts(kind: BodyKind, type: string): boolean {
  if (kind === 'json') return type === 'application/json' || type.endsWith('+json');
  if (kind === 'yaml') return yamlTypes.has(type);
  if (kind === 'multipart') return type === 'multipart/form-data';
  return true;
}

const expected: Readonly<Record<BodyKind, string>> = {
  none: 'no body',
  json: 'application/json',
  yaml: 'application/x-yaml',
  text: 'any text',
  multipart: 'multipart/form-data',
};

/** Reads a text body completely; stops at the limit instead of trusting the announced length. */
export async function readText(payload: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of payload) {
    // A stream without encoding yields buffers.
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes > limitBytes) {
      throw tooLarge(limitBytes);
    }
    chunks.push(chunk as Buffer);
  }
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('illegal-argument', 'the body is not valid UTF-8', { cause });
  }
}

/** Parses JSON that nests at most 200 levels, so that nothing behind this point can be made to recurse too deep. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > maxJsonDepth) {
    throw new AppError('invalid-entity', `Invalid json: it nests deeper than ${maxJsonDepth} levels`);
  }
  try {
    // The reviver costs more than the parsing, and hardly any text needs it.
    return text.includes('__proto__') ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch (cause) {
    throw new HttpRefusal(422, 'Invalid json', cause instanceof Error ? cause.message : String(cause));
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Nesting depth by counting brackets outside of strings: linear, without building anything. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isInString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}

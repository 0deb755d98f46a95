import type { IncomingMessage } from 'node:http';
import { AppError, type BodyKind } from '@millrace/contract';
import { HttpRefusal } from './problem.ts';

/** The maximum bytes of a body by its kind. Multipart bodies stream and have separate limits. */
export const bodyLimits: Readonly<Record<BodyKind, number>> = {
  none: 1_048_576,
  json: 10 * 1_048_576,
  yaml: 10 * 1_048_576,
  text: 10 * 1_048_576,
  multipart: 10 * 1_073_741_824,
};

const yamlTypes = new Set([
  'application/x-yaml',
  'application/yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  // JSON is YAML; older clients send flows as JSON.
  'application/json',
]);

/** Refuses a body whose Content-Length is too large, before any of it is read. */
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

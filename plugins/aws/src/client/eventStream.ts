import { TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';

/** One message of a stream in the format `application/vnd.amazon.eventstream`. */
export interface StreamEvent {
  readonly type: string;
  readonly payload: unknown;
}

const preludeBytes = 12;
const checksumBytes = 4;
const Failure = z.looseObject({ message: z.string().optional(), Message: z.string().optional() });

/** Events as they arrive. A failure inside the stream is thrown with the code that the service gave. */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamEvent, void, undefined> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    while (pending.length >= preludeBytes && pending.length >= pending.readUInt32BE(0)) {
      const total = pending.readUInt32BE(0);
      yield readEvent(pending.subarray(0, total));
      pending = pending.subarray(total);
    }
  }
}

function readEvent(message: Buffer): StreamEvent {
  const headersEnd = preludeBytes + message.readUInt32BE(4);
  const headers = readHeaders(message.subarray(preludeBytes, headersEnd));
  const text = message.subarray(headersEnd, message.length - checksumBytes).toString('utf8');
  const payload: unknown = text === '' ? {} : JSON.parse(text);
  if (headers.get(':message-type') !== 'event') {
    const code = headers.get(':exception-type') ?? headers.get(':error-code') ?? 'Error';
    const { message: reason, Message } = Failure.catch({}).parse(payload);
    throw new TaskFailed(`${code}: ${reason ?? Message ?? headers.get(':error-message') ?? ''}`);
  }
  return { type: headers.get(':event-type') ?? '', payload };
}

/** Sizes of the values that have a fixed one, by type; texts and bytes name their length. */
const fixedSizes: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const textType = 7;

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    const fixed = fixedSizes[type] ?? 0;
    const start = nameEnd + 1 + (fixed < 0 ? 2 : 0);
    const end = start + (fixed < 0 ? bytes.readUInt16BE(nameEnd + 1) : fixed);
    if (type === textType) headers.set(name, bytes.toString('utf8', start, end));
    at = end;
  }
  return headers;
}

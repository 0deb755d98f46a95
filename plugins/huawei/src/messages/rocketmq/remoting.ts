/**
 * The remoting protocol of RocketMQ 4 and 5. A frame is its length, the length of the header with the kind of
 * serialization in the first byte (0 is JSON), the header and the body. A response has the opaque number of its request.
 */
import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';

export interface Login {
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly securityToken?: string | undefined;
}

export type Fields = Readonly<Record<string, string>>;

export interface Response {
  readonly code: number;
  readonly remark: string;
  readonly fields: Fields;
  readonly body: Buffer;
}

const Header = z.looseObject({
  code: z.number(),
  opaque: z.number(),
  flag: z.number().default(0),
  remark: z.string().nullish(),
  extFields: z.record(z.string(), z.coerce.string()).nullish(),
});
export type Header = z.infer<typeof Header>;

export interface Frame {
  readonly header: Header;
  readonly body: Buffer;
}

const isResponse = 1;
const timeoutMs = 15_000;
/** Longer frames are no frames of a broker. */
const maxFrameBytes = 64 * 1_048_576;

/** One connection to a name server or a broker. */
export class Remoting {
  readonly #socket: Socket;
  readonly #address: string;
  readonly #login: Login;
  readonly #waiting = new Map<number, { resolve: (frame: Frame) => void; reject: (error: Error) => void }>();
  #opaque = 0;
  #failure: Error | undefined;

  constructor(socket: Socket, address: string, login: Login) {
    this.#socket = socket;
    this.#address = address;
    this.#login = login;
    void this.#read();
  }

  static async open(context: TaskContext, address: string, login: Login): Promise<Remoting> {
    const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(address.trim()) ?? [];
    if (port === undefined)
      throw new TaskFailed(`"${address}" is not an address; expected "host:port".`, { retry: false });
    try {
      const socket = await context.connect({ host, port: Number(port), timeoutMs, signal: context.signal });
      return new Remoting(socket, address, login);
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      throw new TaskFailed(`RocketMQ on ${address} could not be reached: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Sends a request and waits for its response. Codes that the caller does not expect fail. */
  async ask(code: number, fields: Fields, options: { body?: Buffer; accepts?: readonly number[] } = {}) {
    const { body = Buffer.alloc(0), accepts = [] } = options;
    if (this.#failure) throw this.#failure;
    const opaque = this.#opaque++;
    const header = {
      code,
      language: 'OTHER',
      version: 399,
      opaque,
      flag: 0,
      extFields: sign(fields, body, this.#login),
    };
    const response = new Promise<Frame>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no response within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          this.#waiting.delete(opaque);
          done(value);
        };
      this.#waiting.set(opaque, { resolve: settle(resolve), reject: settle(reject) });
    });
    this.#socket.write(toFrame(header, body));
    const { header: answer, body: content } = await response.catch((error: unknown) => {
      throw new TaskFailed(`RocketMQ on ${this.#address}: ${messageOf(error)}`, { cause: error });
    });
    if (answer.code !== 0 && !accepts.includes(answer.code))
      throw new TaskFailed(
        `RocketMQ on ${this.#address} refused the request with code ${answer.code}: ${(answer.remark ?? '').slice(0, 500)}`,
        { retry: answer.code === 1 || answer.code === 2 },
      );
    return { code: answer.code, fields: answer.extFields ?? {}, body: content };
  }

  close(): void {
    this.#fail(new Error('the connection was closed'));
    this.#socket.destroy();
  }

  async #read(): Promise<void> {
    try {
      for await (const frame of readFrames(this.#socket))
        if (frame.header.flag & isResponse) this.#waiting.get(frame.header.opaque)?.resolve(frame);
      this.#fail(new Error('the connection was closed'));
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(messageOf(error)));
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
  }
}

/** The signature covers all values in the order of their names, and the body. */
export function sign(fields: Fields, body: Buffer, login: Login): Fields {
  const { accessKeyId, secretAccessKey, securityToken } = login;
  if (accessKeyId === undefined || secretAccessKey === undefined) return fields;
  const all: Fields = {
    ...fields,
    AccessKey: accessKeyId,
    ...(securityToken !== undefined && { SecurityToken: securityToken }),
  };
  const content = Object.keys(all)
    .sort()
    .map((name) => all[name])
    .join('');
  const signature = createHmac('sha1', secretAccessKey).update(content).update(body).digest('base64');
  return { ...all, Signature: signature };
}

export function toFrame(header: object, body: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeInt32BE(4 + text.length + body.length, 0);
  lengths.writeInt32BE(text.length, 4);
  return Buffer.concat([lengths, text, body]);
}

export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 8) {
      const length = buffer.readInt32BE(0);
      if (length < 4 || length > maxFrameBytes) throw new Error('the server does not speak RocketMQ');
      if (buffer.length < 4 + length) break;
      const headerLength = buffer.readInt32BE(4) & 0xff_ff_ff;
      const header = Header.parse(JSON.parse(buffer.subarray(8, 8 + headerLength).toString('utf8')));
      yield { header, body: Buffer.from(buffer.subarray(8 + headerLength, 4 + length)) };
      buffer = buffer.subarray(4 + length);
    }
  }
}

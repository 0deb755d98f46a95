import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { isStructure, pack, unpack } from './packStream.ts';

const requests = {
  logon: 0x6a,
  run: 0x10,
  discard: 0x2f,
  pull: 0x3f,
  begin: 0x11,
  commit: 0x12,
  reset: 0x0f,
  goodbye: 0x02,
};
const replies = { success: 0x70, record: 0x71, ignored: 0x7e, failure: 0x7f };

interface StubAnswer {
  readonly fields: readonly string[];
  readonly records: readonly (readonly unknown[])[];
  readonly stats?: Readonly<Record<string, bigint>>;
}

type Respond = (query: string, parameters: unknown) => StubAnswer | Promise<StubAnswer>;

export class StubFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A fake server with the Bolt protocol (version 5.4); supports only what the tests use. `respond` returns the result of
 * a query, or a promise that never settles.
 */
export async function aBoltStub(
  respond: Respond,
): Promise<{ host: string; port: number; messages: string[] }> {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const connection = new StubConnection(socket, respond, messages);
    socket.on('data', (chunk) => connection.receive(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, messages };
}

class StubConnection {
  readonly #socket: Socket;
  readonly #respond: Respond;
  readonly #messages: string[];
  #pending: Buffer = Buffer.alloc(0);
  #hasGreeted = false;
  #message: Buffer[] = [];
  #work: Promise<void> = Promise.resolve();
  #answer: StubAnswer = { fields: [], records: [] };
  #sent = 0;
  #hasFailed = false;

  constructor(socket: Socket, respond: Respond, messages: string[]) {
    this.#socket = socket;
    this.#respond = respond;
    this.#messages = messages;
  }

  receive(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    if (!this.#hasGreeted) {
      if (this.#pending.length < 20) return;
      this.#hasGreeted = true;
      // Such as a TLS handshake.
      if (this.#pending.readUInt32BE(0) !== 0x6060b017) return void this.#socket.destroy();
      this.#pending = this.#pending.subarray(20);
      this.#socket.write(Buffer.from([0, 0, 4, 5]));
    }
    while (this.#pending.length >= 2 && this.#pending.length >= 2 + this.#pending.readUInt16BE(0)) {
      const size = this.#pending.readUInt16BE(0);
      if (size > 0) this.#message.push(this.#pending.subarray(2, 2 + size));
      this.#pending = this.#pending.subarray(2 + size);
      if (size > 0 || this.#message.length === 0) continue;
      const message = unpack(Buffer.concat(this.#message.splice(0)));
      this.#work = this.#work.then(() => this.#handle(message)).catch((error: unknown) => this.#fail(error));
    }
  }

  async #handle(message: unknown): Promise<void> {
    if (!isStructure(message)) throw new Error('A message must be a structure.');
    const { tag, fields } = message;
    if (tag === requests.goodbye) return void this.#socket.end();
    if (tag === requests.reset) {
      this.#hasFailed = false;
      return this.#send(replies.success, {});
    }
    if (this.#hasFailed) return this.#send(replies.ignored);
    if (tag === requests.begin || tag === requests.commit)
      this.#messages.push(tag === requests.begin ? 'begin' : 'commit');
    if (tag === requests.logon && JSON.stringify(fields).includes('wrong'))
      throw new StubFailure(
        'Neo.ClientError.Security.Unauthorized',
        'The client is unauthorized due to authentication failure.',
      );
    if (tag === requests.run) {
      const [query, parameters] = fields;
      this.#messages.push(String(query));
      this.#answer = await this.#respond(String(query), parameters);
      this.#sent = 0;
      return this.#send(replies.success, { fields: this.#answer.fields, t_first: 0n });
    }
    if (tag === requests.pull || tag === requests.discard) return this.#sendRecords(tag, fields[0]);
    this.#send(replies.success, { server: 'Neo4j/5.26.0', connection_id: 'bolt-1', hints: {} });
  }

  #sendRecords(tag: number, extra: unknown): void {
    const { records, stats } = this.#answer;
    // `as`: the driver always sends how many records it wants.
    const wanted = Number((extra as { n: bigint }).n);
    const end = wanted < 0 ? records.length : Math.min(records.length, this.#sent + wanted);
    if (tag === requests.pull)
      for (const record of records.slice(this.#sent, end)) this.#send(replies.record, record);
    else this.#messages.push('discard');
    this.#sent = end;
    if (end < records.length) return this.#send(replies.success, { has_more: true });
    this.#send(replies.success, { type: 'rw', t_last: 0n, ...(stats && { stats }) });
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    const { code = 'Neo.DatabaseError.General.UnknownError', message } = error as Partial<StubFailure>;
    this.#send(replies.failure, { code, message });
  }

  #send(tag: number, ...fields: readonly unknown[]): void {
    const body = pack({ tag, fields });
    const head = Buffer.alloc(2);
    head.writeUInt16BE(body.length);
    this.#socket.write(Buffer.concat([head, body, Buffer.from([0, 0])]));
  }
}

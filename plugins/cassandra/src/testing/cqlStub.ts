import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A cell in the binary form of the protocol; null is null. */
type Cell = Buffer | null;

export interface StubResult {
  /** Names and type codes of the protocol, with the codes of their elements. */
  readonly columns: readonly (readonly [string, ...number[]])[];
  readonly pages: readonly (readonly (readonly Cell[])[])[];
}

export const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
export const long = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const short = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const string = (text: string) => Buffer.concat([short(Buffer.byteLength(text)), Buffer.from(text)]);
const bytesOf = (cell: Cell) => (cell === null ? int(-1) : Buffer.concat([int(cell.length), cell]));
export const listOfInts = (...values: number[]) =>
  Buffer.concat([int(values.length), ...values.map((value) => bytesOf(int(value)))]);

/** Type codes of the protocol. */
export const codes = {
  bigint: 2,
  double: 7,
  int: 9,
  timestamp: 0xb,
  uuid: 0xc,
  varchar: 0xd,
  inet: 0x10,
  list: 0x20,
};

const operations = { startup: 1, options: 5, query: 7, register: 0xb, authResponse: 0xf };
const replies = { error: 0, ready: 2, authenticate: 3, supported: 6, result: 8, authSuccess: 0x10 };

const local: StubResult = {
  columns: [
    ['data_center', codes.varchar],
    ['rack', codes.varchar],
    ['release_version', codes.varchar],
    ['partitioner', codes.varchar],
    ['host_id', codes.uuid],
    ['schema_version', codes.uuid],
  ],
  pages: [
    [
      [
        Buffer.from('datacenter1'),
        Buffer.from('rack1'),
        Buffer.from('4.1.0'),
        Buffer.from('org.apache.cassandra.dht.Murmur3Partitioner'),
        Buffer.alloc(16, 1),
        Buffer.alloc(16, 2),
      ],
    ],
  ],
};

export class StubError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A fake server with the native protocol of Cassandra (version 4); supports only what the tests use. `respond` returns
 * the result of a statement, undefined when it changes rows, or a promise that never settles.
 */
export async function aCqlStub(
  respond: (cql: string) => StubResult | undefined | Promise<StubResult | undefined>,
  password = 'secret',
): Promise<{ host: string; port: number; statements: string[] }> {
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  const reply = async (operation: number, body: Buffer): Promise<[number, Buffer]> => {
    if (operation === operations.options) return [replies.supported, short(0)];
    if (operation === operations.startup)
      return [replies.authenticate, string('org.apache.cassandra.auth.PasswordAuthenticator')];
    if (operation === operations.authResponse) {
      if (body.subarray(4).toString().endsWith(`\0${password}`)) return [replies.authSuccess, int(-1)];
      throw new StubError(0x100, 'Provided username ada and/or password are incorrect');
    }
    if (operation === operations.register) return [replies.ready, Buffer.alloc(0)];
    const length = body.readInt32BE(0);
    const cql = body.subarray(4, 4 + length).toString();
    if (cql.includes('system.local')) return [replies.result, rows(local, 0)];
    if (cql.includes('system.peers'))
      return [replies.result, rows({ columns: local.columns, pages: [[]] }, 0)];
    const page = readPage(body.subarray(4 + length));
    if (page === 0) statements.push(cql);
    const result = await respond(cql);
    return [replies.result, result ? rows(result, page) : int(1)];
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 9 && pending.length >= 9 + pending.readInt32BE(5)) {
        const frame = pending.subarray(0, 9 + pending.readInt32BE(5));
        pending = pending.subarray(frame.length);
        const send = (operation: number, body: Buffer) =>
          socket.write(
            Buffer.concat([
              Buffer.from([0x84, 0]),
              frame.subarray(2, 4),
              Buffer.from([operation]),
              int(body.length),
              body,
            ]),
          );
        const fail = (error: unknown) => {
          const { code = 0, message } = error as Partial<StubError>;
          send(replies.error, Buffer.concat([int(code), string(message ?? '')]));
        };
        const isKnown = frame.readUInt8(0) === 4;
        if (isKnown)
          reply(frame.readUInt8(4), frame.subarray(9)).then(
            ([operation, body]) => send(operation, body),
            fail,
          );
        else fail(new StubError(0xa, 'Invalid or unsupported protocol version; the greatest is 4'));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, statements };
}

const hasMorePages = 2;

function rows({ columns, pages }: StubResult, page: number): Buffer {
  const isLast = page + 1 >= pages.length;
  const cells = pages[page] ?? [];
  return Buffer.concat([
    int(2),
    int(1 | (isLast ? 0 : hasMorePages)),
    int(columns.length),
    ...(isLast ? [] : [bytesOf(int(page + 1))]),
    string('shop'),
    string('orders'),
    ...columns.map(([name, ...types]) => Buffer.concat([string(name), ...types.map(short)])),
    int(cells.length),
    ...cells.flat().map(bytesOf),
  ]);
}

/** The parameters of a query: consistency, flags, page size, paging state. */
function readPage(parameters: Buffer): number {
  const flags = parameters.readUInt8(2);
  const at = 3 + (flags & 4 ? 4 : 0);
  return flags & 8 ? parameters.readInt32BE(at + 4) : 0;
}

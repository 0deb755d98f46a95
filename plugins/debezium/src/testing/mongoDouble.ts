import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { onTestFinished } from 'vitest';

const opMessage = 2013;
const streamCursor = BSON.Long.fromNumber(7);

/** The wire protocol of a replica set with one collection and its change stream. */
export async function aMongoDouble(documents: readonly Document[]) {
  const events: Document[] = [];
  const streams: string[] = [];
  let sent = 0;
  const after = (position: number) => ({
    batch: events.slice(position),
    token: { _data: String(events.length) },
  });
  const run = (command: Document): Document => {
    const [name] = Object.keys(command);
    if (name === 'hello' || name === 'ismaster')
      return {
        helloOk: true,
        isWritablePrimary: true,
        setName: 'rs0',
        hosts: ['127.0.0.1'],
        maxWireVersion: 21,
        minWireVersion: 0,
        maxBsonObjectSize: 16_777_216,
        maxMessageSizeBytes: 48_000_000,
        maxWriteBatchSize: 100_000,
        logicalSessionTimeoutMinutes: 30,
        ok: 1,
      };
    if (name === 'listDatabases') return { databases: [{ name: 'admin' }, { name: 'shop' }], ok: 1 };
    if (name === 'listCollections')
      return { cursor: cursor(BSON.Long.ZERO, [{ name: 'orders', type: 'collection' }]), ok: 1 };
    if (name === 'find') {
      const from = command.filter?._id?.$gt;
      const found = documents.filter(({ _id }) => from === undefined || Number(_id) > Number(from));
      return { cursor: cursor(BSON.Long.ZERO, found), ok: 1 };
    }
    if (name === 'aggregate') {
      const { resumeAfter } = command.pipeline[0].$changeStream;
      streams.push(resumeAfter?._data ?? 'now');
      sent = resumeAfter ? Number(resumeAfter._data) : events.length;
      const { batch, token } = after(sent);
      sent = events.length;
      return { cursor: { ...cursor(streamCursor, batch), postBatchResumeToken: token }, ok: 1 };
    }
    if (name === 'getMore') {
      const { batch, token } = after(sent);
      sent = events.length;
      return {
        cursor: { id: streamCursor, ns: 'shop.orders', nextBatch: batch, postBatchResumeToken: token },
        ok: 1,
      };
    }
    return { ok: 1 };
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
        const message = pending.subarray(0, pending.readInt32LE(0));
        pending = pending.subarray(message.length);
        socket.write(reply(message, run));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    connectionString: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    streams,
    change: (operationType: string, document: Document) =>
      void events.push({
        _id: { _data: String(events.length + 1) },
        operationType,
        ns: { db: 'shop', coll: 'orders' },
        documentKey: { _id: document._id },
        clusterTime: new BSON.Timestamp({ t: 1_700_000_000, i: 1 }),
        ...(operationType !== 'delete' && { fullDocument: document }),
      }),
  };
}

const cursor = (id: BSON.Long, firstBatch: readonly Document[]) => ({ id, ns: 'shop.orders', firstBatch });

/** Reads a request (OP_MSG, or OP_QUERY for the first hello) and writes the response. */
function reply(message: Buffer, run: (command: Document) => Document): Buffer {
  const requestId = message.readInt32LE(4);
  const isMessage = message.readInt32LE(12) === opMessage;
  const start = isMessage ? 21 : message.indexOf(0, 20) + 1 + 8;
  const body = BSON.serialize(
    run(BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)))),
  );
  const head = Buffer.alloc(isMessage ? 21 : 36);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(isMessage ? opMessage : 1, 12);
  if (!isMessage) {
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  }
  return Buffer.concat([head, body]);
}

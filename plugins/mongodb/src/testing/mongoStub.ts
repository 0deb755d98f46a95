import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { onTestFinished } from 'vitest';

const opMessage = 2013;

export interface MongoStub {
  readonly uri: string;
  readonly commands: Document[];
  readonly documents: Document[];
  /** What clients sent to log in. */
  readonly logins: string[];
  /** Whether a cursor repeats the documents without end. */
  isEndless: boolean;
}

/** Responds to commands that the server does not know; undefined leaves a command to the server. */
type Respond = (command: Document, documents: readonly Document[]) => Document | undefined;

/** A fake server with the MongoDB wire protocol (OP_MSG) and documents; supports only what the tests use. */
export async function aMongoStub(respond: Respond = () => undefined): Promise<MongoStub> {
  const commands: Document[] = [];
  const documents: Document[] = [];
  const logins: string[] = [];
  const stub = { uri: '', commands, documents, logins, isEndless: false };
  const matches = (filter: Document) =>
    documents.filter((each) => Object.entries(filter).every(([k, v]) => each[k] === v));
  const run = (command: Document): Document => {
    const [name] = Object.keys(command);
    if (name === 'hello' || name === 'ismaster')
      return {
        ismaster: true,
        helloOk: true,
        isWritablePrimary: true,
        maxWireVersion: 21,
        minWireVersion: 0,
        maxBsonObjectSize: 16_777_216,
        maxMessageSizeBytes: 48_000_000,
        maxWriteBatchSize: 100_000,
        logicalSessionTimeoutMinutes: 30,
        ok: 1,
      };
    if (name === 'endSessions' || name === 'ping') return { ok: 1 };
    if (name === 'saslStart') {
      logins.push(command.payload.toString());
      return { conversationId: 1, done: true, payload: Buffer.alloc(0), ok: 1 };
    }
    commands.push(command);
    const special = respond(command, documents);
    if (special) return special;
    const id = BSON.Long.fromNumber(stub.isEndless ? 7 : 0);
    const cursor = (firstBatch: Document[]) => ({ cursor: { id, ns: 'shop.orders', firstBatch }, ok: 1 });
    if (name === 'getMore') return { cursor: { id, ns: 'shop.orders', nextBatch: documents }, ok: 1 };
    if (name === 'killCursors') return { ok: 1 };
    if (name === 'find') {
      if (command.filter?.$bad) return { ok: 0, code: 2, errmsg: 'unknown top level operator: $bad' };
      return cursor(matches(command.filter ?? {}).slice(0, command.limit || undefined));
    }
    if (name === 'aggregate') return cursor([{ _id: 'Ada', count: documents.length }]);
    if (name === 'insert') {
      documents.push(...command.documents);
      return { n: command.documents.length, ok: 1 };
    }
    if (name === 'update') {
      const found = command.updates.flatMap((each: Document) =>
        matches(each.q)
          .slice(0, each.multi ? undefined : 1)
          .map((document) => Object.assign(document, each.u.$set ?? each.u)),
      );
      return { n: found.length, nModified: found.length, ok: 1 };
    }
    if (name === 'delete') {
      const found = command.deletes.flatMap((each: Document) =>
        matches(each.q).slice(0, each.limit || undefined),
      );
      for (const document of found) documents.splice(documents.indexOf(document), 1);
      return { n: found.length, ok: 1 };
    }
    return { ok: 0, code: 59, errmsg: `no such command: ${name}` };
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
        socket.write(answer(message, run));
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
  return Object.assign(stub, { uri: `mongodb://127.0.0.1:${port}/?directConnection=true` });
}

/** Reads a request (OP_MSG, or OP_QUERY for the first hello) and writes the response. */
function answer(message: Buffer, run: (command: Document) => Document): Buffer {
  const requestId = message.readInt32LE(4);
  if (message.readInt32LE(12) !== opMessage) {
    const start = message.indexOf(0, 20) + 1 + 8;
    const body = BSON.serialize(run(BSON.deserialize(message.subarray(start))));
    const head = Buffer.alloc(36);
    head.writeInt32LE(36 + body.length, 0);
    head.writeInt32LE(requestId, 8);
    head.writeInt32LE(1, 12);
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
    return Buffer.concat([head, body]);
  }
  let command: Document = {};
  for (let at = 20; at < message.length; ) {
    const kind = message.readUInt8(at);
    const size = message.readInt32LE(at + 1);
    if (kind === 0) command = { ...BSON.deserialize(message.subarray(at + 1, at + 1 + size)), ...command };
    else {
      const nameEnd = message.indexOf(0, at + 5);
      const list: Document[] = [];
      for (let from = nameEnd + 1; from < at + 1 + size; from += message.readInt32LE(from))
        list.push(BSON.deserialize(message.subarray(from, from + message.readInt32LE(from))));
      command[message.subarray(at + 5, nameEnd).toString()] = list;
    }
    at += 1 + size;
  }
  const body = BSON.serialize(run(command));
  const head = Buffer.alloc(21);
  head.writeInt32LE(21 + body.length, 0);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(opMessage, 12);
  return Buffer.concat([head, body]);
}

import {
  anything,
  choice,
  importModule,
  messageOf,
  type TaskContext,
  TaskFailed,
  text,
  withAbortableSockets,
} from '@millrace/plugin-kit';
import type * as Mongo from 'mongodb';
import { z } from 'zod';
import { type Change, type ChangeSource, createFilter, type Values } from './change.ts';
import { captureTypes, type SharedInput } from './database.ts';
import { toPlain } from './mongoValues.ts';

const snapshotModes = ['INITIAL', 'INITIAL_ONLY', 'NO_DATA', 'WHEN_NEEDED'] as const;

const properties = () => ({
  connectionString: text().describe(
    'The address, such as `mongodb://user:password@host:27017/?replicaSet=rs0` or `mongodb+srv://…`.',
  ),
  includedCollections: anything()
    .optional()
    .describe('Only these collections (`database.collection`), as regular expressions.'),
  excludedCollections: anything()
    .optional()
    .describe('All collections but these (`database.collection`), as regular expressions.'),
  snapshotMode: choice(snapshotModes)
    .default('INITIAL')
    .describe(
      'Whether the documents that are there are read first: when there is no position yet (`INITIAL`, `WHEN_NEEDED`), only they (`INITIAL_ONLY`), or not (`NO_DATA`).',
    ),
});

type MongoInput = z.infer<z.ZodObject<ReturnType<typeof properties>>> &
  SharedInput & { readonly username?: string | undefined; readonly password?: string | undefined };

/** The place in the stream of changes, and while the snapshot is read the last document of it. */
const Position = z.object({
  token: z.record(z.string(), z.unknown()),
  snapshot: z.object({ collection: z.string(), after: z.unknown() }).optional(),
});
type Position = z.infer<typeof Position>;

const connectTimeoutMs = 10_000;
const system: readonly string[] = ['admin', 'local', 'config'];

type Wants = (database: string, collection: string) => boolean;

class MongoSource implements ChangeSource {
  readonly resumesSnapshot = true;
  readonly #client: Mongo.MongoClient;
  readonly #mongo: typeof Mongo;
  readonly #input: MongoInput;
  #stream: Mongo.ChangeStream | undefined;
  #snapshot: AsyncGenerator<Change> | undefined;
  #position: Position;

  constructor(
    mongo: typeof Mongo,
    client: Mongo.MongoClient,
    input: MongoInput,
    { position, takesSnapshot }: { readonly position: Position; readonly takesSnapshot: boolean },
  ) {
    this.#mongo = mongo;
    this.#client = client;
    this.#input = input;
    this.#position = position;
    if (takesSnapshot) this.#snapshot = this.#readDocuments(position.snapshot);
  }

  isInSnapshot(): boolean {
    return this.#snapshot !== undefined;
  }

  position(): unknown {
    return this.#position;
  }

  /** The flow stores the position, so the server has nothing to acknowledge. */
  async confirm(): Promise<void> {}

  async next(waitMs: number): Promise<Change | undefined> {
    const read = await this.#snapshot?.next();
    if (read && !read.done) return read.value;
    if (this.#snapshot) this.#position = { token: this.#position.token };
    this.#snapshot = undefined;
    if (this.#input.snapshotMode === 'INITIAL_ONLY') return undefined;
    this.#stream ??= openStream(this.#client, this.#position.token);
    for (const deadline = Date.now() + waitMs; ; ) {
      const event = await this.#stream.tryNext();
      this.#position = { token: tokenOf(this.#stream) ?? this.#position.token };
      const change = event && toChange(event);
      if (change && wantsOf(this.#input)(change.database, change.table))
        return { ...change, ...columnsOf(this.#input, change) };
      if (!event && Date.now() >= deadline) return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#stream?.close().catch(() => {});
    await this.#client.close(true);
  }

  /** Documents in the order of their ids, so that an interrupted snapshot continues where it stopped. */
  async *#readDocuments(from: Position['snapshot']): AsyncGenerator<Change> {
    const { EJSON } = this.#mongo.BSON;
    for (const { database, collection } of await collectionsOf(this.#client, wantsOf(this.#input))) {
      const name = `${database}.${collection}`;
      if (from && name < from.collection) continue;
      const after = from && name === from.collection ? EJSON.deserialize(Object(from.after)) : undefined;
      const filter = after ? { _id: { $gt: after.id } } : {};
      const cursor = this.#client.db(database).collection(collection).find(filter).sort({ _id: 1 });
      for await (const document of cursor) {
        const id = EJSON.serialize({ id: document._id });
        this.#position = { ...this.#position, snapshot: { collection: name, after: id } };
        const change: Change = {
          operation: 'r',
          database,
          table: collection,
          key: { _id: toPlain(document._id) },
          before: null,
          after: toPlain(document) as Values, // a document is a map
          timestamp: Date.now(),
          source: { connector: 'mongodb', snapshot: true },
          id: `snapshot/${name}/${JSON.stringify(id)}`,
        };
        yield { ...change, ...columnsOf(this.#input, change) };
      }
    }
  }
}

function wantsOf(input: MongoInput): Wants {
  const databases = createFilter(input.includedDatabases, input.excludedDatabases);
  const tables = createFilter(input.includedTables, input.excludedTables);
  const collections = createFilter(input.includedCollections, input.excludedCollections);
  return (database, collection) => {
    const names = [`${database}.${collection}`, collection];
    return !system.includes(database) && databases(database) && tables(...names) && collections(...names);
  };
}

function columnsOf(input: SharedInput, { database, table, before, after }: Change) {
  const wanted = createFilter(input.includedColumns, input.excludedColumns);
  const pick = (document: Values | null) =>
    document &&
    Object.fromEntries(
      Object.entries(document).filter(([name]) => wanted(`${database}.${table}.${name}`, `${table}.${name}`)),
    );
  return { before: pick(before), after: pick(after) };
}

async function collectionsOf(client: Mongo.MongoClient, wants: Wants) {
  const found: { database: string; collection: string }[] = [];
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  for (const { name: database } of databases) {
    const collections = await client.db(database).listCollections({ type: 'collection' }).toArray();
    for (const { name: collection } of collections)
      if (!collection.startsWith('system.') && wants(database, collection))
        found.push({ database, collection });
  }
  const order = (each: (typeof found)[number]) => `${each.database}.${each.collection}`;
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

const operations: Readonly<Record<string, Change['operation']>> = {
  insert: 'c',
  update: 'u',
  replace: 'u',
  delete: 'd',
};

function openStream(client: Mongo.MongoClient, token: Values | undefined): Mongo.ChangeStream {
  return client.watch([{ $match: { operationType: { $in: Object.keys(operations) } } }], {
    fullDocument: 'updateLookup',
    maxAwaitTimeMS: 500,
    ...(token && { resumeAfter: token }),
  });
}

/** The token after the last event that was taken; the driver moves it on also when nothing happens. */
const tokenOf = (stream: Mongo.ChangeStream): Values | undefined =>
  z.record(z.string(), z.unknown()).safeParse(stream.resumeToken).data;

function toChange(event: Mongo.ChangeStreamDocument): Change | undefined {
  const operation = operations[event.operationType];
  if (!operation || !('documentKey' in event) || !('ns' in event) || !('coll' in event.ns)) return undefined;
  const { documentKey, ns, clusterTime } = event;
  const key = { _id: toPlain(documentKey._id) };
  const full = 'fullDocument' in event ? event.fullDocument : undefined;
  const before = 'fullDocumentBeforeChange' in event ? event.fullDocumentBeforeChange : undefined;
  const token = JSON.stringify(event._id);
  return {
    operation,
    database: ns.db,
    table: String(ns.coll),
    key,
    // `as`: documents are maps. A deleted document has only its key, unless the collection keeps pre-images.
    before: operation === 'd' ? ((before ? toPlain(before) : key) as Values) : null,
    after: operation === 'd' ? null : ((full ? toPlain(full) : key) as Values),
    timestamp: clusterTime ? clusterTime.getHighBits() * 1_000 : Date.now(),
    source: { connector: 'mongodb', snapshot: false, resumeToken: token },
    id: token,
  };
}

async function open(context: TaskContext, input: MongoInput, stored: unknown): Promise<ChangeSource> {
  const mongo = await importModule<typeof Mongo>('mongodb');
  const client = createClient(context, mongo, input);
  const stop = () => void client.close(true).catch(() => {});
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    for (const { host, port } of client.options.hosts)
      await context.mayReach(`http://${String(host).includes(':') ? `[${host}]` : host}:${port}`);
    await withAbortableSockets(context, () => client.connect());
    const known = Position.safeParse(stored).data;
    const isNew = !known || known.snapshot !== undefined;
    const takesSnapshot = isNew && input.snapshotMode !== 'NO_DATA';
    const position = known ?? { token: await currentToken(client) };
    return new MongoSource(mongo, client, input, { position, takesSnapshot });
  } catch (error) {
    await client.close(true).catch(() => {});
    throw explain(error);
  }
}

/** Read before the snapshot: changes of that moment may be captured twice, but none is missed. */
async function currentToken(client: Mongo.MongoClient): Promise<Record<string, unknown>> {
  const stream = openStream(client, undefined);
  try {
    await stream.tryNext();
    const token = tokenOf(stream);
    if (token) return { ...token };
    throw new TaskFailed(
      'The server returned no position of its changes: MongoDB 4.0.7 or newer is needed.',
      {
        retry: false,
      },
    );
  } finally {
    await stream.close();
  }
}

function createClient(context: TaskContext, mongo: typeof Mongo, input: MongoInput): Mongo.MongoClient {
  const { connectionString, username, password } = input;
  const inUrl = /^mongodb(?:\+srv)?:\/\/[^:@/]*:([^@/]*)@/.exec(connectionString)?.[1];
  if (inUrl) context.masker.add(decodeURIComponent(inUrl));
  if (password !== undefined) context.masker.add(password);
  try {
    return new mongo.MongoClient(connectionString, {
      serverSelectionTimeoutMS: connectTimeoutMs,
      connectTimeoutMS: connectTimeoutMs,
      lookup: context.lookup,
      maxPoolSize: 2,
      promoteLongs: true,
      ...(username !== undefined && !inUrl && { auth: { username, password: password ?? '' } }),
    });
  } catch (error) {
    throw new TaskFailed(`"connectionString" cannot be used: ${messageOf(error)}`, { retry: false });
  }
}

function explain(error: unknown): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const hint = /only supported on replica sets|\$changeStream/i.test(message)
    ? ' Change streams need a replica set or a sharded cluster.'
    : '';
  const isFinal = hint !== '' || /Authentication failed|not authorized/i.test(message);
  return new TaskFailed(`MongoDB: ${message}${hint}`, { retry: !isFinal, cause: error });
}

export const mongodbTypes = captureTypes({
  name: 'mongodb',
  title: 'MongoDB',
  note: 'The server must be a replica set or a sharded cluster, because changes are read from its change streams. An updated document is the one at the time of reading; a deleted one has only its `_id`, unless the collection keeps pre-images.',
  properties,
  hasAddressProperties: false,
  example: ['connectionString: mongodb://mongo.example.com:27017/?replicaSet=rs0'],
  // `as`: the input has the connection's properties too, which the type of this part cannot express.
  open: (context, input, position) => open(context, input as MongoInput, position),
});

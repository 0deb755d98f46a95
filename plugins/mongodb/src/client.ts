import {
  importModule,
  messageOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
  unlessKilled,
  withAbortableSockets,
} from '@millrace/plugin-kit';
import type * as Mongo from 'mongodb';

export const connectionProperties = {
  connection: part({
    uri: text().describe('The address, such as `mongodb://user:password@host:27017/?authSource=admin`.'),
  }).describe('How to reach the server.'),
  database: text().describe('The database.'),
  collection: text().describe('The collection.'),
};

export interface Place {
  readonly connection: { readonly uri: string };
  readonly database: string;
  readonly collection: string;
}

export const loadMongo = (): Promise<typeof Mongo> => importModule<typeof Mongo>('mongodb');

const connectTimeoutMs = 10_000;

/** Connects, runs the work on the collection, and always closes the connection. */
export async function withCollection<T>(
  context: TaskContext,
  { connection, database, collection }: Place,
  work: (collection: Mongo.Collection, mongo: typeof Mongo) => Promise<T>,
): Promise<T> {
  const mongo = await loadMongo();
  const client = openClient(context, mongo, connection.uri);
  const running = withAbortableSockets(context, async () => {
    for (const { host, port } of client.options.hosts)
      await context.mayReach(`http://${String(host).includes(':') ? `[${host}]` : host}:${port}`);
    context.signal.throwIfAborted();
    await client.connect();
    return work(client.db(database).collection(collection), mongo);
  });
  const stop = () => void client.close(true).catch(() => {});
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await unlessKilled(context, running);
    context.signal.throwIfAborted();
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(error);
  } finally {
    context.signal.removeEventListener('abort', stop);
    const closing = client.close(true).catch(() => {});
    // Closing asks the server to end sessions, and a killed task does not wait for it.
    if (!context.signal.aborted) await closing;
  }
}

function openClient(context: TaskContext, mongo: typeof Mongo, uri: string): Mongo.MongoClient {
  const password = /^mongodb(?:\+srv)?:\/\/[^:@/]*:([^@/]*)@/.exec(uri)?.[1];
  if (password) context.masker.add(decodeURIComponent(password));
  try {
    return new mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: connectTimeoutMs,
      connectTimeoutMS: connectTimeoutMs,
      lookup: context.lookup,
      maxPoolSize: 1,
      promoteLongs: true,
    });
  } catch (error) {
    throw new TaskFailed(`"connection.uri" cannot be used: ${messageOf(error)}`, { retry: false });
  }
}

function explain(error: unknown): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isDenied = /Authentication failed|not authorized|requires authentication/i.test(message);
  return new TaskFailed(`MongoDB: ${message}`, { retry: !isDenied, cause: error });
}

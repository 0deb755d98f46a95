import {
  anything,
  type Definition,
  defineTask,
  type Example,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  flag,
  integer,
  listOf,
  mapOf,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Mongo from 'mongodb';
import { z } from 'zod';
import { type Place, withCollection } from './client.ts';
import { readDocument, toPlain } from './documents.ts';

const connectionProperties = {
  host: text().describe(
    'The host with its port, such as `db.example.com:27017`, or an address that begins with `mongodb://` and has the options of the connection.',
  ),
  database: text().describe('The database.'),
  collection: text().describe('The collection.'),
  username: text().describe('The user.'),
  password: text().describe('The password of the user.'),
};

interface Login {
  readonly host: string;
  readonly database: string;
  readonly collection: string;
  readonly username: string;
  readonly password: string;
}

/** DocumentDB uses the MongoDB protocol; TLS is on unless the address disables it. */
export function toPlace({ host, database, collection, username, password }: Login): Place {
  const [, scheme, rest = ''] = /^(mongodb(?:\+srv)?:\/\/|https?:\/\/)?(.*)$/.exec(host) ?? [];
  const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  const address = rest.replace(/^[^@/]*@/, '').replace(/\/+$/, '');
  const isMongo = scheme?.startsWith('mongodb') ?? false;
  const options = isMongo ? '' : `/?tls=${scheme === 'http://' ? 'false' : 'true'}&retryWrites=false`;
  return {
    connection: { uri: `${isMongo ? scheme : 'mongodb://'}${login}${address}${options}` },
    database,
    collection,
  };
}

const example = (type: string, title: string, properties: string): readonly Example[] => [
  {
    title,
    runs: false,
    code: `id: documentdb_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: run
    type: documentdb.${type}
    host: db.example.com:27017
    database: shop
    collection: orders
    username: ada
    password: "{{ secret('DOCUMENTDB_PASSWORD') }}"
${properties}
`,
  },
];

const filter = anything()
  .optional()
  .describe('Which documents, as a map or as extended JSON; all when absent.');

const insert = defineTask({
  type: 'documentdb.Insert',
  title: 'Insert documents into DocumentDB',
  description: 'Stores one document, or several.',
  input: () =>
    z.object({
      ...connectionProperties,
      document: mapOf(anything()).optional().describe('One document.'),
      documents: listOf(mapOf(anything())).optional().describe('Several documents.'),
    }),
  output: () =>
    z.object({
      insertedId: z.string().optional().describe('The id of the document.'),
      insertedIds: z.array(z.string()).optional().describe('The ids of several documents.'),
      insertedCount: z.number().describe('How many documents were stored.'),
    }),
  sideEffects: true,
  examples: example('Insert', 'Store an order.', '    document:\n      customer: Ada\n      total: 12.5'),
  run: (context, { document, documents, ...login }) => {
    if (!document && !documents?.length)
      throw new TaskFailed('"document" or "documents" must be given.', { retry: false });
    context.masker.add(login.password);
    return withCollection(context, toPlace(login), async (collection, mongo) => {
      if (document) {
        const { insertedId } = await collection.insertOne(readDocument(mongo, document, 'document'));
        return { insertedId: String(insertedId), insertedCount: 1 };
      }
      const all = (documents ?? []).map((one) => readDocument(mongo, one, 'documents'));
      const { insertedIds, insertedCount } = await collection.insertMany(all);
      return { insertedIds: Object.values(insertedIds).map(String), insertedCount };
    });
  },
});

const read = defineTask({
  type: 'documentdb.Read',
  title: 'Read documents of DocumentDB',
  description: 'Finds documents by a filter, or runs an aggregation pipeline.',
  input: () =>
    z.object({
      ...connectionProperties,
      filter,
      aggregationPipeline: listOf(mapOf(anything())).optional().describe('The stages, instead of a filter.'),
      limit: integer({ min: 0 }).optional().describe('The most documents.'),
      skip: integer({ min: 0 }).optional().describe('How many documents are skipped.'),
      fetchType: fetchTypeProperty('FETCH'),
    }),
  output: () => z.object(fetchedOutput),
  sideEffects: true,
  examples: example(
    'Read',
    'Read the orders of a customer.',
    '    filter:\n      customer: Ada\n    limit: 10',
  ),
  run: (context, { filter: where, aggregationPipeline, limit, skip, fetchType, ...login }) => {
    context.masker.add(login.password);
    return withCollection(context, toPlace(login), async (collection, mongo) => {
      const cursor = aggregationPipeline
        ? collection.aggregate([
            ...aggregationPipeline.map((stage) => readDocument(mongo, stage, 'aggregationPipeline')),
            ...(skip ? [{ $skip: skip }] : []),
            ...(limit ? [{ $limit: limit }] : []),
          ])
        : collection.find(readDocument(mongo, where, 'filter'), {
            ...(limit && { limit }),
            ...(skip && { skip }),
          });
      return fetchRows(context, fetchType, plainRows(cursor));
    });
  },
});

async function* plainRows(cursor: AsyncIterable<Mongo.Document>): AsyncGenerator<Record<string, unknown>> {
  // `as`: the plain form of a document is a map.
  for await (const document of cursor) yield toPlain(document) as Record<string, unknown>;
}

const update = defineTask({
  type: 'documentdb.Update',
  title: 'Update documents of DocumentDB',
  description: 'Changes one document, or all that match.',
  input: () =>
    z.object({
      ...connectionProperties,
      filter,
      update: mapOf(anything()).describe('The changes, such as `{ $set: { state: done } }`.'),
      updateMany: flag().default(false).describe('Change all documents that match.'),
    }),
  output: () =>
    z.object({
      matchedCount: z.number().describe('How many documents match.'),
      modifiedCount: z.number().describe('How many documents have changed.'),
      upsertedId: z.string().optional().describe('The id of a document that was created.'),
    }),
  sideEffects: true,
  examples: example(
    'Update',
    'Close an order.',
    '    filter:\n      id: 1\n    update:\n      $set:\n        state: done',
  ),
  run: (context, { filter: where, update: changes, updateMany, ...login }) => {
    context.masker.add(login.password);
    return withCollection(context, toPlace(login), async (collection, mongo) => {
      const query = readDocument(mongo, where, 'filter');
      const change = readDocument(mongo, changes, 'update');
      const result = updateMany
        ? await collection.updateMany(query, change)
        : await collection.updateOne(query, change);
      const { matchedCount, modifiedCount, upsertedId } = result;
      return { matchedCount, modifiedCount, ...(upsertedId && { upsertedId: String(upsertedId) }) };
    });
  },
});

const remove = defineTask({
  type: 'documentdb.Delete',
  title: 'Delete documents of DocumentDB',
  description: 'Deletes one document, or all that match.',
  input: () =>
    z.object({
      ...connectionProperties,
      filter,
      deleteMany: flag().default(false).describe('Delete all documents that match.'),
    }),
  output: () => z.object({ deletedCount: z.number().describe('How many documents were deleted.') }),
  sideEffects: true,
  examples: example('Delete', 'Delete an order.', '    filter:\n      id: 1'),
  run: (context, { filter: where, deleteMany, ...login }) => {
    context.masker.add(login.password);
    return withCollection(context, toPlace(login), async (collection, mongo) => {
      const query = readDocument(mongo, where, 'filter');
      const { deletedCount } = deleteMany
        ? await collection.deleteMany(query)
        : await collection.deleteOne(query);
      return { deletedCount };
    });
  },
});

export const documentdbTypes: readonly Definition[] = [insert, read, update, remove];

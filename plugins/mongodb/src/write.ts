import {
  anything,
  choice,
  type Definition,
  defineTask,
  flag,
  integer,
  readItems,
  readRows,
  someValue,
  storageUri,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import type * as Mongo from 'mongodb';
import { z } from 'zod';
import { connectionProperties, type Place, withCollection } from './client.ts';
import { readDocument } from './documents.ts';
import { fileInput, mongoExample } from './example.ts';

const insertOne = defineTask({
  type: 'mongodb.InsertOne',
  title: 'Insert a document into MongoDB',
  description: 'Stores one document.',
  input: () =>
    z.object({
      ...connectionProperties,
      document: someValue().describe('The document, as a map or as extended JSON.'),
    }),
  output: () =>
    z.object({
      insertedId: z.string().describe('The id of the document.'),
      wasAcknowledged: z.boolean().describe('Whether the server has confirmed it.'),
    }),
  metrics: [{ name: 'inserted.count', type: 'counter', description: 'How many documents were inserted.' }],
  sideEffects: true,
  examples: [mongoExample('InsertOne', 'Store an order.', ['document:', '  customer: Ada', '  total: 12.5'])],
  run: (context, { document, ...place }) =>
    withCollection(context, place, async (collection, mongo) => {
      const result = await collection.insertOne(readDocument(mongo, document, 'document'));
      context.metric({ name: 'inserted.count', type: 'counter', value: 1 });
      return { insertedId: String(result.insertedId), wasAcknowledged: result.acknowledged };
    }),
});

const update = defineTask({
  type: 'mongodb.Update',
  title: 'Update documents in MongoDB',
  description: 'Replaces a document, or changes one or all documents that match.',
  input: () =>
    z.object({
      ...connectionProperties,
      document: someValue().describe('The new document, or the changes such as `{ $set: { state: done } }`.'),
      filter: someValue().describe('Which documents, as a map or as extended JSON.'),
      operation: choice(['REPLACE_ONE', 'UPDATE_ONE', 'UPDATE_MANY'])
        .default('UPDATE_ONE')
        .describe('What to do.'),
    }),
  output: () =>
    z.object({
      upsertedId: z.string().optional().describe('The id of a document that was created.'),
      wasAcknowledged: z.boolean().describe('Whether the server has confirmed it.'),
      matchedCount: z.number().describe('How many documents match.'),
      modifiedCount: z.number().describe('How many documents have changed.'),
    }),
  metrics: [{ name: 'updated.count', type: 'counter', description: 'How many documents have changed.' }],
  sideEffects: true,
  examples: [
    mongoExample('Update', 'Close an order.', [
      'filter:',
      '  id: 1',
      'document:',
      '  $set:',
      '    state: done',
    ]),
  ],
  run: (context, { document, filter, operation, ...place }) =>
    withCollection(context, place, async (collection, mongo) => {
      const where = readDocument(mongo, filter, 'filter');
      const change = readDocument(mongo, document, 'document');
      const result =
        operation === 'REPLACE_ONE'
          ? await collection.replaceOne(where, change)
          : operation === 'UPDATE_ONE'
            ? await collection.updateOne(where, change)
            : await collection.updateMany(where, change);
      context.metric({ name: 'updated.count', type: 'counter', value: result.modifiedCount });
      return {
        wasAcknowledged: result.acknowledged,
        matchedCount: result.matchedCount,
        modifiedCount: result.modifiedCount,
        ...(result.upsertedId && { upsertedId: String(result.upsertedId) }),
      };
    }),
});

const remove = defineTask({
  type: 'mongodb.Delete',
  title: 'Delete documents from MongoDB',
  description: 'Deletes one or all documents that match.',
  input: () =>
    z.object({
      ...connectionProperties,
      filter: anything()
        .optional()
        .describe('Which documents, as a map or as extended JSON; all when absent.'),
      operation: choice(['DELETE_ONE', 'DELETE_MANY'])
        .default('DELETE_ONE')
        .describe('Delete one document or all that match.'),
    }),
  output: () =>
    z.object({
      wasAcknowledged: z.boolean().describe('Whether the server has confirmed it.'),
      deletedCount: z.number().describe('How many documents were deleted.'),
    }),
  metrics: [{ name: 'deleted.count', type: 'counter', description: 'How many documents were deleted.' }],
  sideEffects: true,
  examples: [
    mongoExample('Delete', 'Delete old orders.', ['filter:', '  state: done', 'operation: DELETE_MANY']),
  ],
  run: (context, { filter, operation, ...place }) =>
    withCollection(context, place, async (collection, mongo) => {
      const where = readDocument(mongo, filter, 'filter');
      const result =
        operation === 'DELETE_ONE' ? await collection.deleteOne(where) : await collection.deleteMany(where);
      context.metric({ name: 'deleted.count', type: 'counter', value: result.deletedCount });
      return { wasAcknowledged: result.acknowledged, deletedCount: result.deletedCount };
    }),
});

const writeProperties = {
  ...connectionProperties,
  from: storageUri().describe('The file in internal storage.'),
  chunk: integer({ min: 1 }).default(1000).describe('How many operations are sent at once.'),
};

const writeOutput = z.object({
  size: z.number().describe('How many operations were sent.'),
  insertedCount: z.number().describe('How many documents were inserted.'),
  matchedCount: z.number().describe('How many documents matched.'),
  modifiedCount: z.number().describe('How many documents have changed.'),
  deletedCount: z.number().describe('How many documents were deleted.'),
});

const writeMetrics = [
  { name: 'records', type: 'counter', description: 'How many operations were sent.' },
  { name: 'requests.count', type: 'counter', description: 'How many requests were sent.' },
] as const;

/** Sends operations in batches; the first failure ends the task. */
async function writeAll(
  context: TaskContext,
  { chunk, ...place }: Place & { readonly chunk: number },
  read: (mongo: typeof Mongo) => AsyncIterable<Mongo.AnyBulkWriteOperation>,
): Promise<z.infer<typeof writeOutput>> {
  return withCollection(context, place, async (collection, mongo) => {
    const total = { size: 0, insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0 };
    let batch: Mongo.AnyBulkWriteOperation[] = [];
    const flush = async () => {
      if (batch.length === 0) return;
      const result = await collection.bulkWrite(batch);
      context.metric({ name: 'requests.count', type: 'counter', value: 1 });
      total.size += batch.length;
      total.insertedCount += result.insertedCount;
      total.matchedCount += result.matchedCount;
      total.modifiedCount += result.modifiedCount;
      total.deletedCount += result.deletedCount;
      batch = [];
    };
    for await (const operation of read(mongo)) {
      batch.push(operation);
      if (batch.length >= chunk) await flush();
    }
    await flush();
    context.metric({ name: 'records', type: 'counter', value: total.size });
    return total;
  });
}

const load = defineTask({
  type: 'mongodb.Load',
  title: 'Load rows into MongoDB',
  description: 'Stores each row of a file as a document.',
  input: () =>
    z.object({
      ...writeProperties,
      idKey: text().optional().describe('The field of a row that becomes the id of the document.'),
      removeIdKey: flag().default(true).describe('Leave that field out of the document.'),
    }),
  output: writeOutput,
  metrics: writeMetrics,
  sideEffects: true,
  examples: [mongoExample('Load', 'Load a file.', ['from: "{{ inputs.file }}"', 'idKey: id'], fileInput)],
  run: (context, { from, idKey, removeIdKey, ...input }) =>
    writeAll(context, input, async function* () {
      for await (const { value } of readRows(context, from)) {
        const row = { ...(typeof value === 'object' && value !== null ? value : { value }) } as Record<
          string,
          unknown
        >;
        const id = idKey === undefined ? undefined : row[idKey];
        if (idKey !== undefined && removeIdKey) delete row[idKey];
        // `as`: ids of the flow's own need not be object ids.
        yield { insertOne: { document: (id === undefined ? row : { _id: id, ...row }) as Mongo.Document } };
      }
    }),
});

const bulk = defineTask({
  type: 'mongodb.Bulk',
  title: 'Send bulk operations to MongoDB',
  description:
    'Sends a file with an operation per line, as extended JSON: `{"insertOne": {"document": {…}}}`, `{"updateOne": {"filter": {…}, "update": {…}}}` and so on.',
  input: () => z.object(writeProperties),
  output: writeOutput,
  metrics: writeMetrics,
  sideEffects: true,
  examples: [mongoExample('Bulk', 'Send operations.', ['from: "{{ inputs.file }}"'], fileInput)],
  run: (context, { from, ...input }) =>
    writeAll(context, input, async function* (mongo) {
      for await (const line of readItems(await context.files.read(from), '\n')) {
        if (line.trim() === '') continue;
        const operation = readDocument(mongo, line, 'from');
        // Documents are also accepted without the name "document" around them.
        const inserted: unknown = operation.insertOne;
        const isBare = typeof inserted === 'object' && inserted !== null && !('document' in inserted);
        // `as`: the driver checks the operation.
        yield (isBare ? { insertOne: { document: inserted } } : operation) as Mongo.AnyBulkWriteOperation;
      }
    }),
});

export const writeTypes: readonly Definition[] = [insertOne, update, remove, load, bulk];

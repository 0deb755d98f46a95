import {
  anything,
  choice,
  type Definition,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  integer,
  listOf,
  part,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { type Cloud, count, counter, defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, isMap, type Json, mapAt } from '../google/json.ts';
import { fieldsOf, timeOf, toFieldPath, toFields, toValue } from './values.ts';

const firestoreUrl = 'https://firestore.googleapis.com/v1';

const properties = {
  collection: text().optional().describe('The collection, such as `customers` or `customers/ada/orders`.'),
  databaseId: text().default('(default)').describe('The database.'),
};
interface Place {
  readonly collection?: string | undefined;
  readonly databaseId: string;
}

async function documentsOf({ project }: Cloud, { databaseId }: Place): Promise<string> {
  return `projects/${await project()}/databases/${databaseId}/documents`;
}

const pathOf = (path: string): string =>
  path
    .split('/')
    .filter((each) => each !== '')
    .map(segment)
    .join('/');

function collectionOf({ collection }: Place): string {
  if (!collection) throw new TaskFailed('"collection" must be given.', { retry: false });
  return pathOf(collection);
}

const childProperty = () => text().describe('The id of the document.');
const updatedOutput = () =>
  z.object({ updatedTime: z.string().optional().describe('When the document changed.') });

const get = defineGcpTask({
  type: 'gcp.firestore.Get',
  title: 'Read a document of Firestore',
  description: 'Returns the fields of a document. A document that does not exist has no row.',
  properties: { ...properties, childPath: childProperty() },
  output: () => z.object({ row: z.record(z.string(), z.unknown()).optional().describe('The fields.') }),
  examples: [taskExample('gcp.firestore.Get', 'Read a customer.', 'collection: customers\nchildPath: ada')],
  async run(cloud, input) {
    const url = `${firestoreUrl}/${await documentsOf(cloud, input)}/${collectionOf(input)}/${pathOf(input.childPath)}`;
    const { status, body } = await cloud.google.json({ url, allow: [404] });
    return status === 404 ? {} : { row: fieldsOf(body) };
  },
});

const set = defineGcpTask({
  type: 'gcp.firestore.Set',
  title: 'Write a document to Firestore',
  description: 'Creates a document or replaces all its fields. Without `childPath` Firestore makes up an id.',
  properties: {
    ...properties,
    document: anything().optional().describe('The fields, as a map or as JSON.'),
    childPath: childProperty().optional(),
  },
  output: updatedOutput,
  examples: [
    taskExample(
      'gcp.firestore.Set',
      'Write a customer.',
      'collection: customers\nchildPath: ada\ndocument:\n  firstName: Ada\n  orders: 3',
    ),
  ],
  async run(cloud, input) {
    const base = `${firestoreUrl}/${await documentsOf(cloud, input)}/${collectionOf(input)}`;
    const body = { fields: toFields(readDocument(input.document)) };
    const answer = input.childPath
      ? (
          await cloud.google.json({
            url: `${base}/${pathOf(input.childPath)}`,
            method: 'PATCH',
            body,
            idempotent: true,
          })
        ).body
      : await cloud.google.post(base, body);
    return dropMissing({ updatedTime: timeOf(answer) });
  },
});

function readDocument(document: unknown): Json {
  if (isMap(document)) return document;
  try {
    const read: unknown = JSON.parse(String(document));
    if (isMap(read)) return read;
  } catch {
    // Not JSON: the error below reports it.
  }
  throw new TaskFailed('"document" must be a map, or the JSON text of one.', { retry: false });
}

const remove = defineGcpTask({
  type: 'gcp.firestore.Delete',
  title: 'Delete a document of Firestore',
  description:
    'Deletes a document. One that does not exist is no error. Documents of its collections are kept.',
  properties: { ...properties, childPath: childProperty() },
  output: updatedOutput,
  examples: [
    taskExample('gcp.firestore.Delete', 'Delete a customer.', 'collection: customers\nchildPath: ada'),
  ],
  async run(cloud, input) {
    const documents = await documentsOf(cloud, input);
    const name = `${documents}/${decodeURIComponent(collectionOf(input))}/${input.childPath}`;
    const url = `${firestoreUrl}/${documents}:commit`;
    const { body } = await cloud.google.json({ url, body: { writes: [{ delete: name }] }, idempotent: true });
    return dropMissing({ updatedTime: timeOf(body) });
  },
});

const operators = {
  EQUAL_TO: 'EQUAL',
  NOT_EQUAL_TO: 'NOT_EQUAL',
  LESS_THAN: 'LESS_THAN',
  LESS_THAN_OR_EQUAL_TO: 'LESS_THAN_OR_EQUAL',
  GREATER_THAN: 'GREATER_THAN',
  GREATER_THAN_OR_EQUAL_TO: 'GREATER_THAN_OR_EQUAL',
} as const;
const operatorNames = [
  'EQUAL_TO',
  'NOT_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
] as const;

const query = defineGcpTask({
  type: 'gcp.firestore.Query',
  title: 'Find documents in Firestore',
  description:
    'Returns the documents of a collection that match all filters. A value of a filter is compared as text, unless it is written as a number or flag.',
  properties: {
    ...properties,
    fetchType: fetchTypeProperty('STORE'),
    filters: listOf(
      part({
        field: text().describe('The field; fields of maps are joined by a dot.'),
        value: anything().describe('The value.'),
        operator: choice(operatorNames).default('EQUAL_TO').describe('How to compare.'),
      }),
    )
      .optional()
      .describe('The conditions on the documents.'),
    orderBy: text().optional().describe('The field that sorts the documents.'),
    orderDirection: choice(['ASCENDING', 'DESCENDING']).default('ASCENDING').describe('The direction.'),
    offset: integer({ min: 0 }).optional().describe('How many documents are skipped.'),
    limit: integer({ min: 1 }).optional().describe('The most documents that are returned.'),
  },
  output: () => z.object(fetchedOutput),
  metrics: [counter('records', 'How many documents were found.')],
  examples: [
    taskExample(
      'gcp.firestore.Query',
      'Find customers with a name.',
      'collection: customers\nfilters:\n  - field: lastName\n    value: Lovelace\norderBy: firstName\nfetchType: FETCH',
    ),
  ],
  async run(cloud, input, context) {
    const path = collectionOf(input).split('/').map(decodeURIComponent);
    const collectionId = path.pop() ?? '';
    const parent = [await documentsOf(cloud, input), ...path.map(segment)].join('/');
    const filters = (input.filters ?? []).map(({ field, value, operator }) => ({
      fieldFilter: {
        field: { fieldPath: toFieldPath(field) },
        op: operators[operator],
        value: toValue(value),
      },
    }));
    const structuredQuery = dropMissing({
      from: [{ collectionId }],
      where:
        filters.length === 0
          ? undefined
          : filters.length === 1
            ? filters[0]
            : { compositeFilter: { op: 'AND', filters } },
      orderBy:
        input.orderBy === undefined
          ? undefined
          : [{ field: { fieldPath: toFieldPath(input.orderBy) }, direction: input.orderDirection }],
      offset: input.offset,
      limit: input.fetchType === 'FETCH_ONE' ? 1 : input.limit,
    });
    const { body } = await cloud.google.json({
      url: `${firestoreUrl}/${parent}:runQuery`,
      body: { structuredQuery },
      idempotent: true,
    });
    const kept = await fetchRows(context, input.fetchType, rowsOf(body));
    count(context, { records: kept.size });
    return kept;
  },
});

/** A query responds with a list, one part for each document. */
async function* rowsOf(body: Json): AsyncGenerator<Record<string, unknown>> {
  const parts = Array.isArray(body.items) ? body.items.filter(isMap) : [body];
  for (const each of parts) if (isMap(each.document)) yield fieldsOf(mapAt(each, 'document'));
}

export const firestoreTypes: readonly Definition[] = [get, set, remove, query];

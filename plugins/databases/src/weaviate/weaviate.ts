import {
  type Definition,
  defineTask,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  listOf,
  mapOf,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, isMap, segment } from '../base/callService.ts';
import { batchesOf, readDocuments } from '../base/documents.ts';
import { taskExample } from '../base/example.ts';

const connection = {
  url: text().describe('The address of the server, such as `https://cluster.example.com`.'),
  apiKey: text().optional().describe('The API key.'),
  headers: mapOf(text())
    .optional()
    .describe('More headers, for example the key of a service that computes vectors.'),
};

interface Connection {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly allow?: readonly number[];
}

function call(context: TaskContext, { url, apiKey, headers = {} }: Connection, request: Request) {
  for (const secret of [apiKey, ...Object.values(headers)]) if (secret) context.masker.add(secret);
  return callJson(context, {
    ...request,
    url,
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
  });
}

const exampleLines = ['url: https://cluster.example.com', `apiKey: "{{ secret('WEAVIATE_KEY') }}"`];

const schemaCreate = defineTask({
  type: 'weaviate.SchemaCreate',
  title: 'Create a collection in Weaviate',
  description: 'Creates a class with its properties. The task fails if the class exists.',
  input: () =>
    z.object({
      ...connection,
      className: text().describe('The name of the class.'),
      fields: mapOf(listOf(text()))
        .optional()
        .describe('The properties by name, each with its data types, such as `[text]`.'),
    }),
  output: () => z.object({ success: z.boolean().describe('Whether the class was created.') }),
  sideEffects: true,
  examples: [
    taskExample('weaviate.SchemaCreate', 'Create a class.', [
      ...exampleLines,
      'className: Article',
      'fields:',
      '  title: [text]',
      '  year: [int]',
    ]),
  ],
  async run(context, { className, fields = {}, ...server }) {
    const properties = Object.entries(fields).map(([name, dataType]) => ({ name, dataType }));
    const body = { class: className, ...(properties.length > 0 && { properties }) };
    await call(context, server, { method: 'POST', path: 'v1/schema', body });
    return { success: true };
  },
});

const batchSize = 100;

const batchCreate = defineTask({
  type: 'weaviate.BatchCreate',
  title: 'Add objects to Weaviate',
  description:
    'Adds objects to a class. A map with `properties` is sent as it is, with its `id` and `vector`; any other map is the properties. The task fails if an object is refused.',
  input: () =>
    z.object({
      ...connection,
      className: text().optional().describe('The class; it can be left out when every object has a `class`.'),
      objects: someValue().describe(
        'The objects: the URI of a file in internal storage with one row a line, a list of maps, or its JSON text.',
      ),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    taskExample('weaviate.BatchCreate', 'Add two articles.', [
      ...exampleLines,
      'className: Article',
      'objects:',
      '  - title: First',
      '    year: 2025',
      '  - title: Second',
      '    year: 2026',
    ]),
  ],
  async run(context, { className, objects, ...server }) {
    for await (const batch of batchesOf(readDocuments(context, objects), batchSize)) {
      const { body } = await call(context, server, {
        method: 'POST',
        path: 'v1/batch/objects',
        body: { objects: batch.map((each) => toObject(each, className)) },
      });
      checkResults(body);
    }
    return {};
  },
});

function toObject(given: Record<string, unknown>, className: string | undefined): object {
  const object = isMap(given.properties) ? given : { properties: given };
  const named = { ...(className !== undefined && { class: className }), ...object };
  if (!('class' in named))
    throw new TaskFailed('"className" is required for objects without a "class".', { retry: false });
  return named;
}

/** A batch succeeds although single objects fail, so each result is checked. */
function checkResults(body: unknown): void {
  const reasons = (Array.isArray(body) ? body : []).filter(isMap).flatMap(({ result }) => {
    const errors = isMap(result) && isMap(result.errors) ? result.errors.error : undefined;
    return Array.isArray(errors) ? errors.filter(isMap).map(({ message }) => String(message)) : [];
  });
  if (reasons.length > 0)
    throw new TaskFailed(`${reasons.length} objects were refused: ${reasons.slice(0, 10).join('; ')}`, {
      retry: false,
    });
}

const query = defineTask({
  type: 'weaviate.Query',
  title: 'Query Weaviate',
  description: 'Runs a GraphQL query. The rows are the objects of all classes that the query names.',
  input: () =>
    z.object({
      ...connection,
      query: text().describe('The query.'),
      fetchType: fetchTypeProperty('STORE'),
    }),
  output: () => z.object(fetchedOutput),
  sideEffects: true,
  examples: [
    taskExample('weaviate.Query', 'Find articles.', [
      ...exampleLines,
      'fetchType: FETCH',
      'query: |',
      '  {',
      '    Get {',
      '      Article(limit: 10) { title year }',
      '    }',
      '  }',
    ]),
  ],
  async run(context, { query: written, fetchType, ...server }) {
    const { body } = await call(context, server, {
      method: 'POST',
      path: 'v1/graphql',
      body: { query: written },
    });
    const result = isMap(body) ? body : {};
    if (Array.isArray(result.errors) && result.errors.length > 0) {
      const reasons = result.errors.map((error) => (isMap(error) ? error.message : error));
      throw new TaskFailed(`Weaviate refused the query: ${reasons.join('; ')}`, { retry: false });
    }
    return fetchRows(context, fetchType, rowsOf(result.data));
  },
});

/** `{ Get: { Article: [...] } }` → the objects. */
function rowsOf(data: unknown): Record<string, unknown>[] {
  const functions = isMap(data) ? Object.values(data).filter(isMap) : [];
  return functions
    .flatMap((classes) => Object.values(classes))
    .flatMap((list) => (Array.isArray(list) ? list.filter(isMap) : []));
}

const remove = defineTask({
  type: 'weaviate.Delete',
  title: 'Delete objects from Weaviate',
  description:
    'Deletes the object with `objectId`, the objects whose properties equal all values of `filter`, or all objects of the class.',
  input: () =>
    z.object({
      ...connection,
      className: text().describe('The class.'),
      objectId: text().optional().describe('The id of one object.'),
      filter: mapOf(z.unknown()).optional().describe('Property values that must all be equal.'),
    }),
  output: () =>
    z.object({
      className: z.string().describe('The class.'),
      success: z
        .boolean()
        .describe('False when an object could not be deleted, or `objectId` does not exist.'),
      deletedCount: z.number().describe('How many objects were deleted.'),
      ids: z.array(z.string()).describe('The ids of the deleted objects, 10,000 at most.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('weaviate.Delete', 'Delete the articles of a year.', [
      ...exampleLines,
      'className: Article',
      'filter:',
      '  year: 2020',
    ]),
  ],
  async run(context, { className, objectId, filter = {}, ...server }) {
    if (objectId !== undefined) {
      const path = `v1/objects/${segment(className)}/${segment(objectId)}`;
      const { status } = await call(context, server, { method: 'DELETE', path, allow: [404] });
      const isDeleted = status !== 404;
      return {
        className,
        success: isDeleted,
        deletedCount: isDeleted ? 1 : 0,
        ids: isDeleted ? [objectId] : [],
      };
    }
    const match = { class: className, where: whereOf(filter) };
    const ids: string[] = [];
    let deletedCount = 0;
    // The server deletes at most as many objects as its setting allows, so it is called until none is left.
    for (;;) {
      const { body } = await call(context, server, {
        method: 'DELETE',
        path: 'v1/batch/objects',
        body: { match, output: 'verbose' },
      });
      const results = isMap(body) && isMap(body.results) ? body.results : {};
      const objects = Array.isArray(results.objects) ? results.objects.filter(isMap) : [];
      const deleted = objects.filter(({ status }) => status === 'SUCCESS').map(({ id }) => String(id));
      ids.push(...deleted.slice(0, maxIds - ids.length));
      deletedCount += Number(results.successful ?? 0);
      const isDone = Number(results.matches ?? 0) <= Number(results.limit ?? Number.POSITIVE_INFINITY);
      if (isDone || Number(results.successful ?? 0) === 0)
        return { className, success: Number(results.failed ?? 0) === 0, deletedCount, ids };
    }
  },
});

const maxIds = 10_000;

function whereOf(filter: Readonly<Record<string, unknown>>): object {
  const operands = Object.entries(filter).map(([name, value]) => ({
    path: [name],
    operator: 'Equal',
    ...typedValue(value),
  }));
  if (operands.length === 0) return { path: ['id'], operator: 'Like', valueText: '*' };
  return operands.length === 1 && operands[0] ? operands[0] : { operator: 'And', operands };
}

function typedValue(value: unknown): object {
  if (typeof value === 'boolean') return { valueBoolean: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { valueInt: value } : { valueNumber: value };
  return { valueText: String(value) };
}

export const weaviateTypes: readonly Definition[] = [schemaCreate, batchCreate, query, remove];

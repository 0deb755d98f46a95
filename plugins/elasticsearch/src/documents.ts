import {
  anything,
  choice,
  defineTask,
  flag,
  integer,
  mapOf,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { call, connectionProperty, type Engine, isMap, segment } from './client.ts';
import { searchExample } from './example.ts';
import { contentTypeProperty, mediaType } from './search.ts';

const base = {
  connection: connectionProperty(),
  routing: text().optional().describe('The shard to use.'),
};

const methods = [
  'CONNECT',
  'CUSTOM',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
] as const;

export const defineRequest = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Request`,
    title: `Send a request to ${engine.title}`,
    description: 'Sends any request and returns the response, as a map when it is JSON.',
    input: () =>
      z.object({
        ...base,
        method: choice(methods).default('GET').describe('The HTTP method.'),
        endpoint: text().describe('The path, such as `_cat/indices`.'),
        parameters: mapOf(text()).default({}).describe('The parameters of the query.'),
        body: anything().optional().describe('The body, as a map or as text.'),
      }),
    output: () =>
      z.object({
        status: z.number().describe('The status.'),
        response: z.unknown().describe('The response.'),
      }),
    sideEffects: true,
    examples: [searchExample(engine, 'Request', 'Read the health.', ['endpoint: _cluster/health'])],
    async run(context, { connection, routing, method, endpoint, parameters, body }) {
      const [path = '', query] = endpoint.split('?');
      const inPath = Object.fromEntries(new URLSearchParams(query));
      const { status, body: response } = await call(context, connection, {
        method,
        path,
        parameters: { routing, ...inPath, ...parameters },
        body,
      });
      return { status, response };
    },
  });

export const defineGet = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Get`,
    title: `Get a document from ${engine.title}`,
    description: 'Reads a document by its id.',
    input: () =>
      z.object({
        ...base,
        index: text().describe('The index.'),
        key: text().describe('The id of the document.'),
        docVersion: integer().optional().describe('Fail when the document has another version.'),
        errorOnMissing: flag().default(false).describe('Fail when the document does not exist.'),
      }),
    output: () => z.object({ row: z.unknown().describe('The document; null when it does not exist.') }),
    sideEffects: true,
    examples: [searchExample(engine, 'Get', 'Read an order.', ['index: orders', 'key: "1"'])],
    async run(context, { connection, routing, index, key, docVersion, errorOnMissing }) {
      const { status, body } = await call(context, connection, {
        method: 'GET',
        path: `${segment(index)}/_doc/${encodeURIComponent(key)}`,
        parameters: { routing, version: docVersion?.toString() },
        allow: [404],
      });
      if (status === 404 && errorOnMissing)
        throw new TaskFailed(`There is no document "${key}" in "${index}".`, { retry: false });
      return { row: (isMap(body) && body._source) || null };
    },
  });

const refresh = { IMMEDIATE: 'true', WAIT_UNTIL: 'wait_for', NONE: undefined } as const;
const results: Readonly<Record<string, string>> = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
  not_found: 'NotFound',
  noop: 'NoOp',
};

export const opTypeProperty = () =>
  choice(['INDEX', 'CREATE', 'UPDATE', 'DELETE']).describe(
    'What to do: replace, create only, change fields, or delete.',
  );

export const definePut = (engine: Engine): TaskDefinition =>
  defineTask({
    type: `${engine.name}.Put`,
    title: `Put a document into ${engine.title}`,
    description: 'Creates, replaces, changes or deletes a document.',
    input: () =>
      z.object({
        ...base,
        index: text().describe('The index.'),
        opType: opTypeProperty().default('INDEX'),
        key: text().optional().describe('The id; made by the server when absent.'),
        value: anything().optional().describe('The document, as a map or as text.'),
        refreshPolicy: choice(['IMMEDIATE', 'WAIT_UNTIL', 'NONE'])
          .default('NONE')
          .describe('When searches find the change.'),
        contentType: contentTypeProperty(),
      }),
    output: () =>
      z.object({
        id: z.string().describe('The id of the document.'),
        result: z.string().describe('What happened: Created, Updated, Deleted, NotFound or NoOp.'),
        version: z.number().describe('The version of the document.'),
      }),
    sideEffects: true,
    examples: [
      searchExample(engine, 'Put', 'Store an order.', [
        'index: orders',
        'key: "1"',
        'value:',
        '  customer: Ada',
      ]),
    ],
    async run(context, { connection, routing, index, opType, key, value, refreshPolicy, contentType }) {
      if (key === undefined && opType !== 'INDEX')
        throw new TaskFailed(`The operation ${opType} needs "key".`, { retry: false });
      const id = key === undefined ? '' : `/${encodeURIComponent(key)}`;
      const endpoint = { INDEX: '_doc', CREATE: '_create', UPDATE: '_update', DELETE: '_doc' }[opType];
      const document = typeof value === 'string' && contentType === 'JSON' ? readJson(value) : value;
      const { body } = await call(context, connection, {
        method: opType === 'DELETE' ? 'DELETE' : opType === 'UPDATE' || key === undefined ? 'POST' : 'PUT',
        path: `${segment(index)}/${endpoint}${id}`,
        parameters: { routing, refresh: refresh[refreshPolicy] },
        ...(opType !== 'DELETE' && { body: opType === 'UPDATE' ? { doc: document } : (document ?? {}) }),
        contentType: mediaType(contentType),
        allow: opType === 'DELETE' ? [404] : [],
      });
      const answer = isMap(body) ? body : {};
      const result = String(answer.result);
      return {
        id: String(answer._id ?? key),
        result: results[result] ?? result,
        version: Number(answer._version ?? 0),
      };
    },
  });

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TaskFailed(`"value" is not JSON: ${String(error)}`, { retry: false });
  }
}

import { randomUUID } from 'node:crypto';
import {
  batchesOf,
  choice,
  type Definition,
  defineTask,
  integer,
  listOf,
  readMessages,
  someValue,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { readGiven } from '../client/given.ts';
import { AzureError, readJson, readText } from '../client/http.ts';
import { Storage, storageProperties } from '../client/storage.ts';

const operations = [
  'CREATE',
  'UPDATE_MERGE',
  'UPDATE_REPLACE',
  'UPSERT_MERGE',
  'UPSERT_REPLACE',
  'DELETE',
] as const;
type Operation = (typeof operations)[number];

const tableProperties = { ...storageProperties, table: text().describe('The name of the table.') };
const partitionKey = text().describe('The partition key.');
const json = { accept: 'application/json;odata=minimalmetadata' };

const entityOutput = z.object({
  partitionKey: z.string().describe('The partition key.'),
  rowKey: z.string().describe('The row key.'),
  timestamp: z.string().optional().describe('When the entity was changed.'),
  etag: z.string().optional().describe('The entity tag.'),
  properties: z.record(z.string(), z.unknown()).describe('The properties.'),
});

const Stored = z.looseObject({
  PartitionKey: z.string().default(''),
  RowKey: z.string().default(''),
  Timestamp: z.string().optional(),
  'odata.etag': z.string().optional(),
});

function toEntity({ PartitionKey, RowKey, Timestamp, 'odata.etag': etag, ...rest }: z.infer<typeof Stored>) {
  const properties = Object.entries(rest).flatMap(([name, value]) => {
    if (name.startsWith('odata.') || name.endsWith('@odata.type')) return [];
    const isLong = rest[`${name}@odata.type`] === 'Edm.Int64' && Number.isSafeInteger(Number(value));
    return [[name, isLong ? Number(value) : value] as const];
  });
  return {
    partitionKey: PartitionKey,
    rowKey: RowKey,
    ...(Timestamp !== undefined && { timestamp: Timestamp }),
    ...(etag !== undefined && { etag }),
    properties: Object.fromEntries(properties),
  };
}

/** A quote inside a key is written twice. */
const quoted = (key: string): string => encodeURIComponent(key.replaceAll("'", "''"));
const entityPath = (table: string, partition: string, row: string): string =>
  `/${encodeURIComponent(table)}(PartitionKey='${quoted(partition)}',RowKey='${quoted(row)}')`;

const get = defineTask({
  type: 'azure.storage.table.Get',
  title: 'Get an entity of a table',
  description: 'Reads the entity with these keys. The output has no `row` when there is none.',
  input: () =>
    z.object({ ...tableProperties, partitionKey, rowKey: text().default('').describe('The row key.') }),
  output: () => z.object({ row: entityOutput.optional().describe('The entity.') }),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.table.Get', 'Read an entity.', [
      'table: orders',
      'partitionKey: DE',
      'rowKey: "1"',
    ]),
  ],
  async run(context, { table, partitionKey: partition, rowKey, ...connection }) {
    const storage = new Storage(context, connection, 'table');
    const response = await storage.send({
      action: `an entity of "${table}"`,
      method: 'GET',
      url: `${storage.base}${entityPath(table, partition, rowKey)}`,
      headers: json,
      accept: [404],
    });
    if (response.status === 404) {
      const reason = await readText(response);
      if (reason.includes('TableNotFound'))
        throw new TaskFailed(`There is no table "${table}".`, { retry: false });
      return {};
    }
    return { row: toEntity(await readJson(response, Stored)) };
  },
});

const remove = defineTask({
  type: 'azure.storage.table.Delete',
  title: 'Delete an entity of a table',
  description: 'Deletes the entity with these keys. One that does not exist fails the task.',
  input: () => z.object({ ...tableProperties, partitionKey, rowKey: text().describe('The row key.') }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.table.Delete', 'Delete an entity.', [
      'table: orders',
      'partitionKey: DE',
      'rowKey: "1"',
    ]),
  ],
  async run(context, { table, partitionKey: partition, rowKey, ...connection }) {
    const storage = new Storage(context, connection, 'table');
    const response = await storage.send({
      action: `the deletion of an entity of "${table}"`,
      method: 'DELETE',
      url: `${storage.base}${entityPath(table, partition, rowKey)}`,
      headers: { ...json, 'if-match': '*' },
    });
    await readText(response);
    return {};
  },
});

const list = defineTask({
  type: 'azure.storage.table.List',
  title: 'Read the entities of a table',
  description: 'Reads all entities that match, page by page, and stores them in a file.',
  input: () =>
    z.object({
      ...tableProperties,
      filter: text().optional().describe("Which entities, such as `PartitionKey eq 'DE'`."),
      select: listOf(text()).optional().describe('Only these properties.'),
      top: integer({ min: 1, max: 1000 }).optional().describe('How many entities a single request brings.'),
      maxFiles: integer({ min: 1 }).optional().describe('How many entities at most; all when absent.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many entities were read.'),
      uri: z.string().describe('A file with an entity per row.'),
    }),
  metrics: [{ name: 'records.count', type: 'counter', description: 'How many entities were read.' }],
  sideEffects: true,
  examples: [taskExample('azure.storage.table.List', 'Export a table.', ['table: orders'])],
  async run(context, { table, filter, select, top, maxFiles = Number.POSITIVE_INFINITY, ...connection }) {
    const storage = new Storage(context, connection, 'table');
    let count = 0;
    const rows = async function* () {
      for (let next: Record<string, string | undefined> = {}; ; ) {
        const query = {
          $filter: filter,
          $select: select?.join(','),
          $top: top === undefined ? undefined : String(top),
          ...next,
        };
        const url = storage.url(`/${encodeURIComponent(table)}()`, query);
        const response = await storage.send({
          action: `the list of "${table}"`,
          method: 'GET',
          url,
          headers: json,
        });
        const { value } = await readJson(response, z.object({ value: z.array(Stored) }));
        for (const stored of value) {
          if (count >= maxFiles) return;
          count++;
          yield toRow(toEntity(stored));
        }
        const partition = response.headers['x-ms-continuation-nextpartitionkey']?.[0];
        if (partition === undefined) return;
        next = {
          NextPartitionKey: partition,
          NextRowKey: response.headers['x-ms-continuation-nextrowkey']?.[0],
        };
      }
    };
    const uri = await context.files.put('entities.ion', rows());
    context.metric({ name: 'records.count', type: 'counter', value: count });
    return { count, uri };
  },
});

const Given = z.looseObject({
  partitionKey: z.coerce.string(),
  rowKey: z.coerce.string(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  type: z.enum(operations).nullish(),
});

const methods: Readonly<Record<Operation, string>> = {
  CREATE: 'POST',
  UPDATE_MERGE: 'MERGE',
  UPDATE_REPLACE: 'PUT',
  UPSERT_MERGE: 'MERGE',
  UPSERT_REPLACE: 'PUT',
  DELETE: 'DELETE',
};

const bulk = defineTask({
  type: 'azure.storage.table.Bulk',
  title: 'Change many entities of a table',
  description: `Creates, changes or deletes entities: maps with \`partitionKey\`, \`rowKey\`, \`properties\` and \`type\`. Without \`properties\`,
all other columns of a row are its properties. Entities of one partition that follow one another are
sent together, 100 at most, and succeed or fail together.`,
  input: () =>
    z.object({
      ...tableProperties,
      from: someValue().describe('One entity, a list of them, or a file with one a row.'),
      defaultType: choice(operations)
        .default('UPSERT_REPLACE')
        .describe('What is done with entities without a `type`.'),
    }),
  output: () => z.object({ count: z.number().describe('How many entities were sent.') }),
  metrics: [{ name: 'records.count', type: 'counter', description: 'How many entities were sent.' }],
  sideEffects: true,
  examples: [
    taskExample('azure.storage.table.Bulk', 'Store two entities.', [
      'table: orders',
      'from:',
      '  - partitionKey: DE',
      '    rowKey: "1"',
      '    properties:',
      '      amount: 12',
      '  - partitionKey: DE',
      '    rowKey: "2"',
      '    type: DELETE',
    ]),
  ],
  async run(context, { table, from, defaultType, ...connection }) {
    const storage = new Storage(context, connection, 'table');
    let count = 0;
    let partition: string | undefined;
    let pending: z.infer<typeof Given>[] = [];
    const flush = async () => {
      const limits = {
        count: 100,
        bytes: 3 * 1_048_576,
        sizeOf: (each: object) => JSON.stringify(each).length,
      };
      for await (const batch of batchesOf(pending, limits))
        await sendBatch(storage, table, batch, defaultType);
      count += pending.length;
      pending = [];
    };
    for await (const message of readMessages(context, from)) {
      const entity = readGiven(Given, message);
      if (entity.partitionKey !== partition || pending.length >= 100) await flush();
      partition = entity.partitionKey;
      pending.push(entity);
    }
    await flush();
    context.metric({ name: 'records.count', type: 'counter', value: count });
    return { count };
  },
});

/** A change set of OData: requests inside a request, which succeed or fail together. */
async function sendBatch(
  storage: Storage,
  table: string,
  entities: readonly z.infer<typeof Given>[],
  defaultType: Operation,
): Promise<void> {
  const [batch, changes] = [`batch_${randomUUID()}`, `changeset_${randomUUID()}`];
  const parts = entities.map(({ partitionKey: partition, rowKey, type, ...rest }) => {
    const { properties, timestamp: _, etag: __, ...columns } = rest;
    const operation = type ?? defaultType;
    const isCreation = operation === 'CREATE';
    const url = isCreation
      ? `${storage.base}/${encodeURIComponent(table)}`
      : `${storage.base}${entityPath(table, partition, rowKey)}`;
    const isGuarded = operation === 'DELETE' || operation.startsWith('UPDATE');
    const body =
      operation === 'DELETE'
        ? ''
        : JSON.stringify({ ...(properties ?? columns), PartitionKey: partition, RowKey: rowKey });
    return [
      `--${changes}`,
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      `${methods[operation]} ${url} HTTP/1.1`,
      'Accept: application/json;odata=minimalmetadata',
      'Content-Type: application/json',
      'Prefer: return-no-content',
      'DataServiceVersion: 3.0;',
      ...(isGuarded ? ['If-Match: *'] : []),
      '',
      body,
    ].join('\r\n');
  });
  const body = [
    `--${batch}`,
    `Content-Type: multipart/mixed; boundary=${changes}`,
    '',
    ...parts,
    `--${changes}--`,
    `--${batch}--`,
    '',
  ].join('\r\n');
  const response = await storage.send({
    action: `the change of "${table}"`,
    method: 'POST',
    url: `${storage.base}/$batch`,
    headers: {
      'content-type': `multipart/mixed; boundary=${batch}`,
      dataserviceversion: '3.0;',
      accept: 'application/json;odata=minimalmetadata',
    },
    body,
  });
  const text = await readText(response);
  const failed = /HTTP\/1\.1 ([45]\d\d)[^\r\n]*/.exec(text);
  if (!failed) return;
  const reason =
    /"message":\s*\{[^}]*"value":\s*"([^"\\]*)/.exec(text)?.[1] ?? /"code":\s*"([^"]*)"/.exec(text)?.[1];
  throw new AzureError(`Table Storage refused the change of "${table}": ${reason ?? failed[0]}`, {
    status: Number(failed[1]),
    code: reason ?? '',
    retry: Number(failed[1]) >= 500,
  });
}

export const tableTypes: readonly Definition[] = [bulk, get, list, remove];

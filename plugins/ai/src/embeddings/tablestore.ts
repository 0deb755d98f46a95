import { createHash, createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  choice,
  defineAdditional,
  flag,
  listOf,
  messageOf,
  type Properties,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { ingestExample } from './example.ts';
import { type Cell, decodeRows, encodeBound, encodeDeletion, encodeRow } from './plainBuffer.ts';
import {
  bytesField,
  type Field,
  fieldsOf,
  floatField,
  intField,
  message,
  readMessage,
  textOf,
} from './protobuf.ts';
import { type EmbeddingStore, type Entry, type Match, storePlace } from './store.ts';

/*
 * The official client for Node.js (tablestore) is left out: it opens its own connections, past the outbound policy,
 * and has 2.7 MB of generated code on protobufjs 6, for eight calls. Names of the table, the index and the columns
 * are those of LangChain4j, so that stores of other tools can be read.
 */
const table = 'langchain4j_embedding_store_ots_v1';
const index = 'langchain4j_embedding_ots_index_v1';
const [keyName, textColumn, vectorColumn] = ['id', 'default_content', 'default_embedding'];

/** Numbers of the service's enum, in its order. */
const fieldTypes = ['LONG', 'DOUBLE', 'BOOLEAN', 'KEYWORD', 'TEXT', 'NESTED', 'GEO_POINT', 'DATE'] as const;

const fieldSchema = () =>
  z.object({
    fieldName: text().describe('The key of the metadata.'),
    fieldType: choice(fieldTypes).describe('The type of its values.'),
    index: flag().default(true).describe('Searches may filter by it.'),
    enableSortAndAgg: flag().optional().describe('Searches may sort by it.'),
    store: flag().optional().describe('The index keeps its values.'),
    array: flag().optional().describe('It holds a list.'),
    analyzer: text().optional().describe('How texts are cut into words, such as `max_word`.'),
  });
type FieldSchema = z.infer<ReturnType<typeof fieldSchema>>;

export const tablestore = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Tablestore',
  title: 'Embeddings in Tablestore',
  description:
    'Keeps texts and embeddings in a table of Alibaba Cloud Tablestore with a search index; both are created when they are missing. The service adds new rows to the index within seconds, so a search right after an ingestion may miss them.',
  input: () =>
    z.object({
      endpoint: text().describe(
        'The address of the instance, such as `https://documents.eu-central-1.ots.aliyuncs.com`.',
      ),
      instanceName: text().describe('The instance.'),
      accessKeyId: text().describe('The ID of the access key.'),
      accessKeySecret: text().describe('The secret of the access key.'),
      metadataSchemaList: listOf(fieldSchema())
        .optional()
        .describe('Metadata that the index contains, when it is created.'),
    }),
  examples: [
    ingestExample(
      'in_tablestore',
      `type: ai.embeddings.Tablestore
endpoint: https://documents.eu-central-1.ots.aliyuncs.com
instanceName: documents
accessKeyId: "{{ secret('ALIBABA_ACCESS_KEY_ID') }}"
accessKeySecret: "{{ secret('ALIBABA_ACCESS_KEY_SECRET') }}"
metadataSchemaList:
  - fieldName: author
    fieldType: KEYWORD`,
    ),
  ],
  create: (context, input): EmbeddingStore => {
    context.masker.add(input.accessKeySecret);
    const call = (operation: string, body: Buffer, allow?: string) =>
      send(context, input, operation, body, allow);
    let prepared: Promise<void> | undefined;
    const prepare = async (dimension: number) => {
      const tables = await call('ListTable', Buffer.alloc(0));
      if (!fieldsOf(tables, 1).some(({ bytes }) => bytes.toString('utf8') === table))
        await call('CreateTable', createTable());
      const indexes = await call('ListSearchIndex', bytesField(1, table));
      if (!fieldsOf(indexes, 1).some(({ bytes }) => textOf(readMessage(bytes), 2) === index))
        await call('CreateSearchIndex', createIndex(dimension, input.metadataSchemaList ?? []));
    };
    return {
      name: 'Tablestore',
      async add(entries) {
        prepared ??= prepare(entries[0]?.vector.length ?? 0);
        await prepared;
        await inBatches(entries, (entry) => call('PutRow', putRow(entry)));
      },
      async search(vector, maxResults, minScore) {
        const found = await call('Search', searchRequest(vector, maxResults));
        const hits = fieldsOf(found, 5).map(({ bytes }) => fieldsOf(readMessage(bytes), 3).at(-1)?.bytes);
        return fieldsOf(found, 2)
          .flatMap(({ bytes }) => decodeRows(bytes))
          .map(({ columns }, position): Match => {
            const { [textColumn]: content, [vectorColumn]: _, ...metadata } = columns;
            // The service's score with the metric COSINE is already between 0 and 1.
            return {
              text: String(content ?? ''),
              metadata: Object.fromEntries(
                Object.entries(metadata).map(([name, value]) => [name, plain(value)]),
              ),
              score: hits[position]?.readDoubleLE() ?? 0,
            };
          })
          .filter(({ score }) => score >= minScore);
      },
      async clear() {
        let start = encodeBound(keyName, 'minimum');
        while (start.length > 0) {
          const page = await call('GetRange', rangeRequest(start), 'OTSObjectNotExist');
          const rows = fieldsOf(page, 2).flatMap(({ bytes }) => decodeRows(bytes));
          await inBatches(rows, ({ key }) => call('DeleteRow', deleteRow(key)));
          start = fieldsOf(page, 3).at(-1)?.bytes ?? Buffer.alloc(0);
        }
      },
    };
  },
});

const plain = (value: Cell) => (typeof value === 'bigint' ? Number(value) : value);

/** One request per row; this many at a time. */
async function inBatches<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += 20)
    await Promise.all(items.slice(start, start + 20).map(run));
}

/** Requests, with the field numbers of the service's Protocol Buffers. */
const createTable = () => {
  const key = message(bytesField(1, keyName), intField(2, 2)); // a text
  return message(
    bytesField(1, message(bytesField(1, table), bytesField(2, key))),
    bytesField(2, bytesField(1, message(intField(1, 0), intField(2, 0)))), // no reserved throughput
    bytesField(3, message(intField(1, -1), intField(2, 1))), // rows don't expire, one version
  );
};

function createIndex(dimension: number, metadata: readonly FieldSchema[]): Buffer {
  const vector = message(intField(1, 2), intField(2, dimension), intField(3, 1)); // 32-bit floats, cosine
  const fields = [
    message(bytesField(1, textColumn), intField(2, 5), bytesField(4, 'max_word'), intField(5, true)),
    message(bytesField(1, vectorColumn), intField(2, 9), intField(5, true), bytesField(15, vector)),
    ...metadata.map((field) =>
      message(
        bytesField(1, field.fieldName),
        intField(2, fieldTypes.indexOf(field.fieldType) + 1),
        ...(field.analyzer === undefined ? [] : [bytesField(4, field.analyzer)]),
        intField(5, field.index),
        ...(field.enableSortAndAgg === undefined ? [] : [intField(6, field.enableSortAndAgg)]),
        ...(field.store === undefined ? [] : [intField(7, field.store)]),
        ...(field.array === undefined ? [] : [intField(9, field.array)]),
      ),
    ),
  ];
  const schema = message(
    ...fields.map((field) => bytesField(1, field)),
    bytesField(2, intField(1, 1)), // one shard
  );
  return message(bytesField(1, table), bytesField(2, index), bytesField(3, schema));
}

const anyRow = bytesField(3, intField(1, 0));

function putRow({ id, vector, text: content, metadata }: Entry): Buffer {
  const row = encodeRow({
    key: { [keyName]: id },
    columns: {
      [vectorColumn]: JSON.stringify(vector),
      [textColumn]: content,
      ...cellsOf(metadata),
    },
  });
  return message(bytesField(1, table), bytesField(2, row), anyRow);
}

function cellsOf(metadata: Properties): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (name === textColumn || name === vectorColumn)
      throw new TaskFailed(`The metadata "${name}" has the name of a column of the store. Rename it.`, {
        retry: false,
      });
    if (value === null || value === undefined) continue;
    if (typeof value === 'number') cells[name] = Number.isSafeInteger(value) ? BigInt(value) : value;
    else
      cells[name] = typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value);
  }
  return cells;
}

const deleteRow = (key: Readonly<Record<string, Cell>>): Buffer =>
  message(bytesField(1, table), bytesField(2, encodeDeletion(key)), anyRow);

const rangeRequest = (start: Buffer): Buffer =>
  message(
    bytesField(1, table),
    intField(2, 0), // forward
    bytesField(3, keyName),
    intField(5, 1),
    intField(6, 1000),
    bytesField(7, start),
    bytesField(8, encodeBound(keyName, 'maximum')),
  );

function searchRequest(vector: readonly number[], maxResults: number): Buffer {
  const nearest = message(
    bytesField(1, vectorColumn),
    intField(2, maxResults),
    ...vector.map((value) => floatField(4, value)),
  );
  const query = message(
    intField(1, 0),
    intField(2, maxResults),
    bytesField(4, message(intField(1, 17), bytesField(2, nearest))), // a KNN query
    bytesField(6, bytesField(1, bytesField(3, intField(1, 1)))), // the highest score first
    intField(8, false), // no total
  );
  return message(
    bytesField(1, table),
    bytesField(2, index),
    bytesField(3, intField(1, 1)), // all columns
    bytesField(4, query),
    intField(6, 10_000), // its time limit in milliseconds
  );
}

interface Login {
  readonly endpoint: string;
  readonly instanceName: string;
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
}

/** A new table and a busy partition respond with these codes for some seconds. */
const passing =
  /^OTS(TableNotReady|PartitionUnavailable|ServerBusy|ServerUnavailable|RowOperationConflict|Timeout|InternalServerError|ObjectNotExist)$/;
const delaysMs = [250, 500, 1000, 2000, 4000];

async function send(
  context: TaskContext,
  login: Login,
  operation: string,
  body: Buffer,
  allow?: string,
): Promise<readonly Field[]> {
  for (let attempt = 0; ; attempt++) {
    const { status, fields } = await sendOnce(context, login, operation, body);
    if (status < 300) return fields;
    const [code, reason] = [textOf(fields, 1), textOf(fields, 2)];
    if (code === allow) return [];
    const waitMs = delaysMs[attempt];
    // Only rows are written right after their table was created.
    const mayPass = passing.test(code) && (code !== 'OTSObjectNotExist' || operation === 'PutRow');
    if (waitMs === undefined || !mayPass)
      throw new TaskFailed(
        `Tablestore responded with status ${status} to ${operation}: ${context.masker.mask([code, reason].filter(Boolean).join(': '))}${status === 403 ? ' Check the credentials.' : ''}`,
        { retry: mayPass || status >= 500 },
      );
    await delay(waitMs, undefined, { signal: context.signal });
  }
}

async function sendOnce(context: TaskContext, login: Login, operation: string, body: Buffer) {
  const url = new URL(`/${operation}`, login.endpoint);
  const response = await context
    .fetch({
      url: url.href,
      method: 'POST',
      headers: signed(login, url.pathname, body, new Date()),
      body,
      signal: context.signal,
    })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      throw new TaskFailed(`Tablestore could not be reached: ${context.masker.mask(messageOf(error))}`, {
        cause: error,
      });
    });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  try {
    return { status: response.status, fields: readMessage(content) };
  } catch (error) {
    // A proxy, or something else than Tablestore, responded.
    throw new TaskFailed(
      `Tablestore responded with status ${response.status} and not in its format: ${context.masker.mask(content.toString('utf8').slice(0, 300))}`,
      { cause: error },
    );
  }
}

/** Headers with the signature of the service: HMAC-SHA1 of the path, the method and all its own headers. */
function signed(login: Login, path: string, body: Buffer, now: Date): Record<string, string> {
  const headers: Record<string, string> = {
    'x-ots-accesskeyid': login.accessKeyId,
    'x-ots-apiversion': '2015-12-31',
    'x-ots-contentmd5': createHash('md5').update(body).digest('base64'),
    'x-ots-date': now.toISOString(),
    'x-ots-instancename': login.instanceName,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const signature = createHmac('sha1', login.accessKeySecret)
    .update(`${path}\nPOST\n\n${lines.join('')}`)
    .digest('base64');
  return { ...headers, 'x-ots-signature': signature };
}

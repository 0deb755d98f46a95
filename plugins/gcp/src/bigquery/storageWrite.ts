import { randomUUID } from 'node:crypto';
import {
  choice,
  chunksOf,
  integer,
  readTypedRows,
  type TaskContext,
  TaskFailed,
  text,
  toJsonValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { type Cloud, count, counter, defineGcpTask, taskExample } from '../google/define.ts';
import { dateAt, dropMissing, isMap, type Json, mapsAt, numberAt, textAt } from '../google/json.ts';
import { bigqueryUrl, parseTable, type TableReference } from './jobs.ts';
import { loadContent } from './load.ts';

/** One request accepts 10 MB; the difference is reserved for ids and braces. */
const maxRequestBytes = 8 * 1024 * 1024;

export const storageWrite = defineGcpTask({
  type: 'gcp.bigquery.StorageWrite',
  title: 'Append rows to a table in BigQuery',
  description: `Appends the rows of a file (Ion or JSON lines) to a table, without converting the file first.

The Storage Write API itself speaks gRPC only, so the task uses the two REST ways with the same result: \`DEFAULT\` and \`COMMITTED\` stream the rows
(\`tabledata.insertAll\`), which can be queried at once, with ids so that a repeated request adds no row twice within a minute; \`PENDING\` uploads them as one
load job, so that all rows appear together or none does.`,
  properties: {
    from: text().optional().describe('The file in internal storage.'),
    destinationTable: text().describe(
      'The table, as `dataset.table` or `project.dataset.table`. It must exist.',
    ),
    writeStreamType: choice(['DEFAULT', 'COMMITTED', 'PENDING'])
      .default('DEFAULT')
      .describe('Row by row as they arrive, or all together at the end (`PENDING`).'),
    bufferSize: integer({ min: 1, max: 50_000 }).default(1000).describe('How many rows are sent at once.'),
    location: text().optional().describe('Where the data is, such as `EU`.'),
  },
  output: () =>
    z.object({
      rows: z.number().describe('How many rows were appended.'),
      rowsCount: z.number().describe('The same number.'),
      commitTime: z.string().optional().describe('When the rows became visible, with `PENDING`.'),
    }),
  metrics: [counter('rows', 'How many rows were appended.'), counter('rows_count', 'The same number.')],
  examples: [
    taskExample(
      'gcp.bigquery.StorageWrite',
      'Append the rows of a query.',
      'from: "{{ outputs.read.uri }}"\ndestinationTable: my-project.shop.orders\nwriteStreamType: PENDING',
      {
        before: `- id: read
  type: jdbc.postgresql.Query
  url: jdbc:postgresql://db.example.com/shop
  username: alice
  password: "{{ secret('DB_PASSWORD') }}"
  sql: SELECT * FROM orders
  fetchType: STORE`,
      },
    ),
  ],
  async run(cloud, input, context) {
    if (!input.from)
      throw new TaskFailed('"from" must be given: a file in internal storage.', { retry: false });
    const table = parseTable(input.destinationTable, await cloud.project(), 'destinationTable');
    const rows = readRows(context, input.from);
    const written =
      input.writeStreamType === 'PENDING'
        ? await loadRows(cloud, context, table, { from: input.from, location: input.location })
        : { rows: await insertRows(cloud, table, rows, input.bufferSize) };
    count(context, { rows: written.rows, rows_count: written.rows });
    return { ...written, rowsCount: written.rows };
  },
});

/** Rows as JSON: dates and decimals are text, bytes are Base64. */
async function* readRows(context: TaskContext, uri: string): AsyncGenerator<Json> {
  let line = 0;
  for await (const row of readTypedRows(context, uri)) {
    line++;
    if (!isMap(row)) throw new TaskFailed(`Row ${line} of the file is not a map.`, { retry: false });
    yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toJsonValue(value)]));
  }
}

async function insertRows(
  { google }: Cloud,
  { projectId, datasetId, tableId }: TableReference,
  rows: AsyncIterable<Json>,
  bufferSize: number,
): Promise<number> {
  const url = `${bigqueryUrl}/${segment(projectId)}/datasets/${segment(datasetId)}/tables/${segment(tableId)}/insertAll`;
  let total = 0;
  let batch: { insertId: string; json: Json }[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const { body } = await google.json({ url, body: { rows: batch }, idempotent: true });
    const [first] = mapsAt(body, 'insertErrors');
    if (first) throw refused(first, total);
    total += batch.length;
    batch = [];
    bytes = 0;
  };
  for await (const json of rows) {
    const length = Buffer.byteLength(JSON.stringify(json)) + 64;
    if (batch.length >= bufferSize || bytes + length > maxRequestBytes) await flush();
    batch.push({ insertId: randomUUID(), json });
    bytes += length;
  }
  await flush();
  return total;
}

function refused(error: Json, before: number): TaskFailed {
  const [reason = {}] = mapsAt(error, 'errors');
  const place = textAt(reason, 'location');
  return new TaskFailed(
    `BigQuery refused row ${before + (numberAt(error, 'index') ?? 0) + 1}${place ? ` at "${place}"` : ''}: ${textAt(reason, 'message') ?? textAt(reason, 'reason')}. ${before} rows were appended.`,
    { retry: false },
  );
}

async function loadRows(
  cloud: Cloud,
  context: TaskContext,
  destinationTable: TableReference,
  { from, location }: { readonly from: string; readonly location?: string | undefined },
) {
  const job = await loadContent(cloud, context, {
    load: {
      destinationTable,
      sourceFormat: 'NEWLINE_DELIMITED_JSON',
      writeDisposition: 'WRITE_APPEND',
      createDisposition: 'CREATE_NEVER',
    },
    input: { location },
    read: async () =>
      chunksOf(
        (async function* () {
          for await (const row of readRows(context, from)) yield `${JSON.stringify(row)}\n`;
        })(),
        context.signal,
      ),
  });
  const load = job.statistics.load;
  return dropMissing({
    rows: (isMap(load) ? numberAt(load, 'outputRows') : undefined) ?? 0,
    commitTime: dateAt(job.statistics, 'endTime'),
  });
}

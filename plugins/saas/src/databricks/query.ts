import { type JsonMap, mapIn, mapsIn, TaskFailed, textOf, writeTypedRows } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';
import { hostOf } from './databricks.ts';

const sql = defineService({
  name: 'Databricks',
  prefix: 'databricks.sql',
  properties: {
    host: need.text('The address of the workspace.'),
    httpPath: need.text('The HTTP path of a SQL warehouse, such as `/sql/1.0/warehouses/0123456789abcdef`.'),
    catalog: may.text('The catalog.'),
    schema: may.text('The schema.'),
    accessToken: may.secret('A personal access token.'),
    properties: may.textMap('Accepted for flows of the JDBC driver; the API has no such settings.'),
  },
  baseUrl: ({ host }) => hostOf(host),
  auth: ({ accessToken }) => (accessToken === undefined ? undefined : bearer(accessToken)),
  example: {
    host: 'acme.cloud.databricks.com',
    httpPath: '/sql/1.0/warehouses/0123456789abcdef',
    accessToken: "{{ secret('DATABRICKS_TOKEN') }}",
  },
});

/** The polling interval; statements that take longer than 30 s are rare. */
const everyMs = 2000;

export const databricksQuery = sql.task({
  type: 'Query',
  title: 'Query a SQL warehouse of Databricks',
  description:
    'Runs a statement on a SQL warehouse with the Statement Execution API and stores the rows as a file. Clusters have no such API, so `httpPath` must name a warehouse.',
  properties: { sql: need.text('The statement.'), timeZoneId: may.text('The time zone of the session.') },
  metrics: [{ name: 'fetch.size', type: 'counter', description: 'How many rows there were.' }],
  output: { uri: out.text('The file with one row a line.'), size: out.integer('How many rows there are.') },
  run: async (client, input, context) => {
    const warehouse = /\/warehouses\/([^/?]+)/.exec(input.httpPath)?.[1];
    if (!warehouse)
      throw new TaskFailed(`"httpPath" must be the path of a SQL warehouse, got "${input.httpPath}".`, {
        retry: false,
      });
    const statement = input.timeZoneId ? [`SET TIME ZONE '${input.timeZoneId}'`, input.sql] : [input.sql];
    let ended: JsonMap = {};
    for (const each of statement) {
      const started = await client.ask({
        method: 'POST',
        path: '/api/2.0/sql/statements',
        body: {
          warehouse_id: warehouse,
          statement: each,
          catalog: input.catalog,
          schema: input.schema,
          disposition: 'EXTERNAL_LINKS',
          format: 'JSON_ARRAY',
          wait_timeout: '30s',
          on_wait_timeout: 'CONTINUE',
        },
      });
      let status = started;
      try {
        ended = await waitFor(context, {
          what: 'The statement',
          everyMs,
          atMostMs: Number.POSITIVE_INFINITY,
          poll: async () => {
            const done = endOf(status);
            if (!done) status = await client.ask({ path: `/api/2.0/sql/statements/${started.statement_id}` });
            return done ?? endOf(status);
          },
        });
      } catch (error) {
        if (context.signal.aborted) await cancel(client, started.statement_id);
        throw error;
      }
    }
    const writer = writeTypedRows(readResult(client, ended), context.signal);
    const uri = await context.files.put('rows.ion', writer.content);
    context.metric({ name: 'fetch.size', type: 'counter', value: writer.count });
    return { uri, size: writer.count };
  },
  example: { catalog: 'main', schema: 'sales', sql: 'SELECT * FROM orders WHERE day = current_date()' },
});

function endOf(statement: JsonMap): JsonMap | undefined {
  const { state, error } = mapIn(statement.status);
  if (state === 'SUCCEEDED') return statement;
  if (state === 'PENDING' || state === 'RUNNING') return undefined;
  throw new TaskFailed(`The statement ended as ${state}: ${textOf(mapIn(error).message) ?? ''}`, {
    retry: false,
  });
}

/** Cancels the statement. Failures are ignored, because the task has ended already. */
async function cancel(client: RestClient, id: unknown): Promise<void> {
  const path = `/api/2.0/sql/statements/${id}/cancel`;
  await client.send({ method: 'POST', path, afterKill: true }).catch(() => {});
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** The rows, chunk by chunk. Large chunks are behind links that need no login. */
async function* readResult(client: RestClient, statement: JsonMap): AsyncGenerator<JsonMap> {
  const columns: Column[] = mapsIn(mapIn(mapIn(statement.manifest).schema).columns).map(
    ({ name, type_name: type }) => ({
      name: String(name),
      type: String(type),
    }),
  );
  for (let chunk: JsonMap | undefined = mapIn(statement.result); chunk; ) {
    yield* toRows(columns, chunk.data_array);
    let next = textOf(chunk.next_chunk_internal_link);
    for (const link of mapsIn(chunk.external_links)) {
      const { body } = await client.send({ path: String(link.external_link), withoutLogin: true });
      yield* toRows(columns, body);
      next = textOf(link.next_chunk_internal_link) ?? next;
    }
    chunk = next === undefined ? undefined : await client.ask({ path: next });
  }
}

function* toRows(columns: readonly Column[], rows: unknown): Generator<JsonMap> {
  for (const row of Array.isArray(rows) ? rows : [])
    yield Object.fromEntries(columns.map(({ name, type }, index) => [name, toValue(type, row[index])]));
}

/** The API writes every value as text. Decimals stay texts, so that no digit is lost. */
function toValue(type: string, value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  switch (type) {
    case 'BYTE':
    case 'SHORT':
    case 'INT':
    case 'FLOAT':
    case 'DOUBLE':
      return Number(value);
    case 'LONG':
      return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
    case 'BOOLEAN':
      return value === 'true';
    default:
      return value;
  }
}

import {
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  type FetchType,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  fixed,
  readJsonValues,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap } from '../base/callService.ts';
import { taskExample, triggerExample } from '../base/example.ts';
import { readAnnotatedCsv } from './annotatedCsv.ts';
import { callInflux, exampleLines, type Server, serverProperties } from './connection.ts';

const queryProperties = {
  ...serverProperties,
  query: text().describe('The query.'),
  fetchType: fetchTypeProperty('NONE'),
};

interface QueryInput extends Server {
  readonly query: string;
  readonly fetchType: FetchType;
}

const output = () =>
  z.object({ ...fetchedOutput, total: z.number().describe('How many rows the query returned.') });

const metrics = [{ name: 'records', type: 'counter', description: 'How many rows were read.' }] as const;

async function keep(
  context: TaskContext,
  fetchType: FetchType,
  rows: AsyncIterable<Record<string, unknown>>,
) {
  const kept = await fetchRows(context, fetchType, rows);
  context.metric({ name: 'records', type: 'counter', value: kept.size });
  return { ...kept, total: kept.size };
}

async function runFlux(context: TaskContext, { query, fetchType, ...server }: QueryInput) {
  const { content } = await callInflux(context, server, {
    method: 'POST',
    path: 'api/v2/query',
    parameters: { org: server.org },
    headers: { accept: 'application/csv' },
    body: {
      query,
      type: 'flux',
      dialect: { header: true, annotations: ['datatype', 'group', 'default'] },
    },
  });
  return keep(context, fetchType, fluxRows(content));
}

/** An error in the middle of a result arrives as a table with the column `error`. */
async function* fluxRows(content: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  for await (const row of readAnnotatedCsv(content)) {
    if ('error' in row && 'reference' in row)
      throw new TaskFailed(`InfluxDB stopped the query: ${row.error}`, { retry: false });
    yield row;
  }
}

async function runInfluxQl(context: TaskContext, { query, fetchType, ...server }: QueryInput) {
  const [database, policy] = (server.bucket ?? '').split('/');
  const { content } = await callInflux(context, server, {
    method: 'POST',
    path: 'query',
    parameters: { db: database || undefined, rp: policy, org: server.org, chunked: 'true', q: query },
  });
  return keep(context, fetchType, influxQlRows(content));
}

/** A response is a sequence of JSON documents, each with a part of the series; they are read as one list. */
async function* influxQlRows(content: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  const isWanted = (path: readonly unknown[]) => {
    const [, first, , second, , third] = path;
    return (
      (path.length === 5 && first === 'results' && second === 'series') ||
      (path.length === 2 && first === 'error') ||
      (path.length === 4 && first === 'results' && second === 'error' && third === undefined)
    );
  };
  for await (const { path, value } of readJsonValues(asList(content), isWanted)) {
    if (path.at(-1) === 'error')
      throw new TaskFailed(`InfluxDB refused the query: ${String(value)}`, { retry: false });
    if (isMap(value)) yield* seriesRows(value);
  }
}

/** Converts one document per line to a list with commas between them. */
async function* asList(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [open, comma, close, newline] = [...Buffer.from('[,]\n')];
  let isFirst = true;
  let isLineStart = true;
  for await (const chunk of content) {
    const bytes: number[] = [];
    for (const byte of chunk) {
      if (byte === newline) {
        isLineStart = true;
        continue;
      }
      if (isLineStart) bytes.push((isFirst ? open : comma) ?? 0);
      isLineStart = false;
      isFirst = false;
      bytes.push(byte);
    }
    yield Uint8Array.from(bytes);
  }
  yield Uint8Array.from(isFirst ? [open ?? 0, close ?? 0] : [close ?? 0]);
}

function* seriesRows({ columns, values, tags }: Record<string, unknown>): Generator<Record<string, unknown>> {
  const names = Array.isArray(columns) ? columns.map(String) : [];
  for (const list of Array.isArray(values) ? values : []) {
    const row = names.map((name, at) => [name, Array.isArray(list) ? list[at] : null] as const);
    yield { ...(isMap(tags) && tags), ...Object.fromEntries(row) };
  }
}

const fluxLines = [
  ...exampleLines,
  'bucket: sensors',
  'query: |',
  '  from(bucket: "sensors")',
  '    |> range(start: -1h)',
  '    |> filter(fn: (r) => r._measurement == "temperature")',
  'fetchType: FETCH',
];

const fluxQuery = defineTask({
  type: 'influxdb.FluxQuery',
  title: 'Query InfluxDB with Flux',
  description: 'Runs a Flux query and returns the rows of all its tables.',
  input: () => z.object(queryProperties),
  output,
  metrics,
  sideEffects: true,
  examples: [taskExample('influxdb.FluxQuery', 'Read the last hour.', fluxLines)],
  run: runFlux,
});

const influxQlQuery = defineTask({
  type: 'influxdb.InfluxQLQuery',
  title: 'Query InfluxDB with InfluxQL',
  description:
    'Runs an InfluxQL query in the database that is mapped to the bucket. A row has the columns of its series and its tags.',
  input: () => z.object(queryProperties),
  output,
  metrics,
  sideEffects: true,
  examples: [
    taskExample('influxdb.InfluxQLQuery', 'Average by sensor.', [
      ...exampleLines,
      'bucket: sensors',
      'query: SELECT mean("value") FROM "temperature" WHERE time > now() - 1h GROUP BY "sensor"',
      'fetchType: FETCH',
    ]),
  ],
  run: runInfluxQl,
});

const fluxTrigger = defineTrigger({
  type: 'influxdb.FluxTrigger',
  role: 'polling',
  title: 'Start when a Flux query returns rows',
  description:
    'Runs a Flux query every `interval` and starts an execution if it returns rows. Let the query ask only for the time since the last poll, otherwise the same rows are found again.',
  input: () =>
    z.object({
      ...queryProperties,
      interval: fixed(duration()).prefault('PT60S').describe('The pause between two polls.'),
    }),
  output,
  examples: [triggerExample('influxdb.FluxTrigger', 'Watch a temperature.', fluxLines)],
  async poll(context, input) {
    const found = await runFlux(context, input);
    return found.size === 0 ? undefined : found;
  },
});

export const influxQueries: readonly Definition[] = [fluxQuery, influxQlQuery, fluxTrigger];

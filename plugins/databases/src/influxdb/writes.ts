import {
  choice,
  type Definition,
  defineTask,
  integer,
  isStorageUri,
  listOf,
  readItems,
  readTypedRows,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap } from '../base/callService.ts';
import { batchesOf } from '../base/documents.ts';
import { fileInput, taskExample } from '../base/example.ts';
import { callInflux, exampleLines, type Server, serverProperties } from './connection.ts';
import { toLine } from './lineProtocol.ts';

const output = () => z.object({ recordCount: z.number().describe('How many points were written.') });
const metrics = [{ name: 'records', type: 'counter', description: 'How many points were written.' }] as const;

const missing = 404;

/** Writes lines through the version 2 API, or the version 1 API if the server lacks it. */
async function writeLines(
  context: TaskContext,
  server: Server,
  lines: readonly string[],
  precision: string,
): Promise<void> {
  const { bucket, org } = server;
  if (bucket === undefined) throw new TaskFailed('"bucket" is required to write.', { retry: false });
  const request = {
    method: 'POST',
    body: lines.join('\n'),
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  } as const;
  const parameters = { org, bucket, precision };
  const { status, content } = await callInflux(context, server, {
    ...request,
    path: 'api/v2/write',
    parameters,
    allow: [missing],
  });
  let reason = '';
  for await (const chunk of content) reason += Buffer.from(chunk).toString();
  if (status !== missing) return;
  // Version 2 returns 404 with JSON for a missing bucket; version 1 has no such endpoint.
  if (reason.includes('"not found"') || reason.includes('bucket'))
    throw new TaskFailed(`InfluxDB refused the points: ${reason.slice(0, 500)}`, { retry: false });
  const [database, policy] = bucket.split('/');
  const older = { db: database, rp: policy, precision: precision === 'us' ? 'u' : precision };
  const written = await callInflux(context, server, { ...request, path: 'write', parameters: older });
  for await (const _ of written.content);
}

const write = defineTask({
  type: 'influxdb.Write',
  title: 'Write line protocol to InfluxDB',
  description: 'Writes points in line protocol, one a line, 1,000 lines at a time.',
  input: () =>
    z.object({
      ...serverProperties,
      source: text().describe('The lines, or the URI of a file with them in internal storage.'),
      precision: choice(['MS', 'S', 'US', 'NS']).default('NS').describe('The unit of the timestamps.'),
    }),
  output,
  metrics,
  sideEffects: true,
  examples: [
    taskExample('influxdb.Write', 'Write a point.', [
      ...exampleLines,
      'bucket: sensors',
      'source: temperature,sensor=a value=21.5',
    ]),
  ],
  async run(context, { source, precision, ...server }) {
    async function* lines() {
      const content = isStorageUri(source.trim())
        ? readItems(await context.files.read(source.trim()), '\n')
        : source.split('\n');
      for await (const line of content) if (line.trim() !== '') yield line.trim();
    }
    let recordCount = 0;
    for await (const batch of batchesOf(lines(), 1000)) {
      await writeLines(context, server, batch, precision.toLowerCase());
      recordCount += batch.length;
    }
    context.metric({ name: 'records', type: 'counter', value: recordCount });
    return { recordCount };
  },
});

const load = defineTask({
  type: 'influxdb.Load',
  title: 'Load the rows of a file into InfluxDB',
  description:
    'Writes one point for each row. Columns of `tags` become tags, `timeField` the time, all others fields. Integers become integer fields and other numbers floats; empty values are left out.',
  input: () =>
    z.object({
      ...serverProperties,
      from: storageUri().describe('The file in internal storage, one row a line.'),
      measurement: text().describe('The measurement.'),
      tags: listOf(text()).optional().describe('The columns that are tags.'),
      timeField: text()
        .optional()
        .describe(
          'The column with the time: a date, an ISO text, or nanoseconds; the server’s time when absent.',
        ),
      chunk: integer({ min: 1 }).default(1000).describe('How many points are written at once.'),
    }),
  output,
  metrics,
  sideEffects: true,
  examples: [
    taskExample(
      'influxdb.Load',
      'Load measured values.',
      [
        ...exampleLines,
        'bucket: sensors',
        'from: "{{ inputs.file }}"',
        'measurement: temperature',
        'tags:',
        '  - sensor',
        'timeField: at',
      ],
      fileInput,
    ),
  ],
  async run(context, { from, measurement, tags = [], timeField, chunk, ...server }) {
    async function* lines() {
      for await (const row of readTypedRows(context, from)) {
        if (!isMap(row)) throw new TaskFailed('Every row must be a map of columns.', { retry: false });
        yield toLine(row, { measurement, tags, timeField });
      }
    }
    let recordCount = 0;
    for await (const batch of batchesOf(lines(), chunk)) {
      await writeLines(context, server, batch, 'ns');
      recordCount += batch.length;
    }
    context.metric({ name: 'records', type: 'counter', value: recordCount });
    return { recordCount };
  },
});

export const influxWrites: readonly Definition[] = [write, load];

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileContent, TaskContext, TaskDefinition } from '@millrace/plugin-kit';
import { csvToIon } from '../csv/csvToIon.ts';
import { ionToCsv } from '../csv/ionToCsv.ts';
import { ionToParquet, parquetToIon } from '../parquet/parquetTypes.ts';

/**
 * Converts a CSV file with the given number of rows to Parquet and back and compares every line. Tests start
 * it in a separate process with a small heap: `node --max-old-space-size=128 --import tsx largeFile.ts
 * 1000000`.
 */
const rowCount = Number(process.argv[2] ?? 100_000);

const schema = JSON.stringify({
  type: 'record',
  name: 'Row',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'name', type: 'string' },
    { name: 'amount', type: { type: 'bytes', logicalType: 'decimal', precision: 18, scale: 2 } },
    { name: 'ratio', type: 'double' },
    { name: 'paid', type: 'boolean' },
    { name: 'day', type: { type: 'int', logicalType: 'date' } },
    { name: 'at', type: ['null', { type: 'long', logicalType: 'timestamp-millis' }] },
    { name: 'note', type: ['null', 'string'] },
  ],
});

const two = (value: number): string => String(value).padStart(2, '0');

function lineOf(id: number): string {
  const at =
    id % 7 === 0
      ? ''
      : `2026-01-${two((id % 28) + 1)}T${two(id % 24)}:00:00.${String(id % 1000).padStart(3, '0')}Z`;
  const note = id % 5 === 0 ? '' : `"note ""${id % 100}"", ünï"`;
  const amount = `${id % 2 ? '-' : ''}${id}.${two(id % 100)}`;
  return `${id},name ${id % 1000},${amount},${id % 3 === 0 ? `${id}.0` : id + 0.5},${id % 2 === 0},2026-02-${two((id % 28) + 1)},${at},${note}`;
}

const folder = await mkdtemp(join(tmpdir(), 'millrace-large-'));
let fileCount = 0;
let peakBytes = 0;
const watch = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
}, 50);

const pathOf = (uri: string): string => uri.replace('millrace://', '');

const context = {
  signal: new AbortController().signal,
  log: () => undefined,
  metric: () => undefined,
  workingDirectory: async () => folder,
  files: {
    async put(name: string, content: FileContent) {
      const path = join(folder, `${++fileCount}-${name}`);
      await pipeline(Readable.from(content as AsyncIterable<Uint8Array>), createWriteStream(path));
      return `millrace://${path}`;
    },
    read: async (uri: string) => createReadStream(pathOf(uri)),
    sizeOf: async (uri: string) => (await stat(pathOf(uri))).size,
  },
  // `as`: the converters use no other parts of a context.
} as unknown as TaskContext;

async function convert(definition: TaskDefinition, properties: object): Promise<string> {
  const outputs = await definition.run(context, definition.input.parse(properties));
  const { uri, size } = outputs as { uri: string; size: number };
  if (size !== rowCount) throw new Error(`${definition.type} has converted ${size} rows`);
  return uri;
}

async function writeCsv(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write('id,name,amount,ratio,paid,day,at,note\n');
  for (let id = 0; id < rowCount; id++) if (!file.write(`${lineOf(id)}\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
}

async function compare(path: string): Promise<void> {
  let id = -1;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (id >= 0 && line !== lineOf(id))
      throw new Error(`row ${id} differs: ${line}\nexpected: ${lineOf(id)}`);
    id++;
  }
  if (id !== rowCount) throw new Error(`${id} rows came back`);
}

try {
  const original = join(folder, 'original.csv');
  await writeCsv(original);
  const rows = await convert(csvToIon, { from: `millrace://${original}` });
  const parquet = await convert(ionToParquet, { from: rows, schema, timeZoneId: 'UTC' });
  const rowsAgain = await convert(parquetToIon, { from: parquet });
  const csv = await convert(ionToCsv, { from: rowsAgain });
  await compare(pathOf(csv));
  console.log(JSON.stringify({ rowCount, peakMegabytes: Math.round(peakBytes / 1024 / 1024) }));
} finally {
  clearInterval(watch);
  await rm(folder, { recursive: true, force: true });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { choice, integer, writeInside } from '@millrace/plugin-kit';
import { z } from 'zod';
import { converterProperties, convertRows, recordTypeOf } from '../avro/converterProperties.ts';
import { defineConverter, fromProperty, storeRows } from '../converter.ts';
import { readParquetFile } from './readParquet.ts';
import { writeParquetFile } from './writeParquet.ts';

const mebibyte = 1024 * 1024;

export const ionToParquet = defineConverter({
  type: 'serdes.parquet.IonToParquet',
  title: 'Write rows as Parquet',
  description:
    'Turns a file of rows into a Parquet file. The schema is written as an Avro schema, or inferred from the rows: every column may then be null. Texts are converted to the types of the schema.',
  aliases: ['serdes.parquet.ParquetWriter'],
  input: () =>
    z.object({
      from: fromProperty(),
      ...converterProperties(),
      compressionCodec: choice(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'])
        .default('GZIP')
        .describe('How the columns are compressed.'),
      parquetVersion: choice(['V1', 'V2'])
        .default('V2')
        .describe(
          'Accepted for compatibility: pages are always written in version 2, which current readers know.',
        ),
      rowGroupSize: integer({ min: 1 })
        .default(128 * mebibyte)
        .describe(
          'The most bytes of a group of rows. Groups are kept below 16 MiB and 20,000 rows to save memory.',
        ),
      pageSize: integer({ min: 1 }).default(mebibyte).describe('About how many bytes a page has.'),
      dictionaryPageSize: integer({ min: 1 })
        .default(mebibyte)
        .describe('The most bytes that a dictionary may have.'),
    }),
  examples: [
    {
      title: 'Turn a CSV file into Parquet.',
      runs: true,
      code: `id: csv_to_parquet
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: rows
    type: serdes.csv.CsvToIon
    from: "{{ inputs.file }}"

  - id: parquet
    type: serdes.parquet.IonToParquet
    from: "{{ outputs.rows.uri }}"
    compressionCodec: SNAPPY
`,
    },
    {
      title: 'Write typed columns by a schema.',
      runs: false,
      code: `id: typed_parquet
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: parquet
    type: serdes.parquet.IonToParquet
    from: "{{ inputs.rows }}"
    schema: |
      {
        "type": "record",
        "name": "Order",
        "fields": [
          {"name": "id", "type": "long"},
          {"name": "paid", "type": ["null", "boolean"]},
          {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}
        ]
      }
`,
    },
  ],
  async convert(context, properties) {
    const type = await recordTypeOf(context, properties, (name) => name);
    let size = 0;
    async function* rows(): AsyncGenerator<Record<string, unknown>> {
      for await (const row of convertRows(context, properties, type)) {
        size++;
        yield row;
      }
    }
    const content = writeParquetFile(type, rows(), {
      codec: properties.compressionCodec,
      rowGroupBytes: properties.rowGroupSize,
      pageBytes: properties.pageSize,
      dictionaryBytes: properties.dictionaryPageSize,
    });
    const uri = await context.files.put('rows.parquet', content);
    return { uri, size };
  },
});

export const parquetToIon = defineConverter({
  type: 'serdes.parquet.ParquetToIon',
  title: 'Read Parquet as rows',
  description:
    'Turns a Parquet file into a file of rows, a part of it at a time. Decimals, dates, times and timestamps keep their types.',
  aliases: ['serdes.parquet.ParquetReader'],
  input: () => z.object({ from: fromProperty() }),
  examples: [
    {
      title: 'Read a Parquet file.',
      runs: false,
      code: `id: parquet_to_rows
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: rows
    type: serdes.parquet.ParquetToIon
    from: "{{ inputs.file }}"
`,
    },
  ],
  async convert(context, { from }) {
    // The file's metadata is at its end, so the file must be on disk.
    const folder = await mkdtemp(join(await context.workingDirectory(), '.millrace-parquet-'));
    try {
      const path = await writeInside(folder, 'file.parquet', await context.files.read(from));
      return await storeRows(context, readParquetFile(path, context.signal));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

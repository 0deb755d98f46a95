import { choice, defineTask, integer, messageOf, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineConverter, fromProperty, storeRows } from '../converter.ts';
import { readAvroFile, writeAvroFile } from './avroFile.ts';
import { toAvroSchema } from './columnType.ts';
import { converterProperties, convertRows, inferRecordType, recordTypeOf } from './converterProperties.ts';
import { toAvroName } from './inferType.ts';

export const avroToIon = defineConverter({
  type: 'serdes.avro.AvroToIon',
  title: 'Read Avro as rows',
  description:
    'Turns an Avro file into a file of rows. Logical types keep their meaning: decimals, dates, times and timestamps. Files may be compressed with deflate, snappy or zstandard.',
  aliases: ['serdes.avro.AvroReader'],
  input: () =>
    z.object({
      from: fromProperty(),
      onBadLines: choice(['ERROR', 'WARN', 'SKIP'])
        .default('ERROR')
        .describe(
          'What to do when the file is damaged: fail, or keep the records before the damage, with a warning or without.',
        ),
    }),
  examples: [
    {
      title: 'Read an Avro file.',
      runs: false,
      code: `id: avro_to_rows
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: rows
    type: serdes.avro.AvroToIon
    from: "{{ inputs.file }}"
`,
    },
  ],
  async convert(context, { from, onBadLines }) {
    const content = await context.files.read(from);
    async function* rows(): AsyncGenerator<unknown> {
      try {
        yield* readAvroFile(content);
      } catch (error) {
        // Records have no delimiters, so the records after a damaged one cannot be located.
        if (onBadLines === 'ERROR' || context.signal.aborted) throw error;
        if (onBadLines === 'WARN') await context.log('WARN', messageOf(error));
      }
    }
    return storeRows(context, rows());
  },
});

export const ionToAvro = defineConverter({
  type: 'serdes.avro.IonToAvro',
  title: 'Write rows as Avro',
  description:
    'Turns a file of rows into an Avro file. Texts are converted to the types of the schema; in a union the first type that fits is taken. Without a schema it is inferred: every field may then be null.',
  aliases: ['serdes.avro.AvroWriter'],
  input: () => z.object({ from: fromProperty(), ...converterProperties() }),
  examples: [
    {
      title: 'Write rows by a schema.',
      runs: false,
      code: `id: rows_to_avro
namespace: company.team

inputs:
  - id: orders
    type: FILE

tasks:
  - id: avro
    type: serdes.avro.IonToAvro
    from: "{{ inputs.orders }}"
    schema: |
      {
        "type": "record",
        "name": "Order",
        "fields": [
          {"name": "id", "type": "long"},
          {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}},
          {"name": "day", "type": ["null", {"type": "int", "logicalType": "date"}]}
        ]
      }
`,
    },
    {
      title: 'Let the schema be inferred.',
      runs: true,
      code: `id: inferred
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: avro
    type: serdes.avro.IonToAvro
    from: "{{ inputs.rows }}"
    inferAllFields: true
`,
    },
  ],
  async convert(context, properties) {
    const type = await recordTypeOf(context, properties, toAvroName);
    let size = 0;
    async function* rows(): AsyncGenerator<Record<string, unknown>> {
      for await (const row of convertRows(context, properties, type)) {
        size++;
        yield row;
      }
    }
    const uri = await context.files.put('rows.avro', writeAvroFile(type, rows()));
    return { uri, size };
  },
});

export const inferAvroSchema = defineTask({
  type: 'serdes.avro.InferAvroSchemaFromIon',
  title: 'Infer an Avro schema from rows',
  description:
    'Looks at the first rows of a file and writes the Avro schema that fits them. Every field may be null; types that differ between rows widen to one that holds both.',
  input: () =>
    z.object({
      from: fromProperty(),
      numberOfRowsToScan: integer({ min: 1 }).default(100).describe('How many rows to look at.'),
    }),
  output: () => z.object({ uri: z.string().describe('The URI of the schema, as JSON.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Infer a schema and write the file with it.',
      runs: true,
      code: `id: infer_schema
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: schema
    type: serdes.avro.InferAvroSchemaFromIon
    from: "{{ inputs.rows }}"

  - id: avro
    type: serdes.avro.IonToAvro
    from: "{{ inputs.rows }}"
    schema: "{{ read(outputs.schema.uri) }}"
`,
    },
  ],
  async run(context, { from, numberOfRowsToScan }) {
    const type = await inferRecordType(context, from, numberOfRowsToScan, toAvroName);
    if (type.fields.length === 0)
      throw new TaskFailed('The file has no rows with fields, so there is no schema to infer.', {
        retry: false,
      });
    const text = `${JSON.stringify(toAvroSchema(type), null, 2)}\n`;
    return { uri: await context.files.put('schema.avsc', text) };
  },
});

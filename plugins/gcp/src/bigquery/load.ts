import {
  anything,
  choice,
  flag,
  integer,
  listOf,
  mapOf,
  part,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import {
  type Cloud,
  count,
  counter,
  defineGcpTask,
  fileInput,
  taskExample,
  timer,
} from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, numberAt } from '../google/json.ts';
import { uploadResumable } from '../google/upload.ts';
import {
  bigqueryProperties,
  dispositionProperties,
  durationOf,
  type Job,
  labelsOf,
  parseTable,
  type RetryInput,
  readTable,
  runJob,
  tableName,
  toMs,
} from './jobs.ts';
import { partitioningOf, partitionProperties } from './query.ts';

const loadProperties = {
  destinationTable: text()
    .optional()
    .describe('The table that is written to, as `dataset.table` or `project.dataset.table`.'),
  ...partitionProperties,
  ...dispositionProperties,
  autodetect: flag().optional().describe('Let BigQuery find the schema and the options of the format.'),
  ignoreUnknownValues: flag().optional().describe('Leave out values that the schema does not name.'),
  maxBadRecords: integer({ min: 0 })
    .optional()
    .describe('How many bad rows are left out before the job fails.'),
  schema: mapOf(anything())
    .optional()
    .describe(
      'The schema: `fields`, a list of maps with `name`, `type`, `mode`, `description` and `fields`.',
    ),
  format: choice(['CSV', 'JSON', 'AVRO', 'PARQUET', 'ORC'])
    .optional()
    .describe('The format of the file; JSON has one row a line. Ion files must be converted first.'),
  csvOptions: part({
    allowJaggedRows: flag().optional().describe('Allow rows that end early.'),
    allowQuotedNewLines: flag().optional().describe('Allow line breaks in quoted values.'),
    encoding: text().optional().describe('The character set, `UTF-8` when absent.'),
    fieldDelimiter: text().optional().describe('The separator, a comma when absent.'),
    quote: text().optional().describe('The quote, `"` when absent.'),
    skipLeadingRows: integer({ min: 0 }).optional().describe('How many lines are skipped, such as a header.'),
  })
    .optional()
    .describe('Options of CSV files.'),
  avroOptions: part({
    useAvroLogicalTypes: flag().optional().describe('Read logical types as the types of BigQuery.'),
  })
    .optional()
    .describe('Options of Avro files.'),
};
type LoadInput = z.infer<z.ZodObject<typeof loadProperties>> & RetryInput;

const formats = {
  CSV: 'CSV',
  JSON: 'NEWLINE_DELIMITED_JSON',
  AVRO: 'AVRO',
  PARQUET: 'PARQUET',
  ORC: 'ORC',
} as const;

/** Writers of schemas use the names of both SQL dialects in any case; the API wants upper case. */
function toSchema(schema: Json | undefined): Json | undefined {
  if (!schema) return undefined;
  const toField = (field: Json): Json => {
    const inner = mapsAt(field, 'fields');
    return {
      ...field,
      ...(typeof field.type === 'string' && { type: field.type.toUpperCase() }),
      ...(inner.length > 0 && { fields: inner.map(toField) }),
    };
  };
  return { ...schema, fields: mapsAt(schema, 'fields').map(toField) };
}

function loadOf(input: LoadInput, project: string): Json {
  if (!input.destinationTable) throw new TaskFailed('"destinationTable" must be given.', { retry: false });
  const { csvOptions: csv } = input;
  return dropMissing({
    destinationTable: parseTable(input.destinationTable, project, 'destinationTable'),
    sourceFormat: input.format && formats[input.format],
    writeDisposition: input.writeDisposition,
    createDisposition: input.createDisposition,
    autodetect: input.autodetect,
    ignoreUnknownValues: input.ignoreUnknownValues,
    maxBadRecords: input.maxBadRecords,
    schema: toSchema(input.schema),
    ...partitioningOf(input),
    allowJaggedRows: csv?.allowJaggedRows,
    allowQuotedNewlines: csv?.allowQuotedNewLines,
    encoding: csv?.encoding,
    fieldDelimiter: csv?.fieldDelimiter,
    quote: csv?.quote,
    skipLeadingRows: toMs(csv?.skipLeadingRows),
    useAvroLogicalTypes: input.avroOptions?.useAvroLogicalTypes,
  });
}

const loadOutput = () =>
  z.object({
    jobId: z.string().optional().describe('The id of the job; absent when there was nothing to load.'),
    destinationTable: z.string().describe('The table, as `project.dataset.table`.'),
    rows: z.number().describe('How many rows were loaded.'),
  });

const loadMetrics = [
  counter('bad.records', 'How many bad rows were left out.'),
  timer('duration', 'How long the job ran.'),
  counter('input.bytes', 'How many bytes were read.'),
  counter('input.files', 'How many files were read.'),
  counter('output.bytes', 'How many bytes the table got.'),
  counter('output.rows', 'How many rows the table got.'),
];

function reportLoad(context: TaskContext, job: Job) {
  const load = mapAt(job.statistics, 'load');
  count(context, {
    'bad.records': numberAt(load, 'badRecords'),
    duration: durationOf(job),
    'input.bytes': numberAt(load, 'inputFileBytes'),
    'input.files': numberAt(load, 'inputFiles'),
    'output.bytes': numberAt(load, 'outputBytes'),
    'output.rows': numberAt(load, 'outputRows'),
  });
  const table = readTable(mapAt(mapAt(mapAt(job.json, 'configuration'), 'load'), 'destinationTable'));
  return {
    jobId: job.id,
    ...(table && { destinationTable: tableName(table) }),
    rows: numberAt(load, 'outputRows') ?? 0,
  };
}

/** Uploads content as a load job and waits for it. */
export async function loadContent(
  cloud: Cloud,
  context: TaskContext,
  { load, input, read }: { load: Json; input: RetryInput; read: () => Promise<AsyncIterable<Uint8Array>> },
): Promise<Job> {
  const project = await cloud.project();
  return runJob(cloud, context, {
    configuration: { labels: labelsOf(context), load },
    input,
    create: async (job) =>
      uploadResumable(cloud.google, {
        url: `https://bigquery.googleapis.com/upload/bigquery/v2/projects/${segment(project)}/jobs`,
        metadata: job,
        contentType: 'application/octet-stream',
        content: await read(),
      }),
  });
}

export const load = defineGcpTask({
  type: 'gcp.bigquery.Load',
  title: 'Load a file into BigQuery',
  description: `Uploads a file of internal storage and loads it into a table. The file must have one of the formats of BigQuery: convert files of rows with
\`serdes.avro.IonToAvro\`, \`serdes.parquet.IonToParquet\`, \`serdes.json.IonToJson\` (with \`newLine: true\`) or \`serdes.csv.IonToCsv\` first.`,
  properties: {
    from: storageUri().optional().describe('The file in internal storage.'),
    failedOnEmpty: flag().default(true).describe('Fail when the file is empty; otherwise nothing is loaded.'),
    ...loadProperties,
    ...bigqueryProperties,
  },
  output: loadOutput,
  metrics: loadMetrics,
  examples: [
    taskExample(
      'gcp.bigquery.Load',
      'Load a CSV file with a header.',
      'from: "{{ inputs.file }}"\ndestinationTable: my-project.shop.orders\nformat: CSV\nautodetect: true\ncsvOptions:\n  skipLeadingRows: 1',
      { inputs: fileInput },
    ),
  ],
  async run(cloud, input, context) {
    const { from } = input;
    if (!from) throw new TaskFailed('"from" must be given: a file in internal storage.', { retry: false });
    const target = loadOf(input, await cloud.project());
    const table = tableName(
      parseTable(input.destinationTable ?? '', await cloud.project(), 'destinationTable'),
    );
    const size = await context.files.sizeOf(from);
    if (size === undefined) throw new TaskFailed(`The file ${from} does not exist.`, { retry: false });
    if (size === 0) {
      if (input.failedOnEmpty) throw new TaskFailed(`The file ${from} is empty.`, { retry: false });
      return { destinationTable: table, rows: 0 };
    }
    const job = await loadContent(cloud, context, {
      load: target,
      input,
      read: () => context.files.read(from),
    });
    return { destinationTable: table, ...reportLoad(context, job) };
  },
});

export const loadFromGcs = defineGcpTask({
  type: 'gcp.bigquery.LoadFromGcs',
  title: 'Load files of Cloud Storage into BigQuery',
  description: 'Loads objects of Cloud Storage into a table, without passing through the server.',
  properties: {
    from: listOf(text())
      .optional()
      .describe('The addresses of the objects, such as `gs://bucket/folder/*.csv`; one `*` each is allowed.'),
    ...loadProperties,
    ...bigqueryProperties,
  },
  output: loadOutput,
  metrics: loadMetrics,
  examples: [
    taskExample(
      'gcp.bigquery.LoadFromGcs',
      'Load all Parquet files of a folder.',
      'from:\n  - gs://my-bucket/orders/*.parquet\ndestinationTable: my-project.shop.orders\nformat: PARQUET\nwriteDisposition: WRITE_APPEND',
    ),
  ],
  async run(cloud, input, context) {
    const { from } = input;
    if (!from || from.length === 0)
      throw new TaskFailed('"from" must name at least one object.', { retry: false });
    const project = await cloud.project();
    const table = tableName(parseTable(input.destinationTable ?? '', project, 'destinationTable'));
    const job = await runJob(cloud, context, {
      configuration: { labels: labelsOf(context), load: { ...loadOf(input, project), sourceUris: from } },
      input,
    });
    return { destinationTable: table, ...reportLoad(context, job) };
  },
});

import {
  choice,
  flag,
  integer,
  listOf,
  mapOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { type Cloud, count, counter, defineGcpTask, taskExample, timer } from '../google/define.ts';
import { dropMissing, mapAt, numberAt } from '../google/json.ts';
import {
  bigqueryProperties,
  bigqueryUrl,
  durationOf,
  jobProperties,
  labelsOf,
  parseTable,
  type RetryInput,
  runJob,
  tableName,
  toMs,
} from './jobs.ts';
import { choosePartitions, partitionRangeProperties } from './partitions.ts';
import { readResults } from './query.ts';

const copyProperties = {
  ...jobProperties,
  ...bigqueryProperties,
};

type CopyInput = z.infer<z.ZodObject<typeof copyProperties>> & RetryInput;

/** Copies tables into one, and returns the job. */
async function runCopy(
  cloud: Cloud,
  context: TaskContext,
  sources: readonly string[],
  input: CopyInput & { readonly operationType?: string | undefined },
) {
  if (!input.destinationTable) throw new TaskFailed('"destinationTable" must be given.', { retry: false });
  const project = await cloud.project();
  const job = await runJob(cloud, context, {
    configuration: dropMissing({
      dryRun: input.dryRun ? true : undefined,
      jobTimeoutMs: toMs(input.jobTimeout),
      labels: labelsOf(context, input.labels),
      copy: dropMissing({
        sourceTables: sources.map((each) => parseTable(each, project, 'sourceTables')),
        destinationTable: parseTable(input.destinationTable, project, 'destinationTable'),
        writeDisposition: input.writeDisposition,
        createDisposition: input.createDisposition,
        operationType: input.operationType,
      }),
    }),
    input,
  });
  count(context, { 'num.child.jobs': numberAt(job.statistics, 'numChildJobs'), duration: durationOf(job) });
  return job;
}

const copyMetrics = [
  counter('num.child.jobs', 'How many jobs were started.'),
  timer('duration', 'How long the job ran.'),
];

export const copy = defineGcpTask({
  type: 'gcp.bigquery.Copy',
  title: 'Copy tables in BigQuery',
  description: 'Copies one or more tables into another one, or makes a snapshot or a clone.',
  properties: {
    ...copyProperties,
    sourceTables: listOf(text(), { min: 1 }).describe('The tables that are copied.'),
    destinationTable: text().describe('The table that is written to.'),
    operationType: choice(['COPY', 'SNAPSHOT', 'RESTORE', 'CLONE'])
      .optional()
      .describe('What to make: a copy, a snapshot, a table out of a snapshot, or a clone.'),
  },
  output: () => z.object({ jobId: z.string().describe('The id of the job.') }),
  metrics: copyMetrics,
  examples: [
    taskExample(
      'gcp.bigquery.Copy',
      'Copy a table.',
      'operationType: COPY\nsourceTables:\n  - my-project.shop.orders\ndestinationTable: my-project.backup.orders\nwriteDisposition: WRITE_TRUNCATE',
    ),
  ],
  run: async (cloud, input, context) => ({
    jobId: (await runCopy(cloud, context, input.sourceTables, input)).id,
  }),
});

const tableProperties = {
  dataset: text().describe('The dataset, as `dataset` or `project.dataset`.'),
  table: text().describe('The table.'),
};

const partitionOutput = {
  projectId: z.string().describe('The project.'),
  datasetId: z.string().describe('The dataset.'),
  table: z.string().describe('The table.'),
  partitions: z.array(z.string()).describe('The partitions.'),
};

/** The ids of the partitions of a table, in their order. */
async function partitionsOf(
  cloud: Cloud,
  context: TaskContext,
  input: RetryInput,
  name: string,
): Promise<string[]> {
  const { projectId, datasetId, tableId } = parseTable(name, await cloud.project(), 'table');
  const job = await runJob(cloud, context, {
    configuration: {
      labels: labelsOf(context),
      query: {
        query: `SELECT partition_id FROM \`${projectId}.${datasetId}.INFORMATION_SCHEMA.PARTITIONS\` WHERE table_name = @table AND partition_id IS NOT NULL ORDER BY partition_id`,
        useLegacySql: false,
        parameterMode: 'NAMED',
        queryParameters: [
          { name: 'table', parameterType: { type: 'STRING' }, parameterValue: { value: tableId } },
        ],
      },
    },
    input,
  });
  const ids: string[] = [];
  for await (const row of (await readResults(cloud, job)).rows) ids.push(String(row.partition_id));
  return ids;
}

const partitionExample =
  'dataset: shop\ntable: orders\npartitionType: DAY\nfrom: "2026-01-01"\nto: "2026-01-31"';

export const copyPartitions = defineGcpTask({
  type: 'gcp.bigquery.CopyPartitions',
  title: 'Copy partitions of a table in BigQuery',
  description:
    'Copies the partitions between two dates (or numbers), both included, into another table in one job.',
  properties: {
    ...copyProperties,
    ...tableProperties,
    ...partitionRangeProperties,
    skipEmpty: flag().default(false).describe('Do nothing when no partition is found, instead of failing.'),
  },
  output: () => z.object({ ...partitionOutput, jobId: z.string().optional().describe('The id of the job.') }),
  metrics: [counter('size', 'How many partitions were copied.'), ...copyMetrics],
  examples: [
    taskExample(
      'gcp.bigquery.CopyPartitions',
      'Copy a month.',
      `${partitionExample}\ndestinationTable: my-project.backup.orders\nwriteDisposition: WRITE_TRUNCATE`,
    ),
  ],
  async run(cloud, input, context) {
    const table = parseTable(`${input.dataset}.${input.table}`, await cloud.project(), 'table');
    const all = await partitionsOf(cloud, context, input, tableName(table));
    const partitions = choosePartitions(all, input);
    count(context, { size: partitions.length });
    const found = {
      projectId: table.projectId,
      datasetId: table.datasetId,
      table: table.tableId,
      partitions,
    };
    if (partitions.length === 0) {
      if (input.skipEmpty) return found;
      throw new TaskFailed(
        `The table ${tableName(table)} has no partition between ${input.from} and ${input.to}.`,
        { retry: false },
      );
    }
    const sources = partitions.map((partition) => `${tableName(table)}$${partition}`);
    return { ...found, jobId: (await runCopy(cloud, context, sources, input)).id };
  },
});

export const deletePartitions = defineGcpTask({
  type: 'gcp.bigquery.DeletePartitions',
  title: 'Delete partitions of a table in BigQuery',
  description: 'Deletes the partitions between two dates (or numbers), both included.',
  properties: { ...tableProperties, ...partitionRangeProperties, ...bigqueryProperties },
  output: () => z.object(partitionOutput),
  metrics: [counter('size', 'How many partitions were deleted.')],
  examples: [taskExample('gcp.bigquery.DeletePartitions', 'Delete a month.', partitionExample)],
  async run(cloud, input, context) {
    const table = parseTable(`${input.dataset}.${input.table}`, await cloud.project(), 'table');
    const { projectId, datasetId, tableId } = table;
    const partitions = choosePartitions(await partitionsOf(cloud, context, input, tableName(table)), input);
    for (const partition of partitions)
      await cloud.google.json({
        url: `${bigqueryUrl}/${segment(projectId)}/datasets/${segment(datasetId)}/tables/${segment(`${tableId}$${partition}`)}`,
        method: 'DELETE',
        allow: [404],
      });
    count(context, { size: partitions.length });
    return { projectId, datasetId, table: tableId, partitions };
  },
});

export const extractToGcs = defineGcpTask({
  type: 'gcp.bigquery.ExtractToGcs',
  title: 'Export a table of BigQuery to Cloud Storage',
  description:
    'Writes a table to objects of Cloud Storage. A `*` in an address lets BigQuery write several files, which tables above 1 GB need.',
  properties: {
    ...bigqueryProperties,
    sourceTable: text().optional().describe('The table, as `dataset.table` or `project.dataset.table`.'),
    destinationUris: listOf(text())
      .optional()
      .describe('The addresses of the files, such as `gs://bucket/orders-*.csv`.'),
    compression: text().optional().describe('`GZIP`, `SNAPPY`, `DEFLATE` or `ZSTD`, as the format allows.'),
    fieldDelimiter: text().optional().describe('The separator of CSV files.'),
    format: text()
      .optional()
      .describe('`CSV`, `NEWLINE_DELIMITED_JSON`, `PARQUET` or `AVRO`; CSV when absent.'),
    useAvroLogicalTypes: flag().optional().describe('Write logical types to Avro files.'),
    jobTimeoutMs: integer({ min: 1 })
      .optional()
      .describe('BigQuery ends the job after this many milliseconds.'),
    labels: mapOf(text()).optional().describe('Labels of the job.'),
    printHeader: flag().optional().describe('Write a header to CSV files; true when absent.'),
  },
  output: () =>
    z.object({
      jobId: z.string().describe('The id of the job.'),
      sourceTable: z.string().describe('The table.'),
      destinationUris: z.array(z.string()).describe('The addresses.'),
      fileCounts: z.array(z.number()).describe('How many files each address has got.'),
    }),
  metrics: [
    counter('output.file_counts', 'How many files were written.'),
    timer('duration', 'How long the job ran.'),
  ],
  examples: [
    taskExample(
      'gcp.bigquery.ExtractToGcs',
      'Export a table as CSV files.',
      'sourceTable: my-project.shop.orders\ndestinationUris:\n  - gs://my-bucket/orders-*.csv.gz\nformat: CSV\ncompression: GZIP',
    ),
  ],
  async run(cloud, input, context) {
    const { sourceTable, destinationUris = [], format } = input;
    if (!sourceTable || destinationUris.length === 0)
      throw new TaskFailed('"sourceTable" and "destinationUris" must be given.', { retry: false });
    const table = parseTable(sourceTable, await cloud.project(), 'sourceTable');
    const job = await runJob(cloud, context, {
      configuration: dropMissing({
        jobTimeoutMs: toMs(input.jobTimeoutMs),
        labels: labelsOf(context, input.labels),
        extract: dropMissing({
          sourceTable: table,
          destinationUris,
          destinationFormat:
            format?.toUpperCase() === 'JSON' ? 'NEWLINE_DELIMITED_JSON' : format?.toUpperCase(),
          compression: input.compression?.toUpperCase(),
          fieldDelimiter: input.fieldDelimiter,
          useAvroLogicalTypes: input.useAvroLogicalTypes,
          printHeader: input.printHeader,
        }),
      }),
      input,
    });
    const counts = mapAt(job.statistics, 'extract').destinationUriFileCounts;
    const fileCounts = Array.isArray(counts) ? counts.map(Number) : [];
    const total = fileCounts.reduce((sum, each) => sum + each, 0);
    count(context, { 'output.file_counts': total, duration: durationOf(job) });
    return {
      jobId: job.id,
      sourceTable: tableName(table),
      destinationUris: [...destinationUris],
      fileCounts,
    };
  },
});

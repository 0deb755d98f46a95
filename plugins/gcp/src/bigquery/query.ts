import {
  choice,
  deprecated,
  type FetchType,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  flag,
  integer,
  listOf,
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
  defineGcpTrigger,
  taskExample,
  timer,
  triggerExample,
} from '../google/define.ts';
import { dropMissing, flagAt, type Json, mapAt, mapsAt, numberAt } from '../google/json.ts';
import { rowReader } from './cells.ts';
import {
  bigqueryProperties,
  bigqueryUrl,
  durationOf,
  type Job,
  jobProperties,
  labelsOf,
  parseTable,
  type RetryInput,
  readTable,
  runJob,
  toMs,
} from './jobs.ts';

const queryProperties = {
  sql: text().optional().describe('The SQL; several statements are a script.'),
  legacySql: flag().default(false).describe('The SQL is in the legacy dialect.'),
  fetch: deprecated(flag().default(false), 'use `fetchType: FETCH`.'),
  store: deprecated(flag().default(false), 'use `fetchType: STORE`.'),
  fetchOne: deprecated(flag().default(false), 'use `fetchType: FETCH_ONE`.'),
  fetchType: fetchTypeProperty('NONE'),
};

export const partitionProperties = {
  clusteringFields: listOf(text()).optional().describe('The columns that the table is clustered by.'),
  schemaUpdateOptions: listOf(choice(['ALLOW_FIELD_ADDITION', 'ALLOW_FIELD_RELAXATION']))
    .optional()
    .describe('How the schema of the table may change.'),
  timePartitioningField: text().optional().describe('The column that the table is partitioned by.'),
  timePartitioningType: choice(['DAY', 'HOUR', 'MONTH', 'YEAR'])
    .default('DAY')
    .describe('The length of a partition.'),
};

interface PartitionInput {
  readonly clusteringFields?: readonly string[] | undefined;
  readonly schemaUpdateOptions?: readonly string[] | undefined;
  readonly timePartitioningField?: string | undefined;
  readonly timePartitioningType: string;
}

/** The partitioning part of a job, for the table it creates. */
export const partitioningOf = (input: PartitionInput): Json =>
  dropMissing({
    clustering: input.clusteringFields && { fields: input.clusteringFields },
    schemaUpdateOptions: input.schemaUpdateOptions,
    timePartitioning:
      input.timePartitioningField === undefined
        ? undefined
        : { type: input.timePartitioningType, field: input.timePartitioningField },
  });

interface QueryInput extends RetryInput, Partial<PartitionInput> {
  readonly sql?: string | undefined;
  readonly legacySql: boolean;
  readonly useLegacySql?: boolean;
  readonly fetch: boolean;
  readonly store: boolean;
  readonly fetchOne: boolean;
  readonly fetchType: FetchType;
  readonly destinationTable?: string | undefined;
  readonly writeDisposition?: string | undefined;
  readonly createDisposition?: string | undefined;
  readonly jobTimeout?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly dryRun?: boolean;
  readonly rangePartitioningField?: string | undefined;
  readonly rangePartitioningStart?: number | undefined;
  readonly rangePartitioningEnd?: number | undefined;
  readonly rangePartitioningInterval?: number | undefined;
  readonly defaultDataset?: string | undefined;
  readonly priority?: string;
  readonly allowLargeResults?: boolean | undefined;
  readonly useQueryCache?: boolean | undefined;
  readonly flattenResults?: boolean;
  readonly maximumBillingTier?: number | undefined;
  readonly maximumBytesBilled?: number | undefined;
  readonly maxResults?: number | undefined;
}

/** The deprecated switches win over `fetchType`. */
function fetchTypeOf({ fetchType, store, fetchOne, fetch }: QueryInput): FetchType {
  if (fetchOne) return 'FETCH_ONE';
  if (store) return 'STORE';
  return fetch ? 'FETCH' : fetchType;
}

function configurationOf(input: QueryInput, project: string, context: TaskContext): Json {
  const { sql, defaultDataset, rangePartitioningField, rangePartitioningStart: start } = input;
  if (!sql) throw new TaskFailed('"sql" must be given.', { retry: false });
  const useLegacySql = input.legacySql || input.useLegacySql === true;
  const [datasetId, projectId] = defaultDataset?.split('.').reverse() ?? [];
  return dropMissing({
    dryRun: input.dryRun === true ? true : undefined,
    jobTimeoutMs: toMs(input.jobTimeout),
    labels: labelsOf(context, input.labels),
    query: dropMissing({
      query: sql,
      useLegacySql,
      destinationTable:
        input.destinationTable && parseTable(input.destinationTable, project, 'destinationTable'),
      writeDisposition: input.writeDisposition,
      createDisposition: input.createDisposition,
      ...partitioningOf({ timePartitioningType: 'DAY', ...input }),
      rangePartitioning:
        rangePartitioningField === undefined
          ? undefined
          : {
              field: rangePartitioningField,
              range: dropMissing({
                start: toMs(start),
                end: toMs(input.rangePartitioningEnd),
                interval: toMs(input.rangePartitioningInterval),
              }),
            },
      defaultDataset: datasetId === undefined ? undefined : { datasetId, projectId: projectId ?? project },
      priority: input.priority,
      allowLargeResults: input.allowLargeResults,
      useQueryCache: input.useQueryCache,
      flattenResults: useLegacySql ? input.flattenResults : undefined,
      maximumBillingTier: input.maximumBillingTier,
      maximumBytesBilled: toMs(input.maximumBytesBilled),
    }),
  });
}

interface Results {
  readonly total: number;
  readonly rows: AsyncGenerator<Record<string, unknown>>;
}

/** The first page contains the row count; the other pages are read on demand. */
export async function readResults({ google }: Cloud, job: Job, maxResults?: number): Promise<Results> {
  const pages = google.pages({
    url: `${bigqueryUrl}/${segment(job.project)}/queries/${segment(job.id)}`,
    query: { location: job.location, maxResults, 'formatOptions.useInt64Timestamp': true },
  });
  const first = await pages.next();
  const page: Json = first.done ? {} : first.value;
  const read = rowReader(mapAt(page, 'schema'));
  return {
    total: numberAt(page, 'totalRows') ?? 0,
    rows: (async function* () {
      yield* mapsAt(page, 'rows').map(read);
      for await (const next of pages) yield* mapsAt(next, 'rows').map(read);
    })(),
  };
}

const queryOutput = () =>
  z.object({
    jobId: z.string().describe('The id of the job.'),
    ...fetchedOutput,
    size: z.number().optional().describe('How many rows there are; absent with `NONE`.'),
    destinationTable: z
      .object({
        project: z.string().describe('The project.'),
        dataset: z.string().describe('The dataset.'),
        table: z.string().describe('The table.'),
      })
      .optional()
      .describe('The table with the result; a temporary one when none was asked for.'),
  });

interface QueryResult {
  jobId: string;
  destinationTable?: { project: string; dataset: string; table: string };
}

async function runQuery(cloud: Cloud, input: QueryInput, context: TaskContext) {
  const configuration = configurationOf(input, await cloud.project(), context);
  const job = await runJob(cloud, context, { configuration, input });
  const query = mapAt(job.statistics, 'query');
  const fetchType = input.dryRun ? 'NONE' : fetchTypeOf(input);
  const table = readTable(mapAt(mapAt(mapAt(job.json, 'configuration'), 'query'), 'destinationTable'));
  const result: QueryResult = {
    jobId: job.id,
    ...(table && {
      destinationTable: { project: table.projectId, dataset: table.datasetId, table: table.tableId },
    }),
  };
  count(context, {
    'cache.hit': flagAt(query, 'cacheHit') === undefined ? undefined : Number(flagAt(query, 'cacheHit')),
    duration: durationOf(job),
    'estimated.bytes.processed': numberAt(query, 'estimatedBytesProcessed'),
    'total.bytes.billed': numberAt(query, 'totalBytesBilled'),
    'total.bytes.processed':
      numberAt(query, 'totalBytesProcessed') ?? numberAt(job.statistics, 'totalBytesProcessed'),
    'total.partitions.processed': numberAt(query, 'totalPartitionsProcessed'),
    'total.slot.ms': numberAt(query, 'totalSlotMs'),
    'num.dml.affected.rows': numberAt(query, 'numDmlAffectedRows'),
    'referenced.tables': mapsAt(query, 'referencedTables').length,
    'num.child.jobs': numberAt(job.statistics, 'numChildJobs'),
  });
  return { job, fetchType, result };
}

export const query = defineGcpTask({
  type: 'gcp.bigquery.Query',
  title: 'Run SQL in BigQuery',
  description: `Runs a query or a script as a job and waits for its end. \`fetchType\` says where the rows go; \`destinationTable\` writes them to a table. The job
carries the names of namespace, flow, execution and task as labels. Killing the task cancels the job.

Types of the values: INTEGER is an integer, FLOAT and NUMERIC are doubles, BIGNUMERIC is a decimal, DATE and TIME are a date and a time, TIMESTAMP is an
instant, DATETIME is text that ends with \`Z\`, BYTES are bytes, a POINT of GEOGRAPHY is a list of longitude and latitude, RECORD and JSON are maps, RANGE is a
map of \`start\` and \`end\`.`,
  properties: {
    ...queryProperties,
    ...jobProperties,
    ...bigqueryProperties,
    ...partitionProperties,
    rangePartitioningField: text()
      .optional()
      .describe('The integer column that the table is partitioned by.'),
    rangePartitioningStart: integer().optional().describe('Where the first partition starts.'),
    rangePartitioningEnd: integer().optional().describe('Where the last partition ends, itself excluded.'),
    rangePartitioningInterval: integer({ min: 1 }).optional().describe('The width of a partition.'),
    defaultDataset: text()
      .optional()
      .describe('The dataset of tables without one, as `dataset` or `project.dataset`.'),
    priority: choice(['INTERACTIVE', 'BATCH'])
      .default('INTERACTIVE')
      .describe('Run at once, or when BigQuery has resources to spare.'),
    allowLargeResults: flag()
      .optional()
      .describe('Allow results above 128 MB, for legacy SQL with a destination table.'),
    useQueryCache: flag().optional().describe('Use the result of an earlier query.'),
    flattenResults: flag().default(true).describe('Flatten nested columns, for legacy SQL.'),
    useLegacySql: flag().default(false).describe('The same as `legacySql`.'),
    maximumBillingTier: integer({ min: 1 }).optional().describe('The highest billing tier.'),
    maximumBytesBilled: integer({ min: 1 })
      .optional()
      .describe('The query fails when it would read more bytes.'),
    maxResults: integer({ min: 1 }).optional().describe('How many rows are read at once.'),
  },
  output: queryOutput,
  metrics: [
    counter('cache.hit', 'Whether the result came from the cache.'),
    timer('duration', 'How long the job ran.'),
    counter('estimated.bytes.processed', 'How many bytes BigQuery expected to read.'),
    counter('total.bytes.billed', 'How many bytes are billed.'),
    counter('total.bytes.processed', 'How many bytes were read.'),
    counter('total.partitions.processed', 'How many partitions were read.'),
    counter('total.slot.ms', 'The slot time in milliseconds.'),
    counter('num.dml.affected.rows', 'How many rows were changed.'),
    counter('referenced.tables', 'How many tables the query names.'),
    counter('num.child.jobs', 'How many jobs a script started.'),
    counter('total.rows', 'How many rows the result has.'),
    counter('fetch.rows', 'How many rows were read.'),
  ],
  examples: [
    taskExample(
      'gcp.bigquery.Query',
      'Store the result of a query in a file.',
      'sql: SELECT customer, SUM(amount) AS total FROM shop.orders GROUP BY customer\nfetchType: STORE',
    ),
    taskExample(
      'gcp.bigquery.Query',
      'Replace a table with the result of a query.',
      'sql: SELECT * FROM shop.orders WHERE amount > 100\ndestinationTable: my-project.shop.large_orders\nwriteDisposition: WRITE_TRUNCATE\ncreateDisposition: CREATE_IF_NEEDED',
      { id: 'bigquery_query_to_table' },
    ),
  ],
  async run(cloud, input, context) {
    const { job, fetchType, result } = await runQuery(cloud, input, context);
    if (fetchType === 'NONE') return result;
    const { total, rows } = await readResults(cloud, job, input.maxResults);
    const kept = await fetchRows(context, fetchType, rows);
    if (fetchType !== 'FETCH_ONE' && kept.size !== total)
      throw new TaskFailed(`BigQuery returned ${kept.size} of ${total} rows. Run the query again.`);
    count(context, { 'total.rows': total, 'fetch.rows': kept.size });
    return { ...result, ...kept };
  },
});

export const trigger = defineGcpTrigger({
  type: 'gcp.bigquery.Trigger',
  title: 'Start when a query in BigQuery finds rows',
  description: `Runs a query every \`interval\` and starts an execution when it has rows. The trigger does not remember rows: let the query, or a task of the flow, leave out
those that were handled.`,
  properties: { ...queryProperties, ...bigqueryProperties },
  output: queryOutput,
  examples: [
    triggerExample(
      'gcp.bigquery.Trigger',
      'Handle new orders.',
      'sql: SELECT * FROM shop.orders WHERE state = "NEW"\nfetchType: FETCH\ninterval: PT5M',
      '{{ trigger.rows }}',
    ),
  ],
  async poll(cloud, input, context) {
    const { job, fetchType, result } = await runQuery(cloud, input, context);
    const { total, rows } = await readResults(cloud, job);
    if (total === 0) return undefined;
    const kept = fetchType === 'NONE' ? { size: total } : await fetchRows(context, fetchType, rows);
    return { ...result, ...kept };
  },
});

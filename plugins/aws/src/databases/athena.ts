import { randomUUID } from 'node:crypto';
import {
  defineTask,
  dropMissing,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  flag,
  type TaskContext,
  TaskFailed,
  text,
  undoWhenKilled,
  waitFor,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const Execution = z.object({
  QueryExecution: z.object({
    Status: z.object({ State: z.string(), StateChangeReason: z.string().nullish() }),
    Statistics: z
      .looseObject({
        DataScannedInBytes: z.number().optional(),
        EngineExecutionTimeInMillis: z.number().optional(),
        QueryPlanningTimeInMillis: z.number().optional(),
        QueryQueueTimeInMillis: z.number().optional(),
        ServiceProcessingTimeInMillis: z.number().optional(),
        TotalExecutionTimeInMillis: z.number().optional(),
      })
      .optional(),
  }),
});

const Results = z.object({
  ResultSet: z.object({
    Rows: z.array(
      z.object({ Data: z.array(z.looseObject({ VarCharValue: z.string().nullish() })).default([]) }),
    ),
    ResultSetMetadata: z
      .object({ ColumnInfo: z.array(z.looseObject({ Name: z.string(), Type: z.string() })).default([]) })
      .optional(),
  }),
  NextToken: z.string().nullish(),
});

const counters = {
  'data.scanned.bytes': 'DataScannedInBytes',
  'engine.execution.duration': 'EngineExecutionTimeInMillis',
  'query.planning.duration': 'QueryPlanningTimeInMillis',
  'query.queue.duration': 'QueryQueueTimeInMillis',
  'service.processing.duration': 'ServiceProcessingTimeInMillis',
  'total.execution.duration': 'TotalExecutionTimeInMillis',
} as const;

export const athenaQuery = defineTask({
  type: 'aws.athena.Query',
  title: 'Query data with Athena',
  description: `Runs a SQL statement, waits for it and reads its rows. Numbers, booleans, dates and JSON get their types; everything else is text. Killing the task
stops the query.`,
  input: () =>
    z.object({
      ...taskConnection,
      catalog: text().optional().describe('The data catalog; that of the account when absent.'),
      database: text().describe('The database.'),
      outputLocation: text().describe(
        'Where Athena puts its result files, such as `s3://my-bucket/results/`.',
      ),
      query: text().describe('The SQL statement.'),
      fetchType: fetchTypeProperty('STORE'),
      skipHeader: flag()
        .default(true)
        .describe('Leave out the first row, which Athena fills with the names of the columns.'),
    }),
  output: () => z.object({ queryExecutionId: z.string().describe('The id of the query.'), ...fetchedOutput }),
  metrics: [
    ...Object.keys(counters).map((name) => ({
      name,
      type: 'counter' as const,
      description: name.endsWith('bytes')
        ? 'How many bytes were read.'
        : 'How long it took, in milliseconds.',
    })),
    { name: 'total.rows', type: 'counter', description: 'How many rows the query has.' },
    { name: 'fetch.rows', type: 'counter', description: 'How many rows were read.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.athena.Query', 'Query a table.', [
      'database: sales',
      'outputLocation: s3://my-bucket/athena/',
      'query: SELECT * FROM orders LIMIT 100',
    ]),
  ],
  async run(context, input) {
    const client = await openClient(context, input, 'athena');
    const { QueryExecutionId: id } = await client.json(
      'StartQueryExecution',
      {
        QueryString: input.query,
        QueryExecutionContext: { Database: input.database, ...dropMissing({ Catalog: input.catalog }) },
        ResultConfiguration: { OutputLocation: input.outputLocation },
        ClientRequestToken: randomUUID(),
      },
      z.object({ QueryExecutionId: z.string() }),
    );
    await context.log('DEBUG', `The query has the id ${id}.`);
    await undoWhenKilled(
      context,
      () => waitForQuery(context, client, id),
      () => client.json('StopQueryExecution', { QueryExecutionId: id }, z.unknown(), { isCleanup: true }),
    );
    if (input.fetchType === 'NONE') return { queryExecutionId: id, size: 0 };
    const rows = readResults(client, id, input.skipHeader);
    const done = await fetchRows(context, input.fetchType, rows);
    context.metric({ name: 'total.rows', type: 'counter', value: done.size });
    context.metric({ name: 'fetch.rows', type: 'counter', value: done.size });
    return { queryExecutionId: id, ...done };
  },
});

async function waitForQuery(context: TaskContext, client: AwsClient, id: string): Promise<void> {
  const waiting = { intervalMs: 500, what: `The query ${id}` };
  const { Status, Statistics = {} } = await waitFor(context, waiting, async () => {
    const { QueryExecution } = await client.json('GetQueryExecution', { QueryExecutionId: id }, Execution);
    return ['QUEUED', 'RUNNING'].includes(QueryExecution.Status.State) ? undefined : QueryExecution;
  });
  for (const [name, field] of Object.entries(counters)) {
    const value = Statistics[field];
    if (typeof value === 'number') context.metric({ name, type: 'counter', value });
  }
  if (Status.State !== 'SUCCEEDED')
    throw new TaskFailed(
      `The query ${id} ended as ${Status.State}: ${Status.StateChangeReason ?? 'no reason given'}`,
    );
}

async function* readResults(client: AwsClient, id: string, skipHeader: boolean) {
  let isFirst = true;
  for (let token: string | undefined; ; ) {
    const page = await client.json(
      'GetQueryResults',
      { QueryExecutionId: id, MaxResults: 1000, ...dropMissing({ NextToken: token }) },
      Results,
    );
    const columns = page.ResultSet.ResultSetMetadata?.ColumnInfo ?? [];
    for (const { Data } of page.ResultSet.Rows) {
      const isHeader =
        isFirst && skipHeader && Data.every((cell, at) => cell.VarCharValue === columns[at]?.Name);
      isFirst = false;
      if (isHeader) continue;
      yield Object.fromEntries(
        columns.map(({ Name, Type }, at) => [Name, toCell(Data[at]?.VarCharValue, Type)]),
      );
    }
    if (!page.NextToken) return;
    token = page.NextToken;
  }
}

function toCell(value: string | null | undefined, type: string): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : BigInt(value);
    }
    case 'tinyint':
    case 'smallint':
    case 'integer':
    case 'double':
    case 'float':
    case 'real':
      return Number(value);
    case 'boolean':
      return value === 'true';
    case 'json':
      return JSON.parse(value);
    case 'timestamp':
      return new Date(`${value.replace(' ', 'T')}Z`);
    default:
      return value;
  }
}

import {
  batchesOf,
  type Definition,
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fixed,
  flag,
  integer,
  readMessages,
  serializeMessage,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { connectionProperties, taskConnection } from '../client/connection.ts';
import { taskExample, triggerExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';
import { kinesisRealtime } from './kinesisRealtime.ts';
import { type Position, readShards } from './kinesisShards.ts';
import { continueFrom, iteratorProperties, readMemory, type Start, startOf } from './kinesisStart.ts';

const Entry = z.looseObject({
  partitionKey: z.coerce.string(),
  explicitHashKey: z.coerce.string().nullish(),
  data: z.unknown(),
});

const PutAnswer = z.object({
  FailedRecordCount: z.number().default(0),
  Records: z.array(
    z.looseObject({
      SequenceNumber: z.string().nullish(),
      ShardId: z.string().nullish(),
      ErrorCode: z.string().nullish(),
      ErrorMessage: z.string().nullish(),
    }),
  ),
});

const putRecords = defineTask({
  type: 'aws.kinesis.PutRecords',
  title: 'Put records into a Kinesis stream',
  description: `Sends a list of records or the rows of a file, up to 500 in one request, and stores what the service said of each in a file: \`sequenceNumber\` and
\`shardId\`, or \`errorCode\` and \`errorMessage\`.`,
  input: () =>
    z.object({
      ...taskConnection,
      streamName: text().optional().describe('The name of the stream.'),
      streamArn: text().optional().describe('The ARN of the stream, instead of its name.'),
      records: someValue().describe(
        'The records: maps with `partitionKey`, `data` and `explicitHashKey`, a list of them, or a file with one a row. Data that is no text is sent as JSON.',
      ),
      failOnUnsuccessfulRecords: flag().default(true).describe('Fail when the service refuses a record.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('A file with the result of a record per row.'),
      failedRecordsCount: z.number().describe('How many records were refused.'),
      recordCount: z.number().describe('How many records there were.'),
    }),
  metrics: [
    { name: 'record.count', type: 'counter', description: 'How many records there were.' },
    { name: 'record.successful', type: 'counter', description: 'How many records were put.' },
    { name: 'record.failed', type: 'counter', description: 'How many records were refused.' },
    { name: 'duration', type: 'timer', description: 'How long it took.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.kinesis.PutRecords', 'Put two records.', [
      'streamName: orders',
      'records:',
      '  - partitionKey: customer-1',
      '    data: first',
      '  - partitionKey: customer-2',
      '    data:',
      '      id: 2',
    ]),
  ],
  async run(context, { streamName, streamArn, records, failOnUnsuccessfulRecords, ...connection }) {
    if (streamName === undefined && streamArn === undefined)
      throw new TaskFailed('One of "streamName" and "streamArn" must be given.', { retry: false });
    const client = await openClient(context, connection, 'kinesis');
    const stream = dropMissing({
      StreamName: streamArn === undefined ? streamName : undefined,
      StreamARN: streamArn,
    });
    const start = performance.now();
    let [recordCount, failedRecordsCount, reason] = [0, 0, ''];
    const results = async function* () {
      const entries = toEntries(readMessages(context, records));
      const sizeOf = ({ Data }: { Data: string }) => Data.length;
      for await (const batch of batchesOf(entries, { count: 500, bytes: 4 * 1_048_576, sizeOf })) {
        const answer = await client.json('PutRecords', { ...stream, Records: batch }, PutAnswer);
        recordCount += batch.length;
        failedRecordsCount += answer.FailedRecordCount;
        for (const { SequenceNumber, ShardId, ErrorCode, ErrorMessage } of answer.Records) {
          if (ErrorCode && reason === '') reason = `${ErrorCode}: ${ErrorMessage}`;
          yield toRow(
            dropMissing({
              sequenceNumber: SequenceNumber,
              shardId: ShardId,
              errorCode: ErrorCode,
              errorMessage: ErrorMessage,
            }),
          );
        }
      }
    };
    const uri = await context.files.put('records.ion', results());
    const count = (name: string, value: number) =>
      context.metric({ name: `record.${name}`, type: 'counter', value });
    count('count', recordCount);
    count('failed', failedRecordsCount);
    count('successful', recordCount - failedRecordsCount);
    context.metric({ name: 'duration', type: 'timer', value: Math.round(performance.now() - start) });
    const outputs = { uri, failedRecordsCount, recordCount };
    if (failedRecordsCount > 0 && failOnUnsuccessfulRecords)
      throw new TaskFailed(`Kinesis refused ${failedRecordsCount} of ${recordCount} records: ${reason}`, {
        outputs,
      });
    return outputs;
  },
});

async function* toEntries(messages: AsyncIterable<unknown>) {
  for await (const message of messages) {
    const { partitionKey, explicitHashKey, data } = Entry.parse(message);
    yield {
      PartitionKey: partitionKey,
      Data: Buffer.from(serializeMessage(data, 'STRING').toString()).toString('base64'),
      ...dropMissing({ ExplicitHashKey: explicitHashKey }),
    };
  }
}

const consumeProperties = {
  ...iteratorProperties,
  maxRecords: integer({ min: 1 }).default(1000).describe('Stop after this many records.'),
  maxDuration: duration().prefault('PT30S').describe('Stop after this time.'),
  pollDuration: duration().prefault('PT1S').describe('The pause between two requests.'),
};

const consumeOutput = z.object({
  uri: z.string().optional().describe('A file with a record per row.'),
  count: z.number().describe('How many records were read.'),
  lastSequencePerShard: z.record(z.string(), z.string()).describe('The last sequence number of each shard.'),
});

interface Consume extends Start {
  readonly streamName: string;
  readonly maxRecords: number;
  readonly maxDuration: number;
  readonly pollDuration: number;
}

async function consume(
  context: TaskContext,
  client: AwsClient,
  input: Consume,
  positionOf: (shardId: string) => Position,
): Promise<z.infer<typeof consumeOutput>> {
  const start = performance.now();
  let count = 0;
  const lastSequencePerShard: Record<string, string> = {};
  const rows = async function* () {
    const { streamName, maxRecords, maxDuration: maxDurationMs, pollDuration: pollMs } = input;
    const reading = { streamName, maxRecords, maxDurationMs, pollMs, positionOf };
    for await (const record of readShards(context, client, reading)) {
      count++;
      lastSequencePerShard[record.shardId] = record.sequenceNumber;
      yield toRow(record);
    }
  };
  const uri = await context.files.put('records.ion', rows());
  context.metric({ name: 'records', type: 'counter', value: count });
  context.metric({ name: 'duration', type: 'timer', value: Math.round(performance.now() - start) });
  return { uri, count, lastSequencePerShard };
}

const consumeTask = defineTask({
  type: 'aws.kinesis.Consume',
  title: 'Read records from a Kinesis stream',
  description:
    'Reads all shards of a stream until `maxRecords` or `maxDuration` is reached, and stores the records in a file.',
  input: () => z.object({ ...taskConnection, ...consumeProperties }),
  output: consumeOutput,
  metrics: [
    { name: 'records', type: 'counter', description: 'How many records were read.' },
    { name: 'duration', type: 'timer', description: 'How long it took.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.kinesis.Consume', 'Read the oldest records.', [
      'streamName: orders',
      'iteratorType: TRIM_HORIZON',
      'maxDuration: PT10S',
    ]),
  ],
  run: async (context, input) =>
    consume(context, await openClient(context, input, 'kinesis'), input, () => startOf(input)),
});

const trigger = defineTrigger({
  type: 'aws.kinesis.Trigger',
  role: 'polling',
  title: 'Start when a Kinesis stream has records',
  description:
    'Reads a stream every `interval` and starts one execution for all new records. The trigger remembers the last record of each shard and continues there; `iteratorType` says where it begins.',
  input: () =>
    z.object({
      ...connectionProperties,
      ...consumeProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'aws.kinesis.Trigger',
      'Process records in batches.',
      ['streamName: orders', 'maxDuration: PT10S'],
      'trigger.uri',
    ),
  ],
  async poll(context, input) {
    const memory = readMemory(context);
    const since = memory.since ?? Date.now();
    const client = await openClient(context, input, 'kinesis');
    const done = await consume(context, client, input, continueFrom(memory, input));
    context.remember({ positions: { ...memory.positions, ...done.lastSequencePerShard }, since });
    return done.count === 0 ? undefined : done;
  },
});

export const kinesisTypes: readonly Definition[] = [putRecords, consumeTask, trigger, kinesisRealtime];

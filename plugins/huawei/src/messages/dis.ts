import { setTimeout as delay } from 'node:timers/promises';
import {
  asMessage,
  batchesOf,
  choice,
  dateTime,
  deserializeMessage,
  dropMissing,
  integer,
  mapsIn,
  readMessages,
  serializeMessage,
  type TaskContext,
  TaskFailed,
  type TriggerContext,
  textOf,
  toOutputValue,
  toRow,
} from '@millrace/plugin-kit';
import {
  createRestClient,
  may,
  need,
  out,
  type Property,
  preset,
  type RestClient,
} from '@millrace/plugin-saas/rest';
import { z } from 'zod';
import {
  addressOf,
  type Connection,
  connection,
  connectionExample,
  endpoints,
  huaweiService,
  projectOf,
  signerOf,
  type Types,
} from '../client/connection.ts';
import { huaweiListener } from '../client/define.ts';

const service = huaweiService('Data Ingestion Service', 'dis');

type Serde = 'STRING' | 'JSON' | 'BINARY';
const serdeOf = (serde: Serde) => (serde === 'BINARY' ? 'BYTES' : serde);
const serdeType = preset.choice(
  ['STRING', 'JSON', 'BINARY'],
  'STRING',
  'How the data of a record is written and read.',
);

const putRecords = service.task({
  type: 'dis.PutRecords',
  title: 'Put records into a DIS stream',
  description:
    'Sends a list of records or the rows of a file, up to 500 in one request, and stores what the service said of each in a file: `partitionId` and `sequenceNumber`, or `errorCode` and `errorMessage`.',
  properties: {
    streamName: need.text('The name of the stream.'),
    from: need.any(
      'The records: maps with `data` and, if wanted, `partitionKey`, `partitionId` or `explicitHashKey`, a list of them, or a file with one a row. Anything else is the data itself.',
    ),
    serdeType,
    failOnUnsuccessfulRecords: preset.flag(true, 'Fail when the service refuses a record.'),
  },
  output: {
    recordCount: out.integer('How many records there were.'),
    failedRecordCount: out.integer('How many records were refused.'),
    uri: out.text('A file with the result of a record per row.'),
  },
  metrics: [
    { name: 'dis.putrecords.count', type: 'counter', description: 'How many records there were.' },
    { name: 'dis.putrecords.failed', type: 'counter', description: 'How many records were refused.' },
  ],
  run: async (client, input, context) => {
    const path = `/v2/${await projectOf(context, input)}/records`;
    let [recordCount, failedRecordCount, reason] = [0, 0, ''];
    const results = async function* () {
      const sizeOf = ({ data }: { data: string }) => data.length;
      const records = toRecords(readMessages(context, input.from), input.serdeType);
      for await (const batch of batchesOf(records, { count: 500, bytes: 4 * 1_048_576, sizeOf })) {
        const body = { stream_name: input.streamName, records: batch };
        const response = await client.ask({ method: 'POST', path, body });
        recordCount += batch.length;
        for (const said of mapsIn(response.records)) {
          if (said.error_code) {
            failedRecordCount++;
            if (reason === '') reason = `${said.error_code}: ${said.error_message}`;
          }
          yield toRow(
            dropMissing({
              partitionId: said.partition_id,
              sequenceNumber: said.sequence_number,
              errorCode: said.error_code,
              errorMessage: said.error_message,
            }),
          );
        }
      }
    };
    const uri = await context.files.put('records.ion', results());
    context.metric({ name: 'dis.putrecords.count', type: 'counter', value: recordCount });
    context.metric({ name: 'dis.putrecords.failed', type: 'counter', value: failedRecordCount });
    const outputs = { recordCount, failedRecordCount, uri };
    if (failedRecordCount > 0 && input.failOnUnsuccessfulRecords)
      throw new TaskFailed(`DIS refused ${failedRecordCount} of ${recordCount} records: ${reason}`, {
        outputs,
      });
    return outputs;
  },
  example: {
    streamName: 'orders',
    from: [{ partitionKey: 'berlin', data: { order: 1 } }],
    serdeType: 'JSON',
  },
});

async function* toRecords(messages: AsyncIterable<unknown>, serde: Serde) {
  for await (const message of messages) {
    const map = asMessage(message, 'data');
    const { data, partitionKey, partitionId, explicitHashKey } =
      'data' in map ? map : { ...map, data: message };
    yield {
      data: serializeMessage(data, serdeOf(serde)).toString('base64'),
      ...dropMissing({
        partition_key: textOf(partitionKey),
        partition_id: textOf(partitionId),
        explicit_hash_key: textOf(explicitHashKey),
      }),
    };
  }
}

const consumeProperties = {
  streamName: need.text('The name of the stream.'),
  partitionId: may.text('Only this partition; all when absent.'),
  startingPosition: {
    schema: () =>
      choice(['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP'])
        .default('TRIM_HORIZON')
        .describe('Where reading begins: at the oldest record, now, or at `startingTimestamp`.'),
  } satisfies Property<'TRIM_HORIZON' | 'LATEST' | 'AT_TIMESTAMP'>,
  startingTimestamp: {
    schema: () => dateTime().optional().describe('The date and time, for `AT_TIMESTAMP`.'),
  } satisfies Property<string | undefined>,
  serdeType,
  maxFetchBytes: {
    schema: () =>
      integer({ min: 1_048_576, max: 4_194_304 })
        .default(2_097_152)
        .describe('How many bytes one request brings at most: 1 to 4 MB.'),
  } satisfies Property<number>,
};

const limits = {
  maxRecords: may.integer('Stop after this many records.'),
  maxDuration: may.duration('Stop after this time. Without a limit, reading stops at the end of the stream.'),
};

interface Reading extends Connection {
  readonly endpointOverride?: string | undefined;
  readonly endpointSuffix?: string | undefined;
  readonly streamName: string;
  readonly partitionId?: string | undefined;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST' | 'AT_TIMESTAMP';
  readonly startingTimestamp?: string | undefined;
  readonly serdeType: Serde;
  readonly maxFetchBytes: number;
}

/** The last sequence number of each partition, and when the trigger began. */
interface Memory {
  readonly positions: Readonly<Record<string, string>>;
  readonly since?: number | undefined;
}

interface DisRecord {
  readonly partitionId: string;
  readonly sequenceNumber: string;
  readonly partitionKey?: string | undefined;
  readonly data: unknown;
  readonly timestamp?: string | undefined;
}

/** How long to wait before an empty stream is read again. */
const idleMs = 1_000;

/** Reads all partitions in turn. Undefined marks a round without a record. */
async function* readStream(
  client: RestClient,
  context: TaskContext,
  input: Reading,
  memory: Memory,
): AsyncGenerator<DisRecord | undefined> {
  const project = `/v2/${await projectOf(context, input)}`;
  const cursors = new Map<string, string>();
  for (const id of await partitionsOf()) cursors.set(id, await openCursor(id));
  while (cursors.size > 0) {
    let isIdle = true;
    for (const [partitionId, cursor] of [...cursors]) {
      context.signal.throwIfAborted();
      const page = await client.ask({
        path: `${project}/records`,
        query: { 'partition-cursor': cursor, max_fetch_bytes: input.maxFetchBytes },
      });
      for (const record of mapsIn(page.records)) {
        isIdle = false;
        const content = Buffer.from(textOf(record.data) ?? '', 'base64');
        yield {
          partitionId,
          sequenceNumber: textOf(record.sequence_number) ?? '',
          partitionKey: textOf(record.partition_key),
          data: deserializeMessage(context, content, serdeOf(input.serdeType)),
          timestamp:
            Number(record.timestamp) > 0 ? new Date(Number(record.timestamp)).toISOString() : undefined,
        };
      }
      // A partition that was split or merged has an end.
      const next = textOf(page.next_partition_cursor);
      if (next) cursors.set(partitionId, next);
      else cursors.delete(partitionId);
    }
    if (isIdle) yield undefined;
  }

  async function partitionsOf(): Promise<string[]> {
    if (input.partitionId !== undefined) return [input.partitionId];
    const ids: string[] = [];
    for (;;) {
      const stream = await client.ask({
        path: `${project}/streams/${encodeURIComponent(input.streamName)}`,
        query: { limit_partitions: 100, start_partitionId: ids.at(-1) },
      });
      ids.push(...mapsIn(stream.partitions).map(({ partition_id: id }) => textOf(id) ?? ''));
      if (stream.has_more_partitions !== true) return ids;
    }
  }

  async function openCursor(partitionId: string): Promise<string> {
    const after = memory.positions[partitionId];
    const isLate = input.startingPosition === 'LATEST' && memory.since !== undefined;
    const timestamp = isLate ? memory.since : Date.parse(input.startingTimestamp ?? '');
    if (after === undefined && input.startingPosition === 'AT_TIMESTAMP' && Number.isNaN(timestamp))
      throw new TaskFailed('"startingTimestamp" must be given for AT_TIMESTAMP.', { retry: false });
    const start =
      after !== undefined
        ? { 'cursor-type': 'AFTER_SEQUENCE_NUMBER', 'starting-sequence-number': after }
        : isLate || input.startingPosition === 'AT_TIMESTAMP'
          ? { 'cursor-type': 'AT_TIMESTAMP', timestamp }
          : { 'cursor-type': input.startingPosition };
    const { partition_cursor: cursor } = await client.ask({
      path: `${project}/cursors`,
      query: { 'stream-name': input.streamName, 'partition-id': partitionId, ...start },
    });
    return textOf(cursor) ?? '';
  }
}

interface Limits {
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

/** Stores records in a file, until a limit or, without a time limit, the end of the stream is reached. */
async function consume(client: RestClient, context: TaskContext, input: Reading & Limits, memory: Memory) {
  const { maxRecords = Number.POSITIVE_INFINITY, maxDuration } = input;
  const deadline = Date.now() + (maxDuration ?? 0);
  const positions: Record<string, string> = { ...memory.positions };
  let count = 0;
  const rows = async function* () {
    for await (const record of readStream(client, context, input, memory)) {
      if (record) {
        count++;
        positions[record.partitionId] = record.sequenceNumber;
        yield toRow(dropMissing({ ...record, data: toOutputValue(record.data) }));
      }
      const isEnd = maxDuration === undefined ? record === undefined : Date.now() >= deadline;
      if (isEnd || count >= maxRecords) return;
      if (!record)
        await delay(Math.min(idleMs, deadline - Date.now()), undefined, { signal: context.signal });
    }
  };
  const uri = await context.files.put('records.ion', rows());
  return { count, uri, positions };
}

const consumeOutput = {
  count: out.integer('How many records were read.'),
  uri: out.text(
    'A file with a record per row: `partitionId`, `sequenceNumber`, `partitionKey`, `data` and `timestamp`.',
  ),
};

const consumeTask = service.task({
  type: 'dis.Consume',
  title: 'Read records of a DIS stream',
  description:
    'Reads the partitions of a stream in turn and stores the records in a file, until `maxRecords` or `maxDuration` is reached, or at the end of the stream when there is no time limit.',
  properties: { ...consumeProperties, ...limits },
  output: consumeOutput,
  metrics: [{ name: 'dis.consume.count', type: 'counter', description: 'How many records were read.' }],
  run: async (client, input, context) => {
    const { count, uri } = await consume(client, context, input, { positions: {} });
    context.metric({ name: 'dis.consume.count', type: 'counter', value: count });
    return { count, uri };
  },
  example: { streamName: 'orders', serdeType: 'JSON', maxRecords: 1000 },
});

const StoredMemory = z.object({ positions: z.record(z.string(), z.string()), since: z.number().optional() });
const readMemory = ({ memory }: TriggerContext): Memory =>
  StoredMemory.catch({ positions: {} }).parse(memory);

const trigger = service.trigger({
  type: 'dis.Trigger',
  title: 'Start when a DIS stream has records',
  description:
    'Reads a stream every `interval` and starts one execution for all new records. The trigger remembers the last record of each partition and continues there; `startingPosition` says where it begins.',
  interval: 'PT60S',
  properties: { ...consumeProperties, ...limits },
  output: consumeOutput,
  poll: async (client, input, context) => {
    const memory = readMemory(context);
    const since = memory.since ?? Date.now();
    const { positions, ...done } = await consume(client, context, input, memory);
    context.remember({ positions, since });
    return done.count === 0 ? undefined : done;
  },
  example: { streamName: 'orders', serdeType: 'JSON', interval: 'PT1M' },
});

const realtimeTrigger = huaweiListener({
  type: 'huawei.dis.RealtimeTrigger',
  title: 'Start for every record of a DIS stream',
  description:
    'Reads a stream all the time and starts an execution for each record. The trigger remembers the last record of each partition and continues there after a restart.',
  properties: { ...consumeProperties, ...connection, ...endpoints },
  output: {
    partitionId: out.text('The partition.'),
    sequenceNumber: out.text('The sequence number in the partition.'),
    partitionKey: out.text('The partition key.'),
    data: out.any('The data; bytes are base64 text.'),
    timestamp: out.text('When the record arrived.'),
  },
  example: { streamName: 'orders', serdeType: 'JSON', ...connectionExample },
  listen: async (context, input, emit) => {
    const { signal } = context;
    const client = createRestClient(context, {
      name: 'Data Ingestion Service',
      baseUrl: addressOf('dis', input),
      sign: signerOf(input, context),
    });
    const memory = readMemory(context);
    const positions: Record<string, string> = { ...memory.positions };
    const since = memory.since ?? Date.now();
    for await (const record of readStream(client, context, input, memory)) {
      if (!record) {
        await delay(idleMs, undefined, { signal });
        continue;
      }
      positions[record.partitionId] = record.sequenceNumber;
      context.remember({ positions: { ...positions }, since });
      const key = `${record.partitionId}:${record.sequenceNumber}`;
      await emit(dropMissing({ ...record, data: toOutputValue(record.data) }), { key });
      signal.throwIfAborted();
    }
  },
});

export const disTypes: Types = [putRecords, consumeTask, trigger, realtimeTrigger];

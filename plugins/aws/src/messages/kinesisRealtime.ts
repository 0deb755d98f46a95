import { setTimeout as delay } from 'node:timers/promises';
import {
  defineTrigger,
  dropMissing,
  duration,
  type Emit,
  messageOf,
  type TriggerContext,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, AwsError } from '../client/awsClient.ts';
import { connectionProperties } from '../client/connection.ts';
import { readEventStream } from '../client/eventStream.ts';
import { triggerExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';
import { listShards, type Position, RawRecord, toRecord } from './kinesisShards.ts';
import { continueFrom, iteratorProperties, readMemory, type Start } from './kinesisStart.ts';

const SubscribeEvent = z.object({
  Records: z.array(RawRecord).default([]),
  ContinuationSequenceNumber: z.string().nullish(),
});

export const kinesisRealtime = defineTrigger({
  type: 'aws.kinesis.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every record of a Kinesis stream',
  description: `Subscribes to all shards with enhanced fan-out and starts an execution for each record. The trigger remembers the last record of each shard and
continues there after a restart. New shards are found every \`shardDiscoveryInterval\`.`,
  input: () =>
    z.object({
      ...connectionProperties,
      ...iteratorProperties,
      consumerArn: text().describe('The ARN of the registered consumer.'),
      shardDiscoveryInterval: duration().prefault('PT30S').describe('How often new shards are looked for.'),
    }),
  output: () =>
    z.object({
      data: z.string().describe('The data as text.'),
      partitionKey: z.string().describe('The partition key.'),
      sequenceNumber: z.string().describe('The sequence number.'),
      shardId: z.string().describe('The shard.'),
      approximateArrivalTimestamp: z.string().optional().describe('When the record arrived.'),
    }),
  examples: [
    triggerExample(
      'aws.kinesis.RealtimeTrigger',
      'Process each record at once.',
      [
        'streamName: orders',
        'consumerArn: arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/flow:1',
      ],
      'trigger.data',
    ),
  ],
  async listen(context, input, emit) {
    const client = await openClient(context, input, 'kinesis');
    await subscribeAll(context, client, input, emit);
  },
});

interface Subscription extends Start {
  readonly streamName: string;
  readonly consumerArn: string;
  readonly shardDiscoveryInterval: number;
}

async function subscribeAll(
  context: TriggerContext,
  client: AwsClient,
  input: Subscription,
  emit: Emit,
): Promise<void> {
  const { signal } = context;
  const memory = readMemory(context);
  const positions = { ...memory.positions };
  const since = memory.since ?? Date.now();
  const start = continueFrom(memory, input);
  const running = new Map<string, Promise<void>>();
  let failure: unknown;
  while (!signal.aborted && failure === undefined) {
    for (const shardId of await listShards(client, input.streamName)) {
      if (running.has(shardId)) continue;
      const shard = subscribeShard(shardId).catch((error: unknown) => {
        failure ??= signal.aborted ? undefined : error;
      });
      running.set(shardId, shard);
    }
    await delay(input.shardDiscoveryInterval, undefined, { signal }).catch(() => {});
  }
  await Promise.all(running.values());
  if (failure !== undefined) throw failure;

  /** A subscription lives for five minutes; the next one continues where it ended. */
  async function subscribeShard(shardId: string): Promise<void> {
    let position: Position = start(shardId);
    for (;;) {
      let isClosed = false;
      try {
        for await (const event of await subscribe(shardId, position)) {
          for (const raw of event.Records) {
            positions[shardId] = raw.SequenceNumber;
            context.remember({ positions: { ...positions }, since });
            await emit({ ...toRecord(raw, shardId) }, { key: `${shardId}:${raw.SequenceNumber}` });
          }
          const next = event.ContinuationSequenceNumber;
          isClosed = !next;
          if (next) position = { iteratorType: 'AFTER_SEQUENCE_NUMBER', sequenceNumber: next };
        }
        if (isClosed) return;
      } catch (error) {
        signal.throwIfAborted();
        const isFinal =
          error instanceof AwsError &&
          !error.failure.isTransient &&
          error.failure.code !== 'ResourceInUseException';
        if (isFinal) throw error;
        await context.log('WARN', `${shardId}: ${messageOf(error)} Subscribing again.`);
      }
      // The service allows one subscription of a shard per five seconds.
      await delay(5_000, undefined, { signal });
    }
  }

  async function subscribe(shardId: string, { iteratorType, sequenceNumber, timestamp }: Position) {
    const response = await client.send({
      action: 'SubscribeToShard',
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'Kinesis_20131202.SubscribeToShard',
      },
      body: JSON.stringify({
        ConsumerARN: input.consumerArn,
        ShardId: shardId,
        StartingPosition: {
          Type: iteratorType,
          ...dropMissing({
            SequenceNumber: sequenceNumber,
            Timestamp: timestamp === undefined ? undefined : timestamp / 1000,
          }),
        },
      }),
    });
    return eventsOf(response.body);
  }
}

async function* eventsOf(body: AsyncIterable<Uint8Array>) {
  for await (const { type, payload } of readEventStream(body))
    if (type === 'SubscribeToShardEvent') yield SubscribeEvent.parse(payload);
}

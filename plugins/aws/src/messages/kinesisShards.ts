import { setTimeout as delay } from 'node:timers/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import { dropMissing } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, AwsError } from '../client/awsClient.ts';

export type IteratorType =
  | 'AT_SEQUENCE_NUMBER'
  | 'AFTER_SEQUENCE_NUMBER'
  | 'TRIM_HORIZON'
  | 'LATEST'
  | 'AT_TIMESTAMP';

/** Where the reading of a shard begins. */
export interface Position {
  readonly iteratorType: IteratorType;
  readonly sequenceNumber?: string | undefined;
  /** In milliseconds. */
  readonly timestamp?: number | undefined;
}

export interface KinesisRecord {
  readonly data: string;
  readonly partitionKey: string;
  readonly sequenceNumber: string;
  readonly shardId: string;
  readonly approximateArrivalTimestamp?: string | undefined;
}

const Shards = z.object({
  Shards: z.array(z.looseObject({ ShardId: z.string() })),
  NextToken: z.string().nullish(),
});

export const RawRecord = z.looseObject({
  Data: z.string(),
  PartitionKey: z.string(),
  SequenceNumber: z.string(),
  ApproximateArrivalTimestamp: z.number().optional(),
});

export const toRecord = (raw: z.infer<typeof RawRecord>, shardId: string): KinesisRecord => ({
  data: Buffer.from(raw.Data, 'base64').toString('utf8'),
  partitionKey: raw.PartitionKey,
  sequenceNumber: raw.SequenceNumber,
  shardId,
  ...(raw.ApproximateArrivalTimestamp !== undefined && {
    approximateArrivalTimestamp: new Date(raw.ApproximateArrivalTimestamp * 1000).toISOString(),
  }),
});

export async function listShards(client: AwsClient, streamName: string): Promise<string[]> {
  const found: string[] = [];
  for (let token: string | undefined; ; ) {
    const page = await client.json(
      'ListShards',
      token === undefined ? { StreamName: streamName } : { NextToken: token },
      Shards,
    );
    found.push(...page.Shards.map(({ ShardId }) => ShardId));
    if (!page.NextToken) return found;
    token = page.NextToken;
  }
}

const Iterator = z.object({ ShardIterator: z.string() });
const Records = z.object({
  Records: z.array(RawRecord),
  NextShardIterator: z.string().nullish(),
});

async function openIterator(
  client: AwsClient,
  streamName: string,
  shardId: string,
  { iteratorType, sequenceNumber, timestamp }: Position,
): Promise<string> {
  const { ShardIterator } = await client.json(
    'GetShardIterator',
    {
      StreamName: streamName,
      ShardId: shardId,
      ShardIteratorType: iteratorType,
      ...dropMissing({
        StartingSequenceNumber: sequenceNumber,
        Timestamp: timestamp === undefined ? undefined : timestamp / 1000,
      }),
    },
    Iterator,
  );
  return ShardIterator;
}

interface Reading {
  readonly streamName: string;
  readonly maxRecords: number;
  readonly maxDurationMs: number;
  readonly pollMs: number;
  readonly positionOf: (shardId: string) => Position;
}

/** Reads records of all shards round-robin, until the count or the time limit is reached. */
export async function* readShards(
  { signal }: Pick<TaskContext, 'signal'>,
  client: AwsClient,
  { streamName, maxRecords, maxDurationMs, pollMs, positionOf }: Reading,
): AsyncGenerator<KinesisRecord, void, undefined> {
  const deadline = Date.now() + maxDurationMs;
  const iterators = new Map<string, string>();
  for (const shardId of await listShards(client, streamName))
    iterators.set(shardId, await openIterator(client, streamName, shardId, positionOf(shardId)));
  const last = new Map<string, string>();
  for (let count = 0; iterators.size > 0; ) {
    for (const [shardId, iterator] of [...iterators]) {
      const page = await readPage(iterator, shardId, Math.min(10_000, maxRecords - count));
      for (const raw of page.Records) {
        last.set(shardId, raw.SequenceNumber);
        yield toRecord(raw, shardId);
      }
      count += page.Records.length;
      // A shard that was split or merged has an end.
      if (page.NextShardIterator) iterators.set(shardId, page.NextShardIterator);
      else iterators.delete(shardId);
      if (count >= maxRecords) return;
    }
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) return;
    await delay(Math.min(pollMs, leftMs), undefined, { signal });
  }

  /** An iterator is valid for five minutes; a slow reader opens another where it was. */
  async function readPage(
    iterator: string,
    shardId: string,
    limit: number,
  ): Promise<z.infer<typeof Records>> {
    try {
      return await client.json('GetRecords', { ShardIterator: iterator, Limit: limit }, Records);
    } catch (error) {
      if (!(error instanceof AwsError) || error.failure.code !== 'ExpiredIteratorException') throw error;
      const sequenceNumber = last.get(shardId);
      const position: Position =
        sequenceNumber === undefined
          ? positionOf(shardId)
          : { iteratorType: 'AFTER_SEQUENCE_NUMBER', sequenceNumber };
      const fresh = await openIterator(client, streamName, shardId, position);
      return client.json('GetRecords', { ShardIterator: fresh, Limit: limit }, Records);
    }
  }
}

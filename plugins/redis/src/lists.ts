import {
  type Definition,
  defineTask,
  duration,
  integer,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { deserialize, type SerdeType, serdeTypeProperty, urlProperty, withRedis } from './client.ts';
import { redisExample } from './example.ts';
import { readValues } from './values.ts';

export const listProperties = {
  url: urlProperty(),
  key: text().describe('The key of the list.'),
  serdeType: serdeTypeProperty(),
};

export const popProperties = {
  ...listProperties,
  count: integer({ min: 1 }).default(100).describe('How many values are taken at once.'),
  maxRecords: integer({ min: 1 }).optional().describe('Stop after this many values.'),
  maxDuration: duration().optional().describe('Stop after this time, even when values still arrive.'),
};

export const popOutput = z.object({
  count: z.number().describe('How many values were taken.'),
  uri: z.string().optional().describe('A file with a value per row; absent when there was none.'),
});

const push = defineTask({
  type: 'redis.list.ListPush',
  title: 'Push values to a list in Redis',
  description: 'Adds values at the head of a list: the rows of a stored file, a list, or one value.',
  aliases: ['io.kestra.plugin.redis.ListPush'],
  input: () =>
    z.object({
      ...listProperties,
      from: someValue().describe('A file in internal storage, a list, or one value.'),
      batchSize: integer({ min: 1 }).default(500).describe('How many values are sent at once.'),
    }),
  output: () => z.object({ count: z.number().describe('How many values were added.') }),
  metrics: [{ name: 'inserted.records.count', type: 'counter', description: 'How many values were added.' }],
  sideEffects: true,
  examples: [
    redisExample('list.ListPush', 'Add two values.', ['key: jobs', 'from:', '  - first', '  - second']),
  ],
  run: (context, { url, key, from, serdeType, batchSize }) =>
    withRedis(context, url, async (redis) => {
      let count = 0;
      let batch: string[] = [];
      const flush = async () => {
        if (batch.length > 0) await redis.lpush(key, ...batch);
        count += batch.length;
        batch = [];
      };
      for await (const value of readValues(context, from, serdeType)) {
        batch.push(value);
        if (batch.length >= batchSize) await flush();
      }
      await flush();
      context.metric({ name: 'inserted.records.count', type: 'counter', value: count });
      return { count };
    }),
});

const pop = defineTask({
  type: 'redis.list.ListPop',
  title: 'Take values from a list in Redis',
  description: `Takes values from the head of a list and stores them in a file, a value per row. It stops when the list is empty, or at \`maxRecords\` or
\`maxDuration\`, one of which must be given.`,
  aliases: ['io.kestra.plugin.redis.ListPop'],
  input: () => z.object(popProperties),
  output: popOutput,
  metrics: [{ name: 'popped.records.count', type: 'counter', description: 'How many values were taken.' }],
  sideEffects: true,
  examples: [redisExample('list.ListPop', 'Take up to 1,000 values.', ['key: jobs', 'maxRecords: 1000'])],
  run: (context, input) => withRedis(context, input.url, (redis) => popAll(context, redis, input)),
});

/** Without a limit a list that is filled faster than it is read would never end. */
export function requireLimit({ maxRecords, maxDuration }: Pick<Pop, 'maxRecords' | 'maxDuration'>): void {
  if (maxRecords === undefined && maxDuration === undefined)
    throw new TaskFailed('One of "maxRecords" and "maxDuration" must be given.', { retry: false });
}

export interface Pop {
  readonly key: string;
  readonly serdeType: SerdeType;
  readonly count: number;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

async function popAll(context: TaskContext, redis: Redis, input: Pop): Promise<z.infer<typeof popOutput>> {
  requireLimit(input);
  const { key, serdeType, count: atOnce, maxRecords = Number.POSITIVE_INFINITY } = input;
  const deadline = Date.now() + (input.maxDuration ?? Number.POSITIVE_INFINITY);
  const first = await redis.lpop(key, Math.min(atOnce, maxRecords));
  if (first === null) return { count: 0 };
  let count = 0;
  const rows = async function* () {
    for (let batch: string[] | null = first; batch; ) {
      for (const value of batch) yield toRow(deserialize(value, serdeType));
      count += batch.length;
      const left = Math.min(atOnce, maxRecords - count);
      if (left <= 0 || Date.now() >= deadline) return;
      batch = await redis.lpop(key, left);
    }
  };
  const uri = await context.files.put('values.ion', rows());
  context.metric({ name: 'popped.records.count', type: 'counter', value: count });
  return { count, uri };
}

const publish = defineTask({
  type: 'redis.pubsub.Publish',
  title: 'Publish messages to a Redis channel',
  description: 'Sends messages to a channel: the rows of a stored file, a list, or one value.',
  aliases: ['io.kestra.plugin.redis.Publish'],
  input: () =>
    z.object({
      url: urlProperty(),
      channel: text().describe('The channel.'),
      from: someValue().describe('A file in internal storage, a list, or one value.'),
      serdeType: serdeTypeProperty(),
    }),
  output: () => z.object({ count: z.number().describe('How many messages were sent.') }),
  metrics: [
    { name: 'published.records.count', type: 'counter', description: 'How many messages were sent.' },
  ],
  sideEffects: true,
  examples: [redisExample('pubsub.Publish', 'Send a message.', ['channel: news', 'from: hello'])],
  run: (context, { url, channel, from, serdeType }) =>
    withRedis(context, url, async (redis) => {
      let count = 0;
      for await (const message of readValues(context, from, serdeType)) {
        await redis.publish(channel, message);
        count += 1;
      }
      context.metric({ name: 'published.records.count', type: 'counter', value: count });
      return { count };
    }),
});

export const listTasks: readonly Definition[] = [push, pop, publish];

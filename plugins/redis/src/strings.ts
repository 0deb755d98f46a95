import {
  decimal,
  defineTask,
  flag,
  listOf,
  someValue,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { deserialize, serdeTypeProperty, serialize, urlProperty, withRedis } from './client.ts';
import { redisExample } from './example.ts';
import { expirationOptions, expiresAt, setArguments, setOptions } from './options.ts';

const keyProperty = () => text().describe('The key.');
export const missingKey = (key: string): TaskFailed =>
  new TaskFailed(`There is no key "${key}".`, { retry: false });

const get = defineTask({
  type: 'redis.string.Get',
  title: 'Get a value from Redis',
  description: 'Reads the value of a key.',
  aliases: ['io.kestra.plugin.redis.Get'],
  input: () =>
    z.object({
      url: urlProperty(),
      key: keyProperty(),
      serdeType: serdeTypeProperty(),
      failedOnMissing: flag().default(false).describe('Fail when the key does not exist.'),
    }),
  output: () =>
    z.object({
      data: z.unknown().describe('The value; null when the key does not exist.'),
      key: z.string().describe('The key.'),
    }),
  sideEffects: true,
  examples: [redisExample('string.Get', 'Read a value.', ['key: orders:last', 'serdeType: JSON'])],
  run: (context, { url, key, serdeType, failedOnMissing }) =>
    withRedis(context, url, async (redis) => {
      const found = await redis.get(key);
      if (found === null && failedOnMissing) throw missingKey(key);
      return { data: found === null ? null : deserialize(found, serdeType), key };
    }),
});

const set = defineTask({
  type: 'redis.string.Set',
  title: 'Set a value in Redis',
  description: 'Stores a value under a key.',
  aliases: ['io.kestra.plugin.redis.Set'],
  input: () =>
    z.object({
      url: urlProperty(),
      key: keyProperty(),
      value: someValue().describe('The value.'),
      options: setOptions(),
      get: flag().default(false).describe('Return the value that the key had before.'),
      serdeType: serdeTypeProperty(),
    }),
  output: () => z.object({ oldValue: z.unknown().optional().describe('The value before, with `get`.') }),
  sideEffects: true,
  examples: [
    redisExample('string.Set', 'Store a value for an hour.', [
      'key: orders:last',
      'value: "{{ execution.id }}"',
      'options:',
      '  expirationDuration: PT1H',
    ]),
  ],
  run: (context, { url, key, value, options, get: isGet, serdeType }) =>
    withRedis(context, url, async (redis) => {
      const stored = serialize(value, serdeType);
      const answer = await redis.call('SET', key, stored, ...setArguments(options, isGet));
      const isSkipped = answer === null && (options.mustExist || options.mustNotExist) && !isGet;
      if (isSkipped) await context.log('INFO', `The key "${key}" was left as it is.`);
      return isGet ? { oldValue: typeof answer === 'string' ? deserialize(answer, serdeType) : null } : {};
    }),
});

const remove = defineTask({
  type: 'redis.string.Delete',
  title: 'Delete keys from Redis',
  description: 'Deletes keys, whatever they hold.',
  aliases: ['io.kestra.plugin.redis.Delete'],
  input: () =>
    z.object({
      url: urlProperty(),
      keys: listOf(text(), { min: 1 }).describe('The keys.'),
      failedOnMissing: flag().default(false).describe('Fail when one of the keys does not exist.'),
    }),
  output: () => z.object({ count: z.number().describe('How many keys were deleted.') }),
  metrics: [{ name: 'deleted.records.count', type: 'counter', description: 'How many keys were deleted.' }],
  sideEffects: true,
  examples: [redisExample('string.Delete', 'Delete a key.', ['keys:', '  - orders:last'])],
  run: (context, { url, keys, failedOnMissing }) =>
    withRedis(context, url, async (redis) => {
      const count = await redis.del(...keys);
      context.metric({ name: 'deleted.records.count', type: 'counter', value: count });
      if (failedOnMissing && count < keys.length)
        throw new TaskFailed(`Only ${count} of ${keys.length} keys existed.`, {
          retry: false,
          outputs: { count },
        });
      return { count };
    }),
});

const increment = defineTask({
  type: 'redis.string.Increment',
  title: 'Increment a number in Redis',
  description: 'Adds to the number of a key; a missing key counts as 0.',
  input: () =>
    z.object({
      url: urlProperty(),
      key: keyProperty(),
      amount: decimal()
        .default(1)
        .describe('The number to add; a fraction and a negative number are allowed.'),
      options: expirationOptions(),
    }),
  output: () =>
    z.object({ value: z.number().describe('The new number.'), key: z.string().describe('The key.') }),
  sideEffects: true,
  examples: [redisExample('string.Increment', 'Count executions.', ['key: executions', 'amount: 1'])],
  run: (context, { url, key, amount, options }) =>
    withRedis(context, url, async (redis) => {
      const value = Number.isInteger(amount)
        ? await redis.incrby(key, amount)
        : Number(await redis.incrbyfloat(key, amount));
      const at = options && expiresAt(options, Date.now());
      if (at !== undefined) await redis.pexpireat(key, Math.round(at));
      return { value, key };
    }),
});

const ttl = defineTask({
  type: 'redis.string.Ttl',
  title: 'Get the time to live of a key in Redis',
  description: 'Returns the seconds until a key expires.',
  input: () => z.object({ url: urlProperty(), key: keyProperty() }),
  output: () =>
    z.object({
      ttl: z.number().describe('The seconds; -1 when the key never expires, -2 when it does not exist.'),
      key: z.string().describe('The key.'),
    }),
  sideEffects: true,
  examples: [redisExample('string.Ttl', 'Read the time to live.', ['key: orders:last'])],
  run: (context, { url, key }) =>
    withRedis(context, url, async (redis) => ({ ttl: await redis.ttl(key), key })),
});

export const stringTasks: readonly TaskDefinition[] = [get, set, remove, increment, ttl];

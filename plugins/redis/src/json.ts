import {
  decimal,
  defineTask,
  flag,
  listOf,
  mapOf,
  part,
  someValue,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { urlProperty, withRedis } from './client.ts';
import { redisExample } from './example.ts';
import { expirationOptions, expiresAt } from './options.ts';
import { missingKey } from './strings.ts';

const words = 'The server needs RedisJSON, which Redis Stack and Redis 8 have.';
const pathProperty = () => text().default('$').describe('The JSONPath inside the document.');

const get = defineTask({
  type: 'redis.json.Get',
  title: 'Get a JSON document from Redis',
  description: `Reads a document or a part of it. ${words}`,
  input: () =>
    z.object({
      url: urlProperty(),
      key: text().describe('The key.'),
      path: pathProperty(),
      failedOnMissing: flag().default(false).describe('Fail when the key or the path does not exist.'),
    }),
  output: () =>
    z.object({
      data: z
        .unknown()
        .describe('The value; a list when the path has several matches, null when it has none.'),
      key: z.string().describe('The key.'),
    }),
  sideEffects: true,
  examples: [
    redisExample('json.Get', 'Read a part of a document.', ['key: order:1', 'path: $.customer.name']),
  ],
  run: (context, { url, key, path, failedOnMissing }) =>
    withRedis(context, url, async (redis) => {
      const found = await redis.call('JSON.GET', key, path);
      const matches: unknown = typeof found === 'string' ? JSON.parse(found) : [];
      const list = Array.isArray(matches) && path.startsWith('$') ? matches : [matches];
      if (list.length === 0 && failedOnMissing) throw missingKey(`${key} ${path}`);
      return { data: list.length > 1 ? list : (list[0] ?? null), key };
    }),
});

const set = defineTask({
  type: 'redis.json.Set',
  title: 'Set a JSON document in Redis',
  description: `Stores a document or a part of it. ${words}`,
  input: () =>
    z.object({
      url: urlProperty(),
      key: text().describe('The key.'),
      value: someValue().describe('The value; a text that is JSON is read as JSON.'),
      path: pathProperty(),
      get: flag().default(false).describe('Return the value before.'),
      options: part({
        mustNotExist: flag().default(false).describe('Only set a path that does not exist.'),
        mustExist: flag().default(false).describe('Only set a path that exists.'),
      })
        .prefault({})
        .describe('When the value is set.'),
    }),
  output: () => z.object({ oldValue: z.unknown().optional().describe('The value before, with `get`.') }),
  sideEffects: true,
  examples: [redisExample('json.Set', 'Store a document.', ['key: order:1', 'value:', '  customer: Ada'])],
  run: (context, { url, key, value, path, get: isGet, options }) =>
    withRedis(context, url, async (redis) => {
      const before = isGet ? await redis.call('JSON.GET', key, path) : undefined;
      const json = typeof value === 'string' && isJson(value) ? value : JSON.stringify(value);
      const condition = options.mustNotExist ? ['NX'] : options.mustExist ? ['XX'] : [];
      await redis.call('JSON.SET', key, path, json, ...condition);
      return isGet ? { oldValue: typeof before === 'string' ? JSON.parse(before) : null } : {};
    }),
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const remove = defineTask({
  type: 'redis.json.Delete',
  title: 'Delete JSON values from Redis',
  description: `Deletes paths of documents. ${words}`,
  input: () =>
    z.object({
      url: urlProperty(),
      keys: mapOf(listOf(text())).describe(
        'From key to the paths in its document; no path deletes all of it.',
      ),
      failedOnMissing: flag().default(false).describe('Fail when something does not exist.'),
    }),
  output: () => z.object({ count: z.number().describe('How many values were deleted.') }),
  metrics: [{ name: 'deleted.records.count', type: 'counter', description: 'How many values were deleted.' }],
  sideEffects: true,
  examples: [
    redisExample('json.Delete', 'Delete a part of a document.', ['keys:', '  order:1: ["$.customer"]']),
  ],
  run: (context, { url, keys, failedOnMissing }) =>
    withRedis(context, url, async (redis) => {
      let count = 0;
      for (const [key, paths] of Object.entries(keys)) {
        for (const path of paths.length === 0 ? ['$'] : paths) {
          const deleted = Number(await redis.call('JSON.DEL', key, path));
          if (deleted === 0 && failedOnMissing) throw missingKey(`${key} ${path}`);
          count += deleted;
        }
      }
      context.metric({ name: 'deleted.records.count', type: 'counter', value: count });
      return { count };
    }),
});

const increment = defineTask({
  type: 'redis.json.Increment',
  title: 'Increment a number of a JSON document in Redis',
  description: `Adds to a number inside a document. ${words}`,
  input: () =>
    z.object({
      url: urlProperty(),
      key: text().describe('The key.'),
      path: text().describe('The JSONPath of the number.'),
      amount: decimal().default(1).describe('The number to add.'),
      options: expirationOptions(),
    }),
  output: () =>
    z.object({ value: z.number().describe('The new number.'), key: z.string().describe('The key.') }),
  sideEffects: true,
  examples: [
    redisExample('json.Increment', 'Add to a number.', ['key: order:1', 'path: $.count', 'amount: 2']),
  ],
  run: (context, { url, key, path, amount, options }) =>
    withRedis(context, url, async (redis) => {
      const answer: unknown = JSON.parse(
        String(await redis.call('JSON.NUMINCRBY', key, path, String(amount))),
      );
      const value = Array.isArray(answer) ? answer.find((each) => typeof each === 'number') : answer;
      if (typeof value !== 'number')
        throw new TaskFailed(`There is no number at "${path}" of "${key}".`, { retry: false });
      const at = options && expiresAt(options, Date.now());
      if (at !== undefined) await redis.pexpireat(key, Math.round(at));
      return { value, key };
    }),
});

export const jsonTasks: readonly TaskDefinition[] = [get, set, remove, increment];

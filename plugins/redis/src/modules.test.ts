import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redisFamily } from './index.ts';
import { type RedisStub, type Reply, startRedisStub } from './testing/redisStub.ts';

/*
 * Documents and vector sets, which the Redis of Debian does not have, against a server with the protocol of Redis that
 * responds as the documentation of each command says.
 */

let replies: Reply[] = [];
const commands: string[] = [];

let stub: RedisStub;
beforeAll(async () => {
  stub = await startRedisStub((words) => {
    commands.push(words.join(' '));
    return replies.shift() ?? null;
  });
});
afterAll(() => stub.close());

test.each<[type: string, properties: object, sent: string[], replied: Reply[], outputs: object | string]>([
  ['json.Get', { key: 'o', path: '$.a' }, ['JSON.GET o $.a'], ['[7]'], { data: 7, key: 'o' }],
  ['json.Get', { key: 'o', path: '$..a' }, ['JSON.GET o $..a'], ['[7,8]'], { data: [7, 8], key: 'o' }],
  ['json.Get', { key: 'o' }, ['JSON.GET o $'], [null], { data: null, key: 'o' }],
  ['json.Get', { key: 'o', failedOnMissing: true }, ['JSON.GET o $'], [null], 'no key "o $"'],
  ['json.Set', { key: 'o', value: { a: [1] } }, ['JSON.SET o $ {"a":[1]}'], ['OK'], {}],
  [
    'json.Set',
    { key: 'o', path: '$.a', value: 'x', get: true, options: { mustExist: true } },
    ['JSON.GET o $.a', 'JSON.SET o $.a "x" XX'],
    ['["old"]', 'OK'],
    { oldValue: ['old'] },
  ],
  [
    'json.Delete',
    { keys: { o: ['$.a', '$.b'], p: [] } },
    ['JSON.DEL o $.a', 'JSON.DEL o $.b', 'JSON.DEL p $'],
    [1, 0, 1],
    { count: 2 },
  ],
  ['json.Delete', { keys: { o: ['$.a'] }, failedOnMissing: true }, ['JSON.DEL o $.a'], [0], 'o $.a'],
  [
    'json.Increment',
    { key: 'o', path: '$.n', amount: 2 },
    ['JSON.NUMINCRBY o $.n 2'],
    ['[5]'],
    { value: 5, key: 'o' },
  ],
  ['json.Increment', { key: 'o', path: '$.n' }, ['JSON.NUMINCRBY o $.n 1'], ['[null]'], 'no number at "$.n"'],
  [
    'vector.Add',
    {
      key: 'w',
      element: 'apple',
      vector: [0.5, 1],
      reduceDim: 1,
      quantization: 'Q8',
      explorationFactor: 9,
      maxNodes: 4,
      checkAndSet: true,
      attributes: { year: 2000 },
    },
    ['VADD w REDUCE 1 VALUES 2 0.5 1 apple CAS Q8 EF 9 SETATTR {"year":2000} M 4'],
    [1],
    { added: true },
  ],
  ['vector.Delete', { key: 'w', elements: ['a', 'b'] }, ['VREM w a', 'VREM w b'], [1, 0], { count: 1 }],
  ['vector.Delete', { key: 'w', elements: ['a'], failedOnMissing: true }, ['VREM w a'], [0], 'Only 0 of 1'],
  [
    'vector.Similarity',
    { key: 'w', element: 'apple', count: 2, filter: '.year > 2000' },
    ['VSIM w ELE apple WITHSCORES COUNT 2 FILTER .year > 2000'],
    [['apple', '1', 'pear', '0.75']],
    { matches: ['apple', 'pear'], scores: { apple: 1, pear: 0.75 } },
  ],
  [
    'vector.Similarity',
    { key: 'w', vector: [0.5, 1] },
    ['VSIM w VALUES 2 0.5 1 WITHSCORES'],
    [[]],
    { matches: [], scores: {} },
  ],
])('redis.%s with %j sends %j', async (type, properties, sent, replied, outputs) => {
  commands.length = 0;
  replies = [...replied];
  const url = `redis://127.0.0.1:${stub.port}`;
  const definition = redisFamily.types.find((each) => each.type === `redis.${type}`) as TaskDefinition; // a task's name
  const running = runType(definition, { url, ...properties }, aTaskContext(realNetwork()));
  if (typeof outputs === 'string') await expect(running).rejects.toThrow(outputs);
  else expect(await running).toEqual(outputs);
  expect(commands).toEqual(sent);
});

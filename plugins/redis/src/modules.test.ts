import { type AddressInfo, createServer } from 'node:net';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redisFamily } from './index.ts';

/*
 * Documents and vector sets, which the Redis of Debian does not have, against a server with the protocol of Redis that
 * responds as the documentation of each command says.
 */

type Reply = string | number | null | readonly Reply[];
let replies: Reply[] = [];
const commands: string[] = [];

const encode = (reply: Reply): string => {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(encode).join('')}`;
};

/** Reads whole commands, which are lists of texts, and returns what is left. */
function takeCommands(text: string, take: (words: readonly string[]) => void): string {
  for (let rest = text; ; ) {
    const head = /^\*(\d+)\r\n/.exec(rest);
    if (!head) return rest;
    const words: string[] = [];
    let at = head[0].length;
    for (let count = Number(head[1]); count > 0; count--) {
      const [line, length] = /^\$(\d+)\r\n/.exec(rest.slice(at)) ?? [];
      if (line === undefined || rest.length < at + line.length + Number(length) + 2) return rest;
      words.push(rest.slice(at + line.length, at + line.length + Number(length)));
      at += line.length + Number(length) + 2;
    }
    take(words);
    rest = rest.slice(at);
  }
}

const server = createServer((socket) => {
  let left = '';
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    left = takeCommands(left + chunk, (words) => {
      // Commands with which the client opens a connection.
      if (words[0]?.toLowerCase() === 'info') return socket.write(encode('redis_version:8.0.0\r\n'));
      if (words[0]?.toLowerCase() === 'client') return socket.write('+OK\r\n');
      commands.push(words.join(' '));
      return socket.write(encode(replies.shift() ?? null));
    });
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

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
  const definition = redisFamily.types.find((each) => each.type === `redis.${type}`) as TaskDefinition; // a task's name
  const running = runType(definition, { url, ...properties }, aTaskContext(realNetwork()));
  if (typeof outputs === 'string') await expect(running).rejects.toThrow(outputs);
  else expect(await running).toEqual(outputs);
  expect(commands).toEqual(sent);
});

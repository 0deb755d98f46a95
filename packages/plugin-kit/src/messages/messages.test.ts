import { expect, test } from 'vitest';
import { aTaskContext } from '../testing/testContext.ts';
import { MessageBuffer } from './messageBuffer.ts';
import { readMessages } from './readMessages.ts';
import { deserializeMessage, serializeMessage, toOutputValue } from './serdes.ts';
import { storeMessages } from './storeMessages.ts';

async function listOf(from: unknown, context = aTaskContext()) {
  const messages: unknown[] = [];
  for await (const message of readMessages(context, from)) messages.push(message);
  return messages;
}

test('messages are read from a value, a list, JSON text and the rows of a file', async () => {
  const context = aTaskContext();
  const uri = await context.files.put('rows.ion', '{"value":1}\n{value:2}\n');
  expect(await listOf({ value: 1 })).toEqual([{ value: 1 }]);
  expect(await listOf('hello')).toEqual(['hello']);
  expect(await listOf('[{"value":1},"two"]')).toEqual([{ value: 1 }, 'two']);
  expect(await listOf(uri, context)).toEqual([{ value: 1 }, { value: 2 }]);
  const typed = await context.files.put(
    'typed.ion',
    '{at:2026-01-31T00:00:00Z,price:1.5,big:12345678901234567890}\n',
  );
  expect(await listOf(typed, context)).toEqual([
    { at: '2026-01-31T00:00:00Z', price: 1.5, big: '12345678901234567890' },
  ]);
  expect(await listOf([uri, { value: 3 }], context)).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
});

const store = async (messages: readonly number[], limits: object) => {
  const context = aTaskContext();
  const left = [...messages];
  const next = async () => left.shift();
  const { count, uri } = await storeMessages(context, {
    next,
    toRow: (value) => ({ value }),
    storeEmpty: false,
    ...limits,
  });
  return { count, left: left.length, rows: uri === undefined ? undefined : await listOf(uri, context) };
};

test('messages are stored until a limit is reached', async () => {
  expect(await store([1, 2, 3], { maxRecords: 2 })).toEqual({
    count: 2,
    left: 1,
    rows: [{ value: 1 }, { value: 2 }],
  });
  expect(await store([1], { maxDuration: 1 })).toMatchObject({ count: 1 });
  expect(await store([1], { maxIdle: 1 })).toMatchObject({ count: 1 });
  expect(await store([], { maxIdle: 1 })).toEqual({ count: 0, left: 0, rows: undefined });
  expect(await store([], { maxIdle: 1, storeEmpty: true })).toMatchObject({ count: 0, rows: [] });
});

test('storing messages ends when the task is killed', async () => {
  const context = aTaskContext();
  const buffer = new MessageBuffer<number>();
  const storing = storeMessages(context, {
    next: () => buffer.next(10),
    toRow: (value) => value,
    storeEmpty: false,
  });
  context.kill();
  await expect(storing).rejects.toThrow();
});

test('a buffer hands messages over in order and fails with its connection', async () => {
  const buffer = new MessageBuffer<number>();
  const first = buffer.next(60_000);
  buffer.push(1);
  buffer.push(2);
  expect([await first, await buffer.next(0), await buffer.next(0)]).toEqual([1, 2, undefined]);
  const waiting = buffer.next(60_000);
  buffer.fail(new Error('the connection broke'));
  await expect(waiting).rejects.toThrow('the connection broke');
  await expect(buffer.next(0)).rejects.toThrow('the connection broke');
});

test('contents are text, JSON or bytes', () => {
  const context = aTaskContext();
  const sent = (value: unknown, serde: 'STRING' | 'JSON' | 'BYTES') =>
    serializeMessage(value, serde).toString();
  expect([sent('a', 'STRING'), sent({ a: 1 }, 'STRING'), sent('a', 'BYTES')]).toEqual(['a', '{"a":1}', 'a']);
  expect([sent('{"a":1}', 'JSON'), sent('a', 'JSON'), sent(1, 'JSON')]).toEqual(['{"a":1}', '"a"', '1']);
  const bytes = Buffer.from('{"a":1}');
  expect(deserializeMessage(context, bytes, 'JSON')).toEqual({ a: 1 });
  expect(deserializeMessage(context, bytes, 'STRING')).toBe('{"a":1}');
  expect(toOutputValue(deserializeMessage(context, bytes, 'BYTES'))).toBe(bytes.toString('base64'));
  expect(deserializeMessage(context, Buffer.from('no json'), 'JSON')).toBe('no json');
  expect(context.logs).toMatchObject([{ level: 'WARN', message: expect.stringContaining('no json') }]);
});

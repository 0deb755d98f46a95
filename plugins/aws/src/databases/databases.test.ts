import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { storedRows } from '@millrace/plugin-kit/testing';
import dynalite from 'dynalite';
import kinesalite from 'kinesalite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from '../testing/awsDouble.ts';
import { anAwsContext, pollAws, runAws } from '../testing/runAws.ts';

async function start(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return { endpointOverride: `http://127.0.0.1:${port}`, region: 'us-east-1', ...keys };
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await delay(20);
}

const targets = { dynamodb: 'DynamoDB_20120810', kinesis: 'Kinesis_20131202' };

/** A call that prepares a test; these servers do not check the signature. */
async function call(
  service: keyof typeof targets,
  connection: { endpointOverride: string },
  action: string,
  input: object,
) {
  const response = await fetch(connection.endpointOverride, {
    method: 'POST',
    headers: {
      'content-type': `application/x-amz-json-${service === 'kinesis' ? '1.1' : '1.0'}`,
      'x-amz-target': `${targets[service]}.${action}`,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=a`,
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  return z.record(z.string(), z.unknown()).parse(text === '' ? {} : JSON.parse(text));
}

describe('DynamoDB', () => {
  const server = dynalite({ createTableMs: 0 });
  let connection: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    connection = await start(server);
    await call('dynamodb', connection, 'CreateTable', {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'number', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'number', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    });
    const isActive = async () => {
      const found = await call('dynamodb', connection, 'DescribeTable', { TableName: 'orders' });
      return z.looseObject({ TableStatus: z.string() }).parse(found.Table).TableStatus;
    };
    await waitUntil(async () => (await isActive()) === 'ACTIVE');
  });
  afterAll(() => void server.close());
  const run = (name: string, properties: object, context = anAwsContext()) =>
    runAws(`aws.dynamodb.${name}`, { ...connection, tableName: 'orders', ...properties }, context);

  test('values keep their types', async () => {
    const item = {
      customer: '1',
      number: 7,
      total: 12.5,
      paid: true,
      note: null,
      tags: ['a', 'b'],
      lines: [{ sku: 'x', count: 2 }, 3],
      address: { city: 'Köln' },
    };
    await run('PutItem', { item });
    const key = { customer: '1', number: 7 };
    expect(await run('GetItem', { key })).toEqual({ row: item });
    await run('PutItem', { item: '{"customer":"json","number":1}' });
    await run('DeleteItem', { key });
    expect(await run('GetItem', { key })).toEqual({});
  });

  test('queries and scans page by page', async () => {
    const filler = 'x'.repeat(300_000);
    for (let number = 0; number < 8; number++)
      await run('PutItem', { item: { customer: 'many', number, filler, isOdd: number % 2 === 1 } });
    const query = { keyConditionExpression: 'customer = :c', expressionAttributeValues: { ':c': 'many' } };
    const context = anAwsContext();
    const stored = await run('Query', query, context);
    expect(stored.size).toBe(8);
    expect((await storedRows(context, stored.uri)).length).toBe(8);
    const odd = {
      ...query,
      filterExpression: 'isOdd = :odd',
      expressionAttributeValues: { ':c': 'many', ':odd': true },
      fetchType: 'FETCH',
    };
    const { rows } = await run('Query', { ...odd, limit: 3 });
    expect(
      z
        .array(z.looseObject({ number: z.number() }))
        .parse(rows)
        .map(({ number }) => number),
    ).toEqual([1, 3, 5]);
    expect(await run('Scan', { fetchType: 'NONE' })).toMatchObject({ size: 9 });
    expect(await run('Scan', { fetchType: 'FETCH_ONE', limit: 1 })).toMatchObject({ size: 1 });
  });

  test('says what is wrong', async () => {
    await expect(run('GetItem', { tableName: 'missing', key: { id: '1' } })).rejects.toThrow(
      'DynamoDB refused GetItem: ResourceNotFoundException',
    );
    await expect(run('PutItem', { item: 'no map' })).rejects.toThrow('"item" must be a map');
  });
});

describe('Kinesis', () => {
  const server = kinesalite({ createStreamMs: 0 });
  let connection: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    connection = await start(server);
    await call('kinesis', connection, 'CreateStream', { StreamName: 'orders', ShardCount: 2 });
    const status = async () => {
      const found = await call('kinesis', connection, 'DescribeStream', { StreamName: 'orders' });
      return z.looseObject({ StreamStatus: z.string() }).parse(found.StreamDescription).StreamStatus;
    };
    await waitUntil(async () => (await status()) === 'ACTIVE');
  });
  afterAll(() => void server.close());

  const put = (records: unknown, context = anAwsContext()) =>
    runAws('aws.kinesis.PutRecords', { ...connection, streamName: 'orders', records }, context);
  const quick = { maxDuration: 'PT0.5S', pollDuration: 'PT0.1S' };

  test('puts records and reads them from all shards', async () => {
    const context = anAwsContext();
    const records = Array.from({ length: 20 }, (_, index) => ({
      partitionKey: `k${index}`,
      data: { index },
    }));
    const done = await put(records, context);
    expect(done).toMatchObject({ recordCount: 20, failedRecordsCount: 0 });
    expect((await storedRows(context, done.uri))[0]).toMatchObject({
      shardId: expect.stringContaining('shardId-'),
    });
    const input = { ...connection, streamName: 'orders', iteratorType: 'TRIM_HORIZON', ...quick };
    const read = await runAws('aws.kinesis.Consume', { ...input, maxRecords: 20 }, context);
    const rows = z.array(z.object({ data: z.string() }).loose()).parse(await storedRows(context, read.uri));
    expect(rows.map(({ data }) => JSON.parse(data).index).sort((a, b) => a - b)).toEqual(
      records.map((_, index) => index),
    );
    expect(Object.keys(read.lastSequencePerShard as object)).toHaveLength(2);
  });

  test('the trigger starts with what is new and misses nothing between two polls', async () => {
    const poll = (memory: unknown) => {
      const context = { ...anAwsContext(), memory };
      let kept = memory;
      const remember = (value: unknown) => {
        kept = value;
      };
      const input = { ...connection, streamName: 'orders', ...quick };
      return pollAws('aws.kinesis.Trigger', input, { ...context, remember }).then((found) => ({
        found,
        memory: kept,
      }));
    };
    const first = await poll(undefined);
    expect(first.found).toBeUndefined();
    // Into both shards: kinesalite does not respond for a shard that is empty since a moment.
    await put(Array.from({ length: 20 }, (_, index) => ({ partitionKey: `k${index}`, data: 'one' })));
    const second = await poll(first.memory);
    expect(second.found).toMatchObject({ count: 20 });
    await put([
      { partitionKey: 'a', data: 'two' },
      { partitionKey: 'b', data: 'three' },
    ]);
    const third = await poll(second.memory);
    expect(third.found).toMatchObject({ count: 2 });
    expect((await poll(third.memory)).found).toBeUndefined();
  });
});

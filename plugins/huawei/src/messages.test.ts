import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startRocketMq } from './testing/rocketDouble.ts';
import { aContext, listen, poll, run } from './testing/runHuawei.ts';
import { type Call, startService } from './testing/serviceDouble.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

/** A stream with two partitions; a cursor is the partition and the next position. */
async function startDis() {
  const partitions: Record<string, { data: string; partition_key: string }[]> = { p0: [], p1: [] };
  const respond = ({ path, query, body }: Call) => {
    if (path === 'POST /v2/p1/records') {
      const records = (body.records as { data: string; partition_key: string }[]).map((record) => {
        if (record.data === encode('bad')) return { error_code: 'DIS.1', error_message: 'refused' };
        const target = partitions.p0 ?? [];
        target.push(record);
        return { partition_id: 'p0', sequence_number: String(target.length - 1) };
      });
      return { failed_record_count: 0, records };
    }
    if (path === 'GET /v2/p1/streams/orders')
      return query.start_partitionId === undefined
        ? { has_more_partitions: true, partitions: [{ partition_id: 'p0' }] }
        : { has_more_partitions: false, partitions: [{ partition_id: 'p1' }] };
    if (path === 'GET /v2/p1/cursors') {
      const id = query['partition-id'] ?? '';
      const starts: Record<string, number> = {
        TRIM_HORIZON: 0,
        LATEST: partitions[id]?.length ?? 0,
        AFTER_SEQUENCE_NUMBER: Number(query['starting-sequence-number']) + 1,
      };
      return { partition_cursor: `${id}:${starts[query['cursor-type'] ?? '']}` };
    }
    const [id = '', from] = (query['partition-cursor'] ?? '').split(':');
    const all = partitions[id] ?? [];
    const records = all.slice(Number(from)).map((record, index) => ({
      ...record,
      sequence_number: String(Number(from) + index),
      timestamp: 1_770_000_000_000,
    }));
    return { records, next_partition_cursor: `${id}:${all.length}` };
  };
  const service = await startService(respond);
  onTestFinished(() => service.stop());
  return {
    ...service,
    connection: { ...service.connection, streamName: 'orders', serdeType: 'JSON' },
    partitions,
  };
}

describe('a DIS stream', () => {
  test('takes records and returns them', async () => {
    const dis = await startDis();
    const context = aContext();
    const from = [{ partitionKey: 'k', data: { order: 1 } }, { order: 2 }];
    const put = await run('huawei.dis.PutRecords', { ...dis.connection, from }, context);
    expect(put).toMatchObject({ recordCount: 2, failedRecordCount: 0 });
    expect(await storedRows(context, put.uri)).toEqual([
      { partitionId: 'p0', sequenceNumber: '0' },
      { partitionId: 'p0', sequenceNumber: '1' },
    ]);
    const read = await run('huawei.dis.Consume', dis.connection, context);
    expect(read.count).toBe(2);
    expect(await storedRows(context, read.uri)).toEqual([
      {
        partitionId: 'p0',
        sequenceNumber: '0',
        partitionKey: 'k',
        data: { order: 1 },
        timestamp: '2026-02-02T02:40:00.000Z',
      },
      { partitionId: 'p0', sequenceNumber: '1', data: { order: 2 }, timestamp: '2026-02-02T02:40:00.000Z' },
    ]);
    expect((await run('huawei.dis.Consume', { ...dis.connection, maxRecords: 1 })).count).toBe(1);
    await expect(run('huawei.dis.PutRecords', { ...dis.connection, from: ['bad'] })).rejects.toThrow(
      'DIS refused 1 of 1 records: DIS.1: refused',
    );
  });

  test('starts executions where the last poll ended', async () => {
    const dis = await startDis();
    const context = aContext();
    dis.partitions.p1?.push({ data: encode(1), partition_key: 'k' });
    expect(await poll('huawei.dis.Trigger', dis.connection, context)).toMatchObject({ count: 1 });
    expect(await poll('huawei.dis.Trigger', dis.connection, context)).toBeUndefined();
    dis.partitions.p1?.push({ data: encode(2), partition_key: 'k' });
    expect(await poll('huawei.dis.Trigger', dis.connection, context)).toMatchObject({ count: 1 });
  });

  test('starts an execution for each record, and continues after the last one', async () => {
    const dis = await startDis();
    for (const number of [1, 2, 3]) dis.partitions.p0?.push({ data: encode(number), partition_key: 'k' });
    const first = aContext();
    const events = await listen('huawei.dis.RealtimeTrigger', dis.connection, 2, first);
    expect(events.map(({ outputs, key }) => [outputs.data, key])).toEqual([
      [1, 'p0:0'],
      [2, 'p0:1'],
    ]);
    const second = aContext();
    second.remember(first.memory);
    const [next] = await listen('huawei.dis.RealtimeTrigger', dis.connection, 1, second);
    expect(next?.outputs.data).toBe(3);
  });
});

describe('a RocketMQ topic', () => {
  let broker: Awaited<ReturnType<typeof startRocketMq>>;
  beforeAll(async () => {
    broker = await startRocketMq();
  });
  afterAll(() => broker.stop());

  test('takes messages and returns them once per group', async () => {
    const context = aContext();
    const place = { ...broker.connection, serdeType: 'JSON' };
    const from = [
      { body: { order: 1 }, tags: 'new', keys: ['a', 'b'] },
      { body: { order: 2 }, tags: 'old' },
      'plain',
    ];
    expect(await run('huawei.dms.rocketmq.Publish', { ...place, from }, context)).toEqual({
      messagesCount: 3,
    });
    expect(context.metrics).toContainEqual({ name: 'dms.rocketmq.publish.count', type: 'counter', value: 3 });
    const read = await run('huawei.dms.rocketmq.Consume', { ...place, maxRecords: 3 }, context);
    expect(read.messagesCount).toBe(3);
    const rows = await storedRows(context, read.uri);
    expect(rows).toContainEqual({
      messageId: expect.stringMatching(/^[0-9A-F]{32}$/),
      body: { order: 1 },
      topic: 'orders',
      tags: 'new',
      keys: 'a b',
      bornTimestamp: expect.any(Number),
    });
    expect([...broker.offsets]).toEqual([
      ['flows:0', '2'],
      ['flows:1', '1'],
    ]);
    const again = { ...place, maxDuration: 'PT0.1S' };
    expect((await run('huawei.dms.rocketmq.Consume', again, context)).messagesCount).toBe(0);
    const other = { ...place, groupId: 'others', tags: 'old || older', maxRecords: 1 };
    const old = await run('huawei.dms.rocketmq.Consume', other, context);
    expect(await storedRows(context, old.uri)).toMatchObject([{ body: { order: 2 } }]);
  });

  test('commits after the execution is stored', async () => {
    await run('huawei.dms.rocketmq.Publish', { ...broker.connection, from: 'hello' });
    const place = { ...broker.connection, groupId: 'polls', maxDuration: 'PT0.1S' };
    const failing = aContext();
    Object.assign(failing, { emit: () => Promise.reject(new Error('the server crashed')) });
    await expect(poll('huawei.dms.rocketmq.Trigger', place, failing)).rejects.toThrow('the server crashed');
    const context = aContext();
    await poll('huawei.dms.rocketmq.Trigger', place, context);
    const [stored] = context.emitted;
    expect(await storedRows(context, stored?.uri)).toContainEqual(expect.objectContaining({ body: 'hello' }));
    await poll('huawei.dms.rocketmq.Trigger', place, context);
    expect(context.emitted).toHaveLength(1);
  });

  test('starts an execution for each message', async () => {
    const place = { ...broker.connection, groupId: 'live' };
    await run('huawei.dms.rocketmq.Publish', { ...place, from: ['x'] });
    const events = await listen('huawei.dms.rocketmq.RealtimeTrigger', place, 2);
    expect(events).toHaveLength(2);
    for (const { outputs, key } of events) expect(key).toBe(outputs.messageId);
  });

  test('explains a wrong secret and a missing topic', async () => {
    const wrong = { ...broker.connection, secretAccessKey: 'wrong', from: 'x' };
    await expect(run('huawei.dms.rocketmq.Publish', wrong)).rejects.toThrow('check signature failed');
    const missing = { ...broker.connection, topic: 'none', from: 'x' };
    await expect(run('huawei.dms.rocketmq.Publish', missing)).rejects.toThrow('No topic route info');
  });
});

describe('DMS for Kafka', () => {
  test('asks for a login unless there is none', async () => {
    const place = { bootstrapServers: '127.0.0.1:9', topic: 't', groupId: 'g' };
    await expect(run('huawei.dms.kafka.Consume', place)).rejects.toThrow('"saslMechanism: NONE"');
    await expect(poll('huawei.dms.kafka.Trigger', place)).rejects.toThrow('"username" and "password"');
    await expect(listen('huawei.dms.kafka.RealtimeTrigger', place, 1)).rejects.toThrow(
      '"username" and "password"',
    );
  });

  test('logs in with the name and the password as they are written', async () => {
    const received: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received.push(chunk);
        const answer = replyTo(chunk);
        if (answer) socket.write(answer);
        else socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    // `as`: a server that listens on a port has such an address.
    const bootstrapServers = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const login = { username: 'a"b', password: 'c\\d' };
    const context = aContext();
    const sent = run(
      'huawei.dms.kafka.Produce',
      { bootstrapServers, ...login, topic: 't', from: [{ value: 1 }] },
      context,
    );
    sent.catch(() => {});
    await expect.poll(() => Buffer.concat(received).includes('\0a"b\0c\\d'), { timeout: 10_000 }).toBe(true);
    context.kill();
    await expect(sent).rejects.toThrow();
  });
});

/** Versions of requests and the mechanism PLAIN, which is all that a client asks before it logs in. */
function replyTo(request: Buffer): Buffer | undefined {
  const [key, correlation] = [request.readInt16BE(4), request.subarray(8, 12)];
  const frame = (body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + body.length);
    return Buffer.concat([length, correlation, body]);
  };
  const versions = [
    [0, 0, 9],
    [3, 0, 6],
    [17, 0, 1],
    [18, 0, 2],
    [36, 0, 1],
  ].flatMap((row) => row.flatMap((value) => [value >> 8, value & 255]));
  if (key === 18) return frame(Buffer.from([0, 0, 0, 0, 0, 5, ...versions, 0, 0, 0, 0]));
  if (key === 17) return frame(Buffer.from([0, 0, 0, 0, 0, 1, 0, 5, ...Buffer.from('PLAIN')]));
  return undefined;
}

import { createHmac } from 'node:crypto';
import { storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AzureDouble, type DoubleRequest, startAzureDouble } from '../testing/azureDouble.ts';
import { anAzureContext, listenAzure, pollAzure, runAzure } from '../testing/runAzure.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());

const connection = () => ({
  connectionString: `Endpoint=${azure.url}/;SharedAccessKeyName=all;SharedAccessKey=a-key`,
  queueName: 'orders',
});

function isSigned({ headers, path }: DoubleRequest): boolean {
  const {
    sr = '',
    sig,
    se,
    skn,
  } = Object.fromEntries(
    String(headers.authorization)
      .replace('SharedAccessSignature ', '')
      .split('&')
      .map((part) => part.split(/=(.*)/s).slice(0, 2)),
  );
  const expected = createHmac('sha256', 'a-key').update(`${sr}\n${se}`).digest('base64');
  return (
    skn === 'all' &&
    decodeURIComponent(sig ?? '') === expected &&
    decodeURIComponent(sr) === `${azure.url}${path}`.toLowerCase()
  );
}

/** A queue as Service Bus keeps it: messages are locked, and gone when the lock is deleted. */
function aQueue(...bodies: readonly string[]) {
  const waiting = bodies.map((body, index) => ({ body, number: index + 1 }));
  const locked = new Set<number>();
  const sent: unknown[] = [];
  azure.respond((request) => {
    const { method, path, body } = request;
    if (!isSigned(request))
      return { status: 401, body: '<Error><Code>401</Code><Detail>wrong signature</Detail></Error>' };
    if (method === 'POST' && path === '/orders/messages') {
      sent.push(...JSON.parse(body.toString()));
      return { status: 201 };
    }
    if (path.endsWith('/messages/head')) {
      const next = waiting.shift();
      if (!next) return { status: 204 };
      if (method === 'POST') locked.add(next.number);
      const BrokerProperties = JSON.stringify({
        MessageId: `m${next.number}`,
        SequenceNumber: next.number,
        Label: 'created',
        TimeToLive: 60,
      });
      const location = `https://elsewhere.example.com/orders/messages/m${next.number}/${next.number}`;
      return { status: 201, headers: { BrokerProperties, location, priority: '5' }, body: next.body };
    }
    locked.delete(Number(path.split('/').at(-1)));
    return {};
  });
  return { locked, sent };
}

test('publishes messages with their properties', async () => {
  const { sent } = aQueue();
  const from = [
    { body: { id: 1 }, subject: 'created', timeToLive: 'PT1M', applicationProperties: { p: 1 } },
    'plain',
  ];
  expect(await runAzure('azure.servicebus.Publish', { ...connection(), from })).toEqual({ messagesCount: 2 });
  expect(sent).toEqual([
    { Body: '{"id":1}', BrokerProperties: { Label: 'created', TimeToLive: 60 }, UserProperties: { p: 1 } },
    { Body: 'plain', BrokerProperties: {} },
  ]);
  const wrong = connection().connectionString.replace('a-key', 'wrong');
  await expect(
    runAzure('azure.servicebus.Publish', { ...connection(), connectionString: wrong, from }),
  ).rejects.toThrow('wrong signature');
});

test('consumes into a file and deletes what it has stored', async () => {
  const { locked } = aQueue('{"n":1}', '{"n":2}');
  const context = anAzureContext();
  const done = await runAzure(
    'azure.servicebus.Consume',
    { ...connection(), serdeType: 'JSON', maxMessages: 2 },
    context,
  );
  expect(await storedRows(context, done.uri)).toEqual([
    {
      body: { n: 1 },
      applicationProperties: { priority: 5 },
      messageId: 'm1',
      subject: 'created',
      timeToLive: 'PT60S',
    },
    {
      body: { n: 2 },
      applicationProperties: { priority: 5 },
      messageId: 'm2',
      subject: 'created',
      timeToLive: 'PT60S',
    },
  ]);
  expect(locked.size).toBe(0);
});

test('triggers delete messages after the execution is stored', async () => {
  const queue = aQueue('a');
  const context = anAzureContext();
  const emit = async () => void expect(queue.locked.size).toBe(1);
  await pollAzure('azure.servicebus.Trigger', { ...connection(), maxMessages: 1 }, { ...context, emit });
  expect(queue.locked.size).toBe(0);
  aQueue('b', 'c');
  const events = await listenAzure('azure.servicebus.RealTimeTrigger', connection(), 2);
  expect(events.map(({ key, outputs }) => [key, outputs.body])).toEqual([
    ['1', 'b'],
    ['2', 'c'],
  ]);
});

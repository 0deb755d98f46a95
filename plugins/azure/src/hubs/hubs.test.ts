import { storedRows } from '@millrace/plugin-kit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AzureDouble, startAzureDouble } from '../testing/azureDouble.ts';
import { startHubBroker } from '../testing/hubBroker.ts';
import { anAzureContext, listenAzure, pollAzure, runAzure } from '../testing/runAzure.ts';

let azure: AzureDouble;
let broker: Awaited<ReturnType<typeof startHubBroker>>;
const checkpoints = new Map<string, Record<string, string>>();
beforeEach(async () => {
  azure = await startAzureDouble();
  broker = await startHubBroker('orders', 2);
  checkpoints.clear();
  azure.respond(({ method, path, headers }) => {
    if (method === 'PUT') {
      const { 'x-ms-meta-offset': offset, 'x-ms-meta-sequencenumber': number } = headers;
      checkpoints.set(path, {
        'x-ms-meta-offset': String(offset),
        'x-ms-meta-sequencenumber': String(number),
      });
      return { status: 201 };
    }
    const found = checkpoints.get(path);
    return found ? { headers: found } : { status: 404 };
  });
});
afterEach(async () => {
  await broker.stop();
  await azure.stop();
});

const store = () => ({ checkpointStoreProperties: { containerName: 'checkpoints', ...azure.connection } });
const quick = { maxWaitTimePerPartition: 'PT1S', maxDuration: 'PT5S' };

test('sends batches of events and reads them after the checkpoints', async () => {
  const context = anAzureContext();
  const from = [
    { body: { id: 1 }, messageId: 'm1', properties: { p: 1 } },
    { body: { id: 2 } },
    { body: { id: 3 } },
  ];
  const sent = {
    ...broker.connection,
    from,
    eventProperties: { source: 'flow' },
    bodySerializer: 'JSON',
    bodyContentType: 'application/json',
  };
  expect(
    await runAzure('azure.eventhubs.Produce', { ...sent, maxEventsPerBatch: 2, partitionKey: 'k' }, context),
  ).toEqual({
    eventsCount: 3,
    sendBatchesCount: 2,
  });
  expect(context.metrics.map(({ value }) => value)).toEqual([3, 2]);
  const input = { ...broker.connection, ...store(), ...quick, bodyDeserializer: 'JSON' };
  const first = await runAzure('azure.eventhubs.Consume', input, context);
  expect(first.eventsCount).toBe(3);
  const rows = await storedRows(context, first.uri);
  expect(rows[0]).toEqual({
    body: { id: 1 },
    properties: { source: 'flow', p: 1 },
    sequenceNumber: 1,
    partitionKey: 'k',
    contentType: 'application/json',
    messageId: 'm1',
    enqueuedTimestamp: 1_700_000_000_001,
    offset: 100,
  });
  expect([...checkpoints]).toEqual([
    [
      '/devstoreaccount1/checkpoints/127.0.0.1/orders/$default/checkpoint/0',
      { 'x-ms-meta-offset': '300', 'x-ms-meta-sequencenumber': '3' },
    ],
  ]);
  expect(await runAzure('azure.eventhubs.Consume', input, context)).toMatchObject({ eventsCount: 0 });
  expect(broker.positions).toEqual([
    "amqp.annotation.x-opt-offset > '-1'",
    "amqp.annotation.x-opt-offset > '-1'",
    "amqp.annotation.x-opt-offset > '300'",
    "amqp.annotation.x-opt-offset > '-1'",
  ]);
});

test('refuses a wrong key and a wrong start with clear errors', async () => {
  await expect(runAzure('azure.eventhubs.Produce', { ...broker.wrongConnection, from: 'x' })).rejects.toThrow(
    'Event Hubs refused $cbs: InvalidSignature: the token is wrong.',
  );
  const input = { ...broker.connection, ...quick, ...store(), partitionStartingPosition: 'INSTANT' };
  await expect(runAzure('azure.eventhubs.Consume', input)).rejects.toThrow(
    '"enqueueTime" must be a date and time',
  );
  await expect(
    runAzure('azure.eventhubs.Consume', {
      ...broker.connection,
      ...quick,
      checkpointStoreProperties: { endpoint: 'x' },
    }),
  ).rejects.toThrow('"containerName"');
});

test('triggers write checkpoints after the execution is stored', async () => {
  await runAzure('azure.eventhubs.Produce', { ...broker.connection, from: ['a', 'b'], partitionKey: 'k' });
  const context = anAzureContext();
  const emitted: unknown[] = [];
  const emit = async (outputs: unknown) => {
    expect(checkpoints.size).toBe(0);
    emitted.push(outputs);
  };
  const input = { ...broker.connection, ...store(), ...quick };
  expect(await pollAzure('azure.eventhubs.Trigger', input, { ...context, emit })).toBeUndefined();
  expect(emitted).toMatchObject([{ eventsCount: 2, uri: expect.any(String) }]);
  await pollAzure('azure.eventhubs.Trigger', input, context);
  expect(context.emitted).toEqual([]);
  await runAzure('azure.eventhubs.Produce', { ...broker.connection, from: ['c', 'd'], partitionKey: 'k' });
  const events = await listenAzure(
    'azure.eventhubs.RealtimeTrigger',
    { ...broker.connection, ...store() },
    2,
  );
  expect(events.map(({ key, outputs }) => [key, outputs.body, outputs.sequenceNumber])).toEqual([
    ['orders/0/3', 'c', 3],
    ['orders/0/4', 'd', 4],
  ]);
});

test('a killed task ends at once, and a lost connection fails it', async () => {
  const context = anAzureContext();
  const input = { ...broker.connection, ...store(), maxWaitTimePerPartition: 'PT1M', maxDuration: 'PT1M' };
  const killed = runAzure('azure.eventhubs.Consume', input, context);
  await expect.poll(() => broker.positions.length).toBe(2);
  context.kill();
  await expect(killed).rejects.toThrow();
  const lost = runAzure('azure.eventhubs.Consume', input);
  await expect.poll(() => broker.positions.length).toBe(4);
  broker.drop();
  await expect(lost).rejects.toThrow('Event Hubs at 127.0.0.1');
});

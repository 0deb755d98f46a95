import { setTimeout as delay } from 'node:timers/promises';
import {
  anything,
  asMessage,
  batchesOf,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fixed,
  integer,
  mapOf,
  messageOf,
  readMessages,
  serializeMessage,
  someValue,
  TaskFailed,
  text,
  toIonText,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample, triggerExample } from '../client/example.ts';
import { readGiven } from '../client/given.ts';
import {
  batchProperties,
  consume,
  consumerProperties,
  eventOutput,
  hubProperties,
  openConsumer,
  optionalCheckpoints,
  toOutputs,
  toRow,
} from './consume.ts';
import { withHub } from './hub.ts';

const Event = z.looseObject({
  body: z.unknown().optional(),
  partitionKey: z.string().nullish(),
  contentType: z.string().nullish(),
  correlationId: z.union([z.string(), z.number()]).nullish(),
  messageId: z.union([z.string(), z.number()]).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

type Serializer = 'STRING' | 'BINARY' | 'ION' | 'JSON';

function bytesOf(body: unknown, serializer: Serializer): Buffer {
  if (serializer === 'ION') return Buffer.from(toIonText(body));
  return serializeMessage(body, serializer === 'BINARY' ? 'BYTES' : serializer);
}

/** Events that stay below the size that every tier takes, with room for the envelope. */
const defaultBatchBytes = 240_000;

const produce = defineTask({
  type: 'azure.eventhubs.Produce',
  title: 'Send events to Event Hubs',
  description:
    'Sends one event, a list of events or the rows of a file, in batches. An event is a map with `body`, or the body itself.',
  input: () =>
    z.object({
      ...hubProperties,
      from: someValue().describe(
        'The events: maps with `body`, `contentType`, `correlationId`, `messageId` and `properties`, a list of them, or a file with one a row.',
      ),
      eventProperties: mapOf(text()).default({}).describe('Properties that all events get.'),
      partitionKey: text()
        .optional()
        .describe('Events with the same key are stored in the same partition, in order.'),
      maxBatchSizeInBytes: integer({ min: 1 })
        .optional()
        .describe('The maximum size of a batch; 240,000 bytes when absent.'),
      maxEventsPerBatch: integer({ min: 1 })
        .default(1000)
        .describe('The maximum number of events of a batch.'),
      bodyContentType: text().optional().describe('The media type of the bodies.'),
      bodySerializer: choice(['STRING', 'BINARY', 'ION', 'JSON'])
        .default('STRING')
        .describe('How bodies are written.'),
      bodySerializerProperties: mapOf(anything()).default({}).describe('Accepted for compatibility.'),
    }),
  output: () =>
    z.object({
      eventsCount: z.number().describe('The number of events.'),
      sendBatchesCount: z.number().describe('The number of batches.'),
    }),
  metrics: [
    { name: 'events.sent.count', type: 'counter', description: 'The number of events.' },
    { name: 'batches.sent.count', type: 'counter', description: 'The number of batches.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('azure.eventhubs.Produce', 'Send an event.', [
      'eventHubName: orders',
      'from:',
      '  body: "42"',
    ]),
  ],
  async run(context, { from, partitionKey, ...input }) {
    const events = async function* () {
      for await (const value of readMessages(context, from)) {
        const event = readGiven(Event, asMessage(value, 'body'));
        const body = bytesOf(event.body, input.bodySerializer);
        const properties = { ...input.eventProperties, ...event.properties };
        const facts = dropMissing({
          content_type: event.contentType ?? input.bodyContentType,
          correlation_id: event.correlationId,
          message_id: event.messageId,
        });
        yield {
          body,
          properties,
          facts,
          size: body.length + JSON.stringify([properties, facts]).length + 64,
        };
      }
    };
    const limits = {
      count: input.maxEventsPerBatch,
      bytes: input.maxBatchSizeInBytes ?? defaultBatchBytes,
      sizeOf: ({ size }: { size: number }) => size,
    };
    return withHub(context, input, async (hub) => {
      const send = await hub.openSender();
      let eventsCount = 0;
      let sendBatchesCount = 0;
      for await (const batch of batchesOf(events(), limits)) {
        await send(
          batch.map(({ body, properties, facts }) => ({ body, properties, facts })),
          partitionKey,
        );
        eventsCount += batch.length;
        sendBatchesCount++;
      }
      context.metric({ name: 'events.sent.count', type: 'counter', value: eventsCount });
      context.metric({ name: 'batches.sent.count', type: 'counter', value: sendBatchesCount });
      return { eventsCount, sendBatchesCount };
    });
  },
});

const storedOutput = z.object({
  eventsCount: z.number().describe('The number of events.'),
  uri: z.string().optional().describe('A file with an event per row.'),
});
const consumeInput = { ...hubProperties, ...consumerProperties, ...batchProperties };
const checkpointLines = [
  'checkpointStoreProperties:',
  '  containerName: checkpoints',
  '  connectionString: "{{ secret(\'AZURE_STORAGE\') }}"',
];

const consumeTask = defineTask({
  type: 'azure.eventhubs.Consume',
  title: 'Read events from Event Hubs',
  description:
    'Reads events of all partitions until none arrives or `maxDuration` has passed, and stores them in a file. The checkpoints are written after the file is stored.',
  input: () => z.object(consumeInput),
  output: storedOutput,
  metrics: [{ name: 'records.consumed', type: 'counter', description: 'The number of events.' }],
  sideEffects: true,
  examples: [
    taskExample('azure.eventhubs.Consume', 'Read new events.', ['eventHubName: orders', ...checkpointLines]),
  ],
  async run(context, input) {
    const stored = await consume(context, input, true, async () => {});
    context.metric({ name: 'records.consumed', type: 'counter', value: stored.eventsCount });
    return stored;
  },
});

const trigger = defineTrigger({
  type: 'azure.eventhubs.Trigger',
  role: 'polling',
  title: 'Start when Event Hubs has events',
  description:
    'Reads events every `interval` and starts one execution for all of them. The checkpoints are written after the execution is stored, so no event is lost.',
  input: () =>
    z.object({
      ...consumeInput,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: storedOutput,
  examples: [
    triggerExample(
      'azure.eventhubs.Trigger',
      'Process events in batches.',
      ['eventHubName: orders', ...checkpointLines],
      'trigger.uri',
    ),
  ],
  async poll(context, input) {
    await consume(context, input, false, (stored) => context.emit({ ...stored }));
    return undefined;
  },
});

/** A token is valid for an hour; a new connection gets a new one. */
const connectionMs = 45 * 60_000;
const readAhead = 50;
const longestPauseMs = 60_000;

const realtime = defineTrigger({
  type: 'azure.eventhubs.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every event of Event Hubs',
  description:
    'Waits for events of all partitions and starts an execution for each. The checkpoint is written after the execution is stored. An event that arrives again starts nothing.',
  input: () =>
    z.object({ ...hubProperties, ...consumerProperties, checkpointStoreProperties: optionalCheckpoints() }),
  output: () => z.object(eventOutput),
  examples: [
    triggerExample(
      'azure.eventhubs.RealtimeTrigger',
      'Process each event at once.',
      ['eventHubName: orders', ...checkpointLines],
      'trigger.body',
    ),
  ],
  async listen(context, input, emit) {
    const { signal } = context;
    let pauseMs = 500;
    while (!signal.aborted) {
      try {
        await withHub(context, input, async (hub) => {
          const { buffer, store } = await openConsumer(context, hub, input, readAhead);
          for (const until = Date.now() + connectionMs; Date.now() < until; ) {
            const event = await buffer.next(10_000);
            if (!event) continue;
            const key = `${input.eventHubName}/${event.partition}/${event.sequenceNumber}`;
            await emit(toOutputs(toRow(context, event, input.bodyDeserializer)), { key });
            await store?.write(event);
            event.done();
            pauseMs = 500;
          }
        });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof TaskFailed && !error.retry) throw error;
        await context.log('WARN', `${messageOf(error)} Trying again in ${pauseMs / 1000} s.`);
        await delay(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  },
});

export const eventHubsTypes: readonly Definition[] = [produce, consumeTask, trigger, realtime];

import { setTimeout as delay } from 'node:timers/promises';
import {
  asMessage,
  batchesOf,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  deserializeMessage,
  dropMissing,
  duration,
  fixed,
  integer,
  messageOf,
  readMessages,
  serializeMessage,
  someValue,
  storeMessages,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample, triggerExample } from '../client/example.ts';
import { readGiven } from '../client/given.ts';
import { AzureError } from '../client/http.ts';
import { identityProperties } from '../client/identity.ts';
import { type BusMessage, ServiceBus } from './serviceBus.ts';

const busProperties = {
  ...identityProperties,
  connectionString: text()
    .optional()
    .describe(
      'The connection string. Without a key in it, the identity is used: `Endpoint=sb://name.servicebus.windows.net`.',
    ),
  queueName: text().optional().describe('The queue.'),
  topicName: text().optional().describe('The topic, instead of a queue.'),
  subscriptionName: text().optional().describe('The subscription of a topic, to read it.'),
  serdeType: choice(['STRING', 'JSON'])
    .default('STRING')
    .describe('How a body is read and written: as text or as JSON.'),
};

const receiveProperties = {
  receiveMode: choice(['PEEK_LOCK', 'RECEIVE_AND_DELETE'])
    .default('PEEK_LOCK')
    .describe(
      '`PEEK_LOCK` deletes messages after they are stored; `RECEIVE_AND_DELETE` when they are read, which may lose some.',
    ),
  subQueue: choice(['NONE', 'DEAD_LETTER_QUEUE', 'TRANSFER_DEAD_LETTER_QUEUE'])
    .optional()
    .describe('Read the messages that could not be delivered instead.'),
};

const Message = z.looseObject({
  messageId: z.string().nullish(),
  subject: z.string().nullish(),
  body: z.unknown(),
  timeToLive: z.union([z.string(), z.number()]).nullish(),
  applicationProperties: z.record(z.string(), z.unknown()).nullish(),
});

const seconds = (value: string | number | null | undefined): number | undefined => {
  const ms = duration().safeParse(value ?? undefined);
  return ms.success ? ms.data / 1000 : undefined;
};

const publish = defineTask({
  type: 'azure.servicebus.Publish',
  title: 'Send messages to Service Bus',
  description:
    'Sends one message, a list of messages or the rows of a file to a queue or a topic. A message is a map with `body`, or the body itself.',
  input: () =>
    z.object({
      ...busProperties,
      from: someValue().describe(
        'The messages: maps with `body`, `messageId`, `subject`, `timeToLive` and `applicationProperties`, a list of them, or a file with one a row.',
      ),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were sent.') }),
  metrics: [
    {
      name: 'servicebus.publish.queue.messages',
      type: 'counter',
      description: 'How many messages a queue got.',
    },
    {
      name: 'servicebus.publish.topic.messages',
      type: 'counter',
      description: 'How many messages a topic got.',
    },
  ],
  sideEffects: true,
  examples: [
    taskExample('azure.servicebus.Publish', 'Send a message.', [
      'queueName: orders',
      'from:',
      '  subject: created',
      '  body: "42"',
    ]),
  ],
  async run(context, { from, serdeType, ...input }) {
    const bus = new ServiceBus(context, input);
    let messagesCount = 0;
    const limits = { count: 100, bytes: 200 * 1024, sizeOf: (each: object) => JSON.stringify(each).length };
    const messages = async function* () {
      for await (const value of readMessages(context, from)) {
        const message = readGiven(Message, asMessage(value, 'body'));
        yield {
          Body: serializeMessage(message.body, serdeType).toString(),
          BrokerProperties: dropMissing({
            MessageId: message.messageId,
            Label: message.subject,
            TimeToLive: seconds(message.timeToLive),
          }),
          ...dropMissing({ UserProperties: message.applicationProperties }),
        };
      }
    };
    for await (const batch of batchesOf(messages(), limits)) {
      await bus.publish(batch);
      messagesCount += batch.length;
    }
    const kind = input.queueName === undefined ? 'topic' : 'queue';
    context.metric({ name: `servicebus.publish.${kind}.messages`, type: 'counter', value: messagesCount });
    return { messagesCount };
  },
});

const messageOutput = {
  messageId: z.string().optional().describe('The id.'),
  subject: z.string().optional().describe('The subject.'),
  body: z.unknown().describe('The body.'),
  timeToLive: z.string().optional().describe('How long it may wait, as ISO 8601.'),
  applicationProperties: z.record(z.string(), z.unknown()).describe('The properties of the sender.'),
};

const toOutput = (context: TaskContext, message: BusMessage, serdeType: 'STRING' | 'JSON') => ({
  body: deserializeMessage(context, Buffer.from(message.body), serdeType),
  applicationProperties: message.applicationProperties,
  ...dropMissing({
    messageId: message.messageId,
    subject: message.subject,
    timeToLive: message.timeToLiveMs === undefined ? undefined : `PT${message.timeToLiveMs / 1000}S`,
  }),
});

interface Consume {
  readonly receiveMode: 'PEEK_LOCK' | 'RECEIVE_AND_DELETE';
  readonly serdeType: 'STRING' | 'JSON';
  readonly maxMessages?: number | undefined;
  readonly maxReceiveDuration: number;
}

/** Stores messages in a file. `complete` deletes them, once the file is safe. */
async function consume(context: TaskContext, bus: ServiceBus, input: Consume, storeEmpty: boolean) {
  const taken: BusMessage[] = [];
  const isLocking = input.receiveMode === 'PEEK_LOCK';
  const stored = await storeMessages<BusMessage>(context, {
    next: async (waitMs) => {
      const message = await bus.receive(Math.min(waitMs, 10_000), isLocking);
      if (message) taken.push(message);
      return message;
    },
    toRow: (message) => toOutput(context, message, input.serdeType),
    maxRecords: input.maxMessages,
    maxDuration: input.maxReceiveDuration,
    storeEmpty,
  });
  const complete = async () => {
    if (isLocking) for (const message of taken) await message.complete();
  };
  return { ...stored, complete };
}

const consumeProperties = {
  ...busProperties,
  ...receiveProperties,
  maxMessages: integer({ min: 1 }).optional().describe('Stop after this many messages.'),
  maxReceiveDuration: duration().prefault('PT10S').describe('Stop after this time.'),
};
const consumeOutput = z.object({
  count: z.number().describe('How many messages were read.'),
  uri: z.string().optional().describe('A file with a message per row.'),
});

const consumeTask = defineTask({
  type: 'azure.servicebus.Consume',
  title: 'Read messages from Service Bus',
  description:
    'Reads messages until `maxMessages` or `maxReceiveDuration` is reached and stores them in a file. Messages are deleted after the file is stored.',
  input: () =>
    z.object({
      ...consumeProperties,
      pullBatchSize: integer({ min: 1 })
        .default(100)
        .describe('Accepted for compatibility: messages are read one by one.'),
    }),
  output: consumeOutput,
  sideEffects: true,
  examples: [
    taskExample('azure.servicebus.Consume', 'Read a queue.', ['queueName: orders', 'maxMessages: 100']),
  ],
  async run(context, input) {
    const { complete, ...done } = await consume(context, new ServiceBus(context, input), input, true);
    await complete();
    return done;
  },
});

const trigger = defineTrigger({
  type: 'azure.servicebus.Trigger',
  role: 'polling',
  title: 'Start when Service Bus has messages',
  description:
    'Reads messages every `interval` and starts one execution for all of them. They are deleted after the execution is stored.',
  input: () =>
    z.object({
      ...consumeProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'azure.servicebus.Trigger',
      'Process messages in batches.',
      ['queueName: orders'],
      'trigger.uri',
    ),
  ],
  async poll(context, input) {
    const { complete, ...done } = await consume(context, new ServiceBus(context, input), input, false);
    if (done.count === 0) return undefined;
    await context.emit(done);
    await complete();
    return undefined;
  },
});

const longestPauseMs = 60_000;

const realtime = defineTrigger({
  type: 'azure.servicebus.RealTimeTrigger',
  role: 'realtime',
  title: 'Start for every message of Service Bus',
  description:
    'Waits for messages and starts an execution for each. A message is deleted after its execution is stored, so none is lost when the server crashes.',
  input: () => z.object({ ...busProperties, ...receiveProperties }),
  output: () => z.object(messageOutput),
  examples: [
    triggerExample(
      'azure.servicebus.RealTimeTrigger',
      'Process each message at once.',
      ['queueName: orders'],
      'trigger.body',
    ),
  ],
  async listen(context, input, emit) {
    const { signal } = context;
    const bus = new ServiceBus(context, input);
    let pauseMs = 500;
    while (!signal.aborted) {
      try {
        const message = await bus.receive(20_000, input.receiveMode === 'PEEK_LOCK');
        pauseMs = 500;
        if (!message) continue;
        await emit(
          toOutput(context, message, input.serdeType),
          message.sequenceNumber === undefined ? {} : { key: String(message.sequenceNumber) },
        );
        if (input.receiveMode === 'PEEK_LOCK') await message.complete();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof AzureError && !error.retry) throw error;
        await context.log('WARN', `${messageOf(error)} Trying again in ${pauseMs / 1000} s.`);
        await delay(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  },
});

export const serviceBusTypes: readonly Definition[] = [publish, consumeTask, trigger, realtime];

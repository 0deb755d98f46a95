import {
  choice,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  limitProperties,
  readMessages,
  someValue,
  text,
} from '@millrace/plugin-kit';
import type { ConfirmChannel } from 'amqplib';
import { z } from 'zod';
import { connectionProperties, withAmqp, withChannel } from './client.ts';
import { consumeStored, eachMessage } from './consumer.ts';
import { taskExample, triggerExample } from './example.ts';
import { toPublished, toRow } from './message.ts';

const serdeType = () =>
  choice(['STRING', 'JSON'])
    .default('STRING')
    .describe('How the data of a message is written: as text, or as JSON.');

const queueProperties = () => ({
  ...connectionProperties(),
  queue: text().describe('The queue, which must exist.'),
  serdeType: serdeType(),
  consumerTag: text().default('Kestra').describe('The name of the consumer, as the broker shows it.'),
  autoAck: flag()
    .default(false)
    .describe('Acknowledge a message when it arrives. A message may then be lost when the server crashes.'),
});

/** How many messages may wait for their confirmation. */
const confirmEvery = 1_000;

export const publish = defineTask({
  type: 'amqp.Publish',
  title: 'Publish messages to an AMQP exchange',
  description: `Publishes messages: one map, a list of maps, or the rows of a stored file. A message has \`data\` and may have the properties of the
protocol: \`headers\`, \`contentType\`, \`contentEncoding\`, \`deliveryMode\` (2 survives a restart of the broker), \`priority\`, \`messageId\`,
\`correlationId\`, \`replyTo\`, \`expiration\`, \`timestamp\`, \`type\`, \`userId\` and \`appId\`. The task ends when the broker has confirmed all of
them.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      exchange: text().describe(
        'The exchange; empty for the default exchange, which routes to the queue named by `routingKey`.',
      ),
      routingKey: text().optional().describe('The routing key.'),
      from: someValue().describe('A message, a list of messages, or a file in internal storage.'),
      serdeType: serdeType(),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were published.') }),
  metrics: [{ name: 'published.records', type: 'counter', description: 'How many messages were published.' }],
  sideEffects: true,
  examples: [
    taskExample('Publish', 'Publish two messages.', [
      'exchange: orders',
      'routingKey: new',
      'serdeType: JSON',
      'from:',
      '  - data: {order: 1}',
      '    headers: {source: shop}',
      '  - data: {order: 2}',
    ]),
  ],
  run: (context, input) =>
    withAmqp(context, input, (connection) =>
      withChannel(connection, async (channel, onFailure) => {
        const failed = new Promise<never>((_, reject) => onFailure(reject));
        failed.catch(() => {});
        let messagesCount = 0;
        for await (const value of readMessages(context, input.from)) {
          const { content, options } = toPublished(value, input.serdeType);
          const hasRoom = channel.publish(input.exchange, input.routingKey ?? '', content, options);
          messagesCount++;
          if (!hasRoom) await Promise.race([drained(channel), failed]);
          if (messagesCount % confirmEvery === 0) await Promise.race([channel.waitForConfirms(), failed]);
        }
        await Promise.race([channel.waitForConfirms(), failed]);
        context.metric({ name: 'published.records', type: 'counter', value: messagesCount });
        return { messagesCount };
      }),
    ),
});

const drained = (channel: ConfirmChannel) =>
  new Promise<void>((resolve) => channel.once('drain', () => resolve()));

const consumeOutput = z.object({
  count: z.number().describe('How many messages were received.'),
  uri: z.string().optional().describe('A file with a message per row.'),
});

export const consume = defineTask({
  type: 'amqp.Consume',
  title: 'Receive messages of an AMQP queue',
  description: `Receives messages and stores them in a file, one per row, with the fields that \`amqp.Publish\` takes. It stops at \`maxRecords\` or
\`maxDuration\`, one of which must be given. Messages are acknowledged after the file is stored.`,
  input: () => z.object({ ...queueProperties(), ...limitProperties() }),
  output: consumeOutput,
  metrics: [{ name: 'consumed.records', type: 'counter', description: 'How many messages were received.' }],
  sideEffects: true,
  examples: [
    taskExample('Consume', 'Receive for ten seconds.', [
      'queue: orders',
      'serdeType: JSON',
      'maxDuration: PT10S',
    ]),
  ],
  run: (context, input) =>
    consumeStored(context, input, { storeEmpty: true, handOver: async (consumed) => consumed }),
});

export const trigger = defineTrigger({
  type: 'amqp.Trigger',
  role: 'polling',
  title: 'Start when an AMQP queue has messages',
  description: `Receives messages every \`interval\` and starts one execution for all of them, with a file of rows. A poll ends at \`maxRecords\` or
\`maxDuration\`, one of which must be given. Messages are acknowledged after the execution is stored.`,
  input: () =>
    z.object({
      ...queueProperties(),
      ...limitProperties(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'Trigger',
      'Messages of a minute.',
      ['queue: orders', 'maxDuration: PT5S', 'maxRecords: 1000', 'interval: PT1M'],
      '{{ trigger.count }} messages in {{ trigger.uri }}',
    ),
  ],
  poll: (context, input) =>
    consumeStored(context, input, {
      storeEmpty: false,
      handOver: async ({ count, uri }) => {
        if (count > 0) await context.emit({ count, uri });
        return undefined;
      },
    }),
});

export const realtimeTrigger = defineTrigger({
  type: 'amqp.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of an AMQP queue',
  description: `Starts an execution for each message as it arrives. A message is acknowledged after its execution is stored; one that was delivered when
the server crashes is delivered again.`,
  input: () => z.object(queueProperties()),
  output: () =>
    z.object({
      contentType: z.string().optional().describe('The media type of the data.'),
      contentEncoding: z.string().optional().describe('The encoding of the data.'),
      headers: z.record(z.string(), z.unknown()).describe('The headers.'),
      deliveryMode: z.number().optional().describe('2 for a message that survives a restart of the broker.'),
      priority: z.number().optional().describe('The priority.'),
      messageId: z.string().optional().describe('The id of the message.'),
      correlationId: z.string().optional().describe('The id of the message that this one replies to.'),
      replyTo: z.string().optional().describe('Where a reply is expected.'),
      expiration: z.string().optional().describe('How long the message may wait, as a duration.'),
      timestamp: z.iso.datetime().optional().describe('When the message was made.'),
      type: z.string().optional().describe('The type of the message.'),
      userId: z.string().optional().describe('The user that published it.'),
      appId: z.string().optional().describe('The application that published it.'),
      data: z.unknown().describe('The data.'),
    }),
  examples: [
    triggerExample(
      'RealtimeTrigger',
      'One execution per order.',
      ['queue: orders', 'serdeType: JSON'],
      'Order {{ trigger.data.order }}',
    ),
  ],
  listen: (context, input, emit) =>
    withAmqp(context, input, (connection) =>
      eachMessage(connection, context, input, async (message) => {
        const { timestamp, ...row }: Record<string, unknown> = toRow(context, message, input.serdeType);
        await emit({ ...row, ...(timestamp instanceof Date && { timestamp: timestamp.toISOString() }) });
      }),
    ).catch((error: unknown) => {
      if (!context.signal.aborted) throw error;
    }),
});

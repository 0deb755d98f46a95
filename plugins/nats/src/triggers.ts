import { defineTrigger, duration, fixed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, withNats } from './client.ts';
import { consumeProperties, openConsumer, subscribeProperties, toOutput } from './consumer.ts';
import { triggerExample } from './example.ts';
import { consumeOutput, consumeStored } from './messages.ts';

export const trigger = defineTrigger({
  type: 'nats.core.Trigger',
  role: 'polling',
  title: 'Start when a NATS stream has messages',
  description: `Receives messages every \`interval\` and starts one execution for all of them, with a file of rows. Messages are acknowledged after
the execution is stored: a server that crashes before that receives them again.`,
  aliases: ['nats.Trigger'],
  input: () =>
    z.object({
      ...connectionProperties(),
      ...consumeProperties(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'Trigger',
      'Messages of half a minute.',
      ['subject: orders.>', 'durableId: orders', 'interval: PT30S', 'maxRecords: 1000'],
      '{{ trigger.messagesCount }} messages in {{ trigger.uri }}',
    ),
  ],
  poll: (context, input) =>
    withNats(context, input, (nats) =>
      consumeStored(context, nats, input, {
        storeEmpty: false,
        handOver: async (output) => {
          if (output.messagesCount > 0) await context.emit(output);
          return undefined;
        },
      }),
    ),
});

/** How long one request for messages stays open. */
const requestMs = 30_000;

export const realtimeTrigger = defineTrigger({
  type: 'nats.core.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of a NATS stream',
  description: `Starts an execution for each message as it arrives. A message is acknowledged after its execution is stored, and a message that the
server delivers again starts no second execution. Use \`durableId\`, so that messages that arrive while no server runs are received later.`,
  aliases: ['nats.RealtimeTrigger'],
  input: () => z.object({ ...connectionProperties(), ...subscribeProperties() }),
  output: () =>
    z.object({
      subject: z.string().describe('The subject of the message.'),
      headers: z.record(z.string(), z.array(z.string())).describe('The headers, each with its values.'),
      data: z.string().describe('The text of the message.'),
      timestamp: z.iso.datetime().describe('When the stream received it.'),
    }),
  examples: [
    triggerExample(
      'RealtimeTrigger',
      'One execution per order.',
      ['subject: orders.new', 'durableId: orders'],
      '{{ trigger.data }}',
    ),
  ],
  listen: (context, input, emit) =>
    withNats(context, input, async (nats) => {
      const { consumer, identity, close } = await openConsumer(nats, input);
      try {
        while (!context.signal.aborted) {
          const messages = await consumer.fetch({ max_messages: input.batchSize, expires: requestMs });
          for await (const message of messages) {
            const { timestamp, ...output } = toOutput(message);
            const key = `${identity}/${message.info.streamSequence}`;
            await emit({ ...output, timestamp: timestamp.toISOString() }, { key });
            message.ack();
          }
          const failure = await messages.closed();
          if (failure instanceof Error) throw failure;
          if (nats.isClosed()) throw new Error('The connection was closed.');
        }
      } finally {
        if (!nats.isClosed()) await close();
      }
    }).catch((error: unknown) => {
      if (!context.signal.aborted) throw error;
    }),
});

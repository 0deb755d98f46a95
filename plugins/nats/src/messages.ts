import {
  anything,
  defineTask,
  duration,
  readMessages,
  someValue,
  storeMessages,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, type Nats, withNats } from './client.ts';
import { consumeProperties, openConsumer, type Subscription, Taken, toOutput } from './consumer.ts';
import { taskExample } from './example.ts';
import { toMessage } from './message.ts';

/** The number of messages between two flushes, which confirm delivery. */
const flushEvery = 1_000;

export const produce = defineTask({
  type: 'nats.core.Produce',
  title: 'Send messages to a NATS subject',
  description: `Sends messages: one map, a list of maps, or the rows of a stored file. A message has \`data\`, and may have \`headers\` and its
own \`subject\`. Data that is not text is sent as JSON. A stream that covers the subject keeps the messages.`,
  aliases: ['nats.Produce'],
  input: () =>
    z.object({
      ...connectionProperties(),
      subject: text().describe('The subject of messages that name none.'),
      from: someValue().describe('A message, a list of messages, or a file in internal storage.'),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were sent.') }),
  metrics: [{ name: 'records', type: 'counter', description: 'How many messages were sent.' }],
  sideEffects: true,
  examples: [
    taskExample('core.Produce', 'Send a message with a header.', [
      'subject: orders.new',
      'from:',
      '  headers:',
      '    source: [shop]',
      '  data: \'{"order": 1}\'',
    ]),
  ],
  run: (context, input) =>
    withNats(context, input, async (nats) => {
      let messagesCount = 0;
      for await (const value of readMessages(context, input.from)) {
        const { subject = input.subject, headers, data } = await toMessage(value);
        nats.publish(subject, data, headers ? { headers } : {});
        messagesCount++;
        if (messagesCount % flushEvery === 0) await nats.flush();
      }
      await nats.flush();
      context.metric({ name: 'records', type: 'counter', value: messagesCount });
      return { messagesCount };
    }),
});

export const consumeOutput = z.object({
  messagesCount: z.number().describe('How many messages were received.'),
  uri: z.string().optional().describe('A file with a message per row.'),
});

export type ConsumeInput = Subscription & {
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
  readonly pollDuration: number;
};

/** Stores messages, hands the result over, and acknowledges when that is done. */
export async function consumeStored<T>(
  context: TaskContext,
  nats: Nats,
  input: ConsumeInput,
  {
    storeEmpty,
    handOver,
  }: { storeEmpty: boolean; handOver: (o: z.infer<typeof consumeOutput>) => Promise<T> },
): Promise<T> {
  const { consumer, close } = await openConsumer(nats, input);
  try {
    const taken = new Taken(context, consumer, input);
    const { count, uri } = await storeMessages(context, {
      next: (waitMs) => taken.next(waitMs),
      toRow: toOutput,
      storeEmpty,
      maxRecords: input.maxRecords,
      maxDuration: input.maxDuration,
      maxIdle: input.pollDuration,
    });
    context.metric({ name: 'records', type: 'counter', value: count });
    const result = await handOver({ messagesCount: count, ...(uri !== undefined && { uri }) });
    await taken.acknowledge(nats);
    return result;
  } finally {
    if (!nats.isClosed()) await close();
  }
}

export const consume = defineTask({
  type: 'nats.core.Consume',
  title: 'Receive messages of a NATS stream',
  description: `Receives the messages of a subject that a JetStream stream covers and stores them in a file, one per row, with \`subject\`,
\`headers\`, \`data\` and \`timestamp\`. It stops when no message arrived for \`pollDuration\`, at \`maxRecords\` or at \`maxDuration\`.
Messages are acknowledged after the file is stored; with \`durableId\` the next run receives only later ones.`,
  aliases: ['nats.Consume'],
  input: () => z.object({ ...connectionProperties(), ...consumeProperties() }),
  output: consumeOutput,
  metrics: [{ name: 'records', type: 'counter', description: 'How many messages were received.' }],
  sideEffects: true,
  examples: [
    taskExample('core.Consume', 'Receive up to 1,000 messages.', [
      'subject: orders.>',
      'durableId: reports',
      'maxRecords: 1000',
    ]),
  ],
  run: (context, input) =>
    withNats(context, input, (nats) =>
      consumeStored(context, nats, input, { storeEmpty: true, handOver: async (output) => output }),
    ),
});

export const request = defineTask({
  type: 'nats.core.Request',
  title: 'Send a request to a NATS subject and wait for the reply',
  description:
    'Sends one message and returns the text of the first reply. It fails when no reply comes in time.',
  aliases: ['nats.Request'],
  input: () =>
    z.object({
      ...connectionProperties(),
      subject: text().describe('The subject that a service listens to.'),
      from: anything().describe('The request: a text, or a map with `data` and `headers`.'),
      requestTimeout: duration().prefault('PT5S').describe('How long to wait for the reply.'),
    }),
  output: () => z.object({ response: z.string().describe('The text of the reply.') }),
  sideEffects: true,
  examples: [taskExample('core.Request', 'Call a service.', ['subject: greet.me', 'from: "{{ flow.id }}"'])],
  run: (context, input) =>
    withNats(context, input, async (nats) => {
      for await (const value of readMessages(context, input.from)) {
        const { subject = input.subject, headers, data } = await toMessage(value);
        const reply = await nats.request(subject, data, {
          timeout: input.requestTimeout,
          ...(headers && { headers }),
        });
        return { response: reply.string() };
      }
      throw new TaskFailed('"from" must be a message, got an empty list.', { retry: false });
    }),
});

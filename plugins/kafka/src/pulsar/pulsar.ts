import {
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  limitProperties,
  mapOf,
  readMessages,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toOutputValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { consumeEach, consumeStored, readStored } from './consume.ts';
import {
  pollProperties,
  queryOf,
  readProperties,
  refuseUnsupported,
  schemaProperties,
  serdeProperty,
  subscriptionProperties,
  toFrame,
} from './messages.ts';
import { connectionProperties, topicPath, withSockets } from './socket.ts';

const note =
  'Pulsar is reached over its WebSocket API, which must be enabled (`webSocketServiceEnabled=true`).';

const brokerLines = [
  'uri: pulsar://pulsar.example.com:6650',
  'authenticationToken: "{{ secret(\'PULSAR_TOKEN\') }}"',
  'topic: shop/orders/new',
];
const indent = (lines: readonly string[]) =>
  [...brokerLines, ...lines].map((line) => `    ${line}`).join('\n');
const taskExample = (type: string, title: string, lines: readonly string[]) => ({
  title,
  runs: false,
  code: `id: pulsar_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: pulsar
    type: pulsar.${type}
${indent(lines)}
`,
});
const triggerExample = (type: string, title: string, lines: readonly string[], message: string) => ({
  title,
  runs: false,
  code: `id: pulsar_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "${message}"

triggers:
  - id: orders
    type: pulsar.${type}
${indent(lines)}
`,
});

const storedOutput = z.object({
  messagesCount: z.number().describe('How many messages were read.'),
  uri: z.string().optional().describe('A file with a message per row.'),
});
const readMetrics = [
  { name: 'reader.records', type: 'counter', description: 'How many messages were read.' },
  { name: 'records.total', type: 'counter', description: 'How many messages were read.' },
] as const;

function report(context: TaskContext, { count, uri }: { readonly count: number; readonly uri?: string }) {
  for (const { name } of readMetrics) context.metric({ name, type: 'counter', value: count });
  return { messagesCount: count, ...(uri !== undefined && { uri }) };
}

/** How many messages may wait for their confirmation. */
const inFlight = 500;

const produce = defineTask({
  type: 'pulsar.Produce',
  title: 'Publish messages to a Pulsar topic',
  description: `Publishes messages: one value, a list, or the rows of a stored file. A message is its value, or a map with \`value\` and optionally \`key\`,
\`properties\`, \`eventTime\`, \`deliverAfter\`, \`deliverAt\` and \`sequenceId\`. The task ends when the broker has confirmed all of them. ${note}`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...schemaProperties(),
      topic: text().describe('The topic.'),
      from: someValue().describe('A message, a list of messages, or a file in internal storage.'),
      serializer: serdeProperty('written'),
      producerName: text().optional().describe('The name of the producer.'),
      producerProperties: mapOf(text()).optional().describe('More query parameters of the producer.'),
      accessMode: choice(['Shared', 'Exclusive', 'ExclusiveWithFencing', 'WaitForExclusive'])
        .optional()
        .describe('Only `Shared` is supported.'),
      encryptionKey: text().optional().describe('The key to encrypt messages with, which is refused.'),
      compressionType: choice(['NONE', 'LZ4', 'ZLIB', 'ZSTD', 'SNAPPY'])
        .optional()
        .describe('How the broker compresses the messages.'),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were published.') }),
  sideEffects: true,
  examples: [
    taskExample('Produce', 'Publish two orders.', [
      'serializer: JSON',
      'from:',
      '  - key: "1"',
      '    value: {order: 1}',
      '  - key: "2"',
      '    value: {order: 2}',
    ]),
  ],
  run: (context, input) => {
    refuseUnsupported(input);
    if (input.accessMode !== undefined && input.accessMode !== 'Shared')
      throw new TaskFailed(
        `"accessMode: ${input.accessMode}" is not supported: the WebSocket API of Pulsar has only shared producers.`,
        { retry: false },
      );
    const path = `producer/${topicPath(input.topic)}${queryOf({
      producerName: input.producerName,
      compressionType: input.compressionType,
      ...input.producerProperties,
    })}`;
    return withSockets(context, input, [path], async ([socket]) => {
      let sent = 0;
      let confirmed = 0;
      const confirm = async () => {
        const reply = await socket?.frames.next(60_000);
        if (!reply) throw new TaskFailed('The broker did not confirm a message within 60 s.');
        if (reply.result !== 'ok')
          throw new TaskFailed(`The broker refused a message: ${String(reply.errorMsg ?? reply.result)}`);
        confirmed++;
      };
      for await (const value of readMessages(context, input.from)) {
        context.signal.throwIfAborted();
        const serde = input.schemaType === 'JSON' ? 'JSON' : input.serializer;
        await socket?.send(toFrame(value, serde, String(sent)));
        sent++;
        if (sent - confirmed >= inFlight) await confirm();
      }
      while (confirmed < sent) await confirm();
      return { messagesCount: sent };
    });
  },
});

const consume = defineTask({
  type: 'pulsar.Consume',
  title: 'Receive messages of a Pulsar subscription',
  description: `Receives messages and stores them in a file, one per row. It stops when none came for \`pollDuration\`, at \`maxRecords\` or at \`maxDuration\`.
Messages are acknowledged after the file is stored. ${note}`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...schemaProperties(),
      ...readProperties(),
      ...subscriptionProperties(),
      ...pollProperties(),
      ...limitProperties(),
    }),
  output: storedOutput,
  metrics: readMetrics,
  sideEffects: true,
  examples: [
    taskExample('Consume', 'Receive up to 1,000 messages.', [
      'subscriptionName: reports',
      'deserializer: JSON',
      'maxRecords: 1000',
    ]),
  ],
  run: (context, input) =>
    consumeStored(context, input, {
      storeEmpty: true,
      handOver: async (stored) => report(context, stored),
    }),
});

const reader = defineTask({
  type: 'pulsar.Reader',
  title: 'Read messages of a Pulsar topic',
  description: `Reads messages from a position on, without a subscription, and stores them in a file, one per row. ${note}`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...schemaProperties(),
      ...readProperties(),
      ...pollProperties(),
      ...limitProperties(),
      since: duration().optional().describe('Only messages that are not older than this.'),
      messageId: text()
        .optional()
        .describe('Begin after this message: an id as in the rows, `earliest` (default) or `latest`.'),
    }),
  output: storedOutput,
  metrics: readMetrics,
  sideEffects: true,
  examples: [taskExample('Reader', 'Messages of the last hour.', ['since: PT1H'])],
  run: async (context, input) => report(context, await readStored(context, input)),
});

const trigger = defineTrigger({
  type: 'pulsar.Trigger',
  role: 'polling',
  title: 'Start when a Pulsar subscription has messages',
  description: `Receives messages every \`interval\` and starts one execution for all of them, with a file of rows. Messages are acknowledged after the execution
is stored. ${note}`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...schemaProperties(),
      ...readProperties(),
      ...subscriptionProperties(),
      ...pollProperties(),
      ...limitProperties(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: storedOutput,
  examples: [
    triggerExample(
      'Trigger',
      'Messages of half a minute.',
      ['subscriptionName: reports', 'interval: PT30S'],
      '{{ trigger.messagesCount }} messages in {{ trigger.uri }}',
    ),
  ],
  poll: (context, input) =>
    consumeStored(context, input, {
      storeEmpty: false,
      handOver: async ({ count, uri }) => {
        if (count > 0) await context.emit({ messagesCount: count, uri });
        return undefined;
      },
    }),
});

const realtimeTrigger = defineTrigger({
  type: 'pulsar.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of a Pulsar subscription',
  description: `Starts an execution for each message as it arrives. A message is acknowledged after its execution is stored, and a message that the broker
delivers again starts no second execution. ${note}`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...schemaProperties(),
      ...readProperties(),
      ...subscriptionProperties(),
    }),
  output: () =>
    z.object({
      key: z.string().optional().describe('The key of the message.'),
      value: z.unknown().describe('The value; bytes as base64.'),
      properties: z.record(z.string(), z.string()).describe('The properties.'),
      topic: z.string().describe('The topic.'),
      eventTime: z.iso.datetime().optional().describe('When the event happened, or was published.'),
      messageId: z.string().describe('The id of the message.'),
    }),
  examples: [
    triggerExample(
      'RealtimeTrigger',
      'One execution per order.',
      ['subscriptionName: orders', 'deserializer: JSON'],
      'Order {{ trigger.value.order }}',
    ),
  ],
  listen: (context, input, emit) =>
    consumeEach(context, input, async ({ value, eventTime, ...message }) => {
      const at = eventTime?.toISOString();
      await emit(
        { ...message, value: toOutputValue(value), ...(at !== undefined && { eventTime: at }) },
        { key: `${message.topic}/${message.messageId}` },
      );
    }),
});

export const pulsarTypes: readonly Definition[] = [produce, consume, reader, trigger, realtimeTrigger];

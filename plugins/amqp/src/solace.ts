import {
  asMessage,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  integer,
  type MessageSerde,
  mapOf,
  readMessages,
  serializeMessage,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toIonText,
} from '@millrace/plugin-kit';
import type { Message } from 'rhea';
import { z } from 'zod';
import { type Address, type Broker, withBroker } from './amqp1/broker.ts';
import { propertiesOf, readContent, toPlain } from './amqp1/content.ts';
import { receiveStored } from './amqp1/receive.ts';

const connectionProperties = () => ({
  host: text().describe(
    'The host of the broker with the port of its AMQP service, such as `amqp://host:5672` or `amqps://host:5671`. The ports of other services (55555, 55443) are replaced by these.',
  ),
  vpn: text().default('default').describe('The message VPN.'),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password.'),
  properties: mapOf(text())
    .default({})
    .describe('Properties of the Java client, which have no effect: the broker is reached over AMQP 1.0.'),
});

const serializers = ['STRING', 'BINARY', 'ION', 'JSON'] as const;
type Serializer = (typeof serializers)[number];

const consumeProperties = () => ({
  queueName: text().describe('The queue, which must exist.'),
  queueType: choice(['DURABLE_EXCLUSIVE', 'DURABLE_NON_EXCLUSIVE', 'NON_DURABLE_EXCLUSIVE']).describe(
    'The kind of the queue. `NON_DURABLE_EXCLUSIVE`, a queue that ends with its connection, is refused.',
  ),
  messageDeserializer: choice(serializers).default('STRING').describe('How the payload is read.'),
  messageDeserializerProperties: mapOf(someValue())
    .default({})
    .describe('Properties of the deserializer, which have no effect.'),
  maxMessages: integer({ min: 1 }).default(100).describe('Stop after this many messages.'),
  maxDuration: duration().prefault('PT10S').describe('Stop after this time.'),
  messageSelector: text()
    .optional()
    .describe("Only messages whose properties match, such as `region = 'EU'`."),
});

interface Connection {
  readonly host: string;
  readonly vpn: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

const otherPorts: Readonly<Record<string, string>> = { '55555': '5672', '55443': '5671', '55003': '5672' };

function addressOf({ host, vpn, username, password }: Connection): Address {
  const [first = ''] = host.split(',');
  const written = first.includes('://') ? first.trim() : `amqp://${first.trim()}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url || !/^(amqps?|tcps?|smfs?):$/.test(url.protocol) || url.hostname === '')
    throw new TaskFailed(`"host" must be an address such as amqp://host:5672, got "${host}".`, {
      retry: false,
    });
  const isSecure = /^(amqps|tcps|smfs):$/.test(url.protocol);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number((otherPorts[url.port] ?? url.port) || (isSecure ? 5671 : 5672)),
    isSecure,
    // A user of another VPN than that of the port has the name of the VPN behind it.
    username: username === undefined || vpn === 'default' ? username : `${username}@${vpn}`,
    password,
  };
}

const serdes = { STRING: 'STRING', BINARY: 'BYTES', ION: 'STRING', JSON: 'JSON' } as const satisfies Record<
  Serializer,
  MessageSerde
>;

function toMessage(
  broker: Broker,
  value: unknown,
  {
    messageSerializer,
    messageProperties,
    deliveryMode,
  }: {
    readonly messageSerializer: Serializer;
    readonly messageProperties: Readonly<Record<string, string>>;
    readonly deliveryMode: 'DIRECT' | 'PERSISTENT';
  },
): Message {
  const map = asMessage(value, 'payload');
  const { payload, properties } = 'payload' in map ? map : { payload: map, properties: undefined };
  const content =
    messageSerializer === 'ION'
      ? Buffer.from(toIonText(payload))
      : serializeMessage(payload, serdes[messageSerializer]);
  return {
    durable: deliveryMode === 'PERSISTENT',
    application_properties: { ...messageProperties, ...(properties as object | undefined) }, // a map, or nothing
    body: messageSerializer === 'BINARY' ? broker.bytes(content) : content.toString(),
  } as Message; // the declared body is any value
}

const fromMessage = (context: TaskContext, message: Message, serializer: Serializer) => ({
  messageId: toPlain(message.message_id) ?? null,
  correlationId: toPlain(message.correlation_id) ?? null,
  destination: toPlain(message.to) ?? null,
  properties: propertiesOf(message.application_properties),
  payload: readContent(context, message.body, serdes[serializer]),
});

const consumeOutput = z.object({
  messagesCount: z.number().describe('How many messages were received.'),
  uri: z.string().optional().describe('A file with a message per row: `payload`, `properties` and ids.'),
});

type ConsumeInput = z.infer<
  z.ZodObject<ReturnType<typeof connectionProperties> & ReturnType<typeof consumeProperties>>
>;

function consumeStored<T>(
  context: TaskContext,
  input: ConsumeInput,
  options: {
    readonly storeEmpty: boolean;
    readonly handOver: (output: z.infer<typeof consumeOutput>) => Promise<T>;
  },
): Promise<T> {
  if (input.queueType === 'NON_DURABLE_EXCLUSIVE')
    throw new TaskFailed(
      'A queue of the type NON_DURABLE_EXCLUSIVE ends with its connection, so that messages between two connections would be lost. Use a durable queue with a subscription.',
      { retry: false },
    );
  return receiveStored(context, {
    address: addressOf(input),
    node: { name: `queue://${input.queueName}`, kind: 'QUEUE' },
    selector: input.messageSelector,
    maxMessages: input.maxMessages,
    maxDuration: input.maxDuration,
    storeEmpty: options.storeEmpty,
    toRow: (message) => fromMessage(context, message, input.messageDeserializer),
    handOver: ({ count, uri }) =>
      options.handOver({ messagesCount: count, ...(uri !== undefined && { uri }) }),
  });
}

const brokerLines = [
  'host: amqps://broker.messaging.solace.cloud:5671',
  'vpn: shop',
  'username: "{{ secret(\'SOLACE_USER\') }}"',
  'password: "{{ secret(\'SOLACE_PASSWORD\') }}"',
];
const indent = (lines: readonly string[]) =>
  [...brokerLines, ...lines].map((line) => `    ${line}`).join('\n');
const taskExample = (type: string, title: string, lines: readonly string[]) => ({
  title,
  runs: false,
  code: `id: solace_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: solace
    type: solace.${type}
${indent(lines)}
`,
});

const produce = defineTask({
  type: 'solace.Produce',
  title: 'Publish messages to a Solace topic',
  description: `Publishes messages: one value, a list, or the rows of a stored file. A message is its payload, or a map with \`payload\` and \`properties\`.
The broker is reached over AMQP 1.0, which must be enabled in the message VPN.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      from: someValue().describe('A message, a list of messages, or a file in internal storage.'),
      topicDestination: text().describe('The topic.'),
      messageSerializer: choice(serializers).default('STRING').describe('How the payload is written.'),
      messageSerializerProperties: mapOf(someValue())
        .default({})
        .describe('Properties of the serializer, which have no effect.'),
      deliveryMode: choice(['DIRECT', 'PERSISTENT'])
        .default('PERSISTENT')
        .describe('`PERSISTENT` messages survive a restart of the broker.'),
      awaitAcknowledgementTimeout: duration()
        .prefault('PT1M')
        .describe('How long to wait until the broker has accepted a message.'),
      messageProperties: mapOf(text()).default({}).describe('Properties of every message.'),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were published.') }),
  metrics: [{ name: 'messages', type: 'counter', description: 'How many messages were published.' }],
  sideEffects: true,
  examples: [
    taskExample('Produce', 'Publish an order.', [
      'topicDestination: shop/orders/new',
      'messageSerializer: JSON',
      'from:',
      '  payload: {order: 1}',
      '  properties: {region: EU}',
    ]),
  ],
  run: (context, input) =>
    withBroker(context, addressOf(input), async (broker) => {
      const send = await broker.openSender({ name: `topic://${input.topicDestination}`, kind: 'TOPIC' });
      let messagesCount = 0;
      for await (const value of readMessages(context, input.from)) {
        await send(toMessage(broker, value, input), input.awaitAcknowledgementTimeout);
        messagesCount++;
      }
      context.metric({ name: 'messages', type: 'counter', value: messagesCount });
      return { messagesCount };
    }),
});

const consume = defineTask({
  type: 'solace.Consume',
  title: 'Receive messages of a Solace queue',
  description: `Receives messages for \`maxDuration\`, or until there are \`maxMessages\`, and stores them in a file, one per row. They are acknowledged after
the file is stored. The broker is reached over AMQP 1.0, which must be enabled in the message VPN.`,
  input: () => z.object({ ...connectionProperties(), ...consumeProperties() }),
  output: consumeOutput,
  sideEffects: true,
  examples: [
    taskExample('Consume', 'Receive up to 1,000 messages.', [
      'queueName: orders',
      'queueType: DURABLE_EXCLUSIVE',
      'maxMessages: 1000',
    ]),
  ],
  run: (context, input) =>
    consumeStored(context, input, { storeEmpty: true, handOver: async (output) => output }),
});

const trigger = defineTrigger({
  type: 'solace.Trigger',
  role: 'polling',
  title: 'Start when a Solace queue has messages',
  description: `Receives messages every \`interval\` and starts one execution for all of them, with a file of rows. They are acknowledged after the execution
is stored. The broker is reached over AMQP 1.0, which must be enabled in the message VPN.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...consumeProperties(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    {
      title: 'Messages of half a minute.',
      runs: false,
      code: `id: solace_trigger
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.messagesCount }} messages in {{ trigger.uri }}"

triggers:
  - id: orders
    type: solace.Trigger
${indent(['queueName: orders', 'queueType: DURABLE_EXCLUSIVE', 'interval: PT30S'])}
`,
    },
  ],
  poll: (context, input) =>
    consumeStored(context, input, {
      storeEmpty: false,
      handOver: async (output) => {
        if (output.messagesCount > 0) await context.emit(output);
        return undefined;
      },
    }),
});

export const solaceTypes: readonly Definition[] = [produce, consume, trigger];

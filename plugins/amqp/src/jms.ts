import {
  asMessage,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  flag,
  integer,
  listOf,
  mapOf,
  part,
  readMessages,
  serializeMessage,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toOutputValue,
} from '@millrace/plugin-kit';
import type { Message } from 'rhea';
import { z } from 'zod';
import { type Address, type Broker, withBroker } from './amqp1/broker.ts';
import { propertiesOf, readContent, toPlain } from './amqp1/content.ts';
import { receiveEach, receiveStored } from './amqp1/receive.ts';

const factoryConfig = () =>
  part({
    type: choice(['DIRECT', 'JNDI'])
      .default('DIRECT')
      .describe('How a Java client would find the broker. Only the address and the login count here.'),
    connectionFactoryClass: text()
      .optional()
      .describe('The class of the Java client. It has no effect: the broker is reached over AMQP 1.0.'),
    jndiInitialContextFactory: text().optional().describe('The JNDI class, which has no effect.'),
    jndiProviderUrl: text().optional().describe('The address of the broker with `JNDI`.'),
    jndiPrincipal: text().optional().describe('The user with `JNDI`.'),
    jndiCredentials: text().optional().describe('The password with `JNDI`.'),
    jndiConnectionFactoryName: text().optional().describe('The JNDI name, which has no effect.'),
    providerJarPaths: listOf(text()).optional().describe('Java archives, which have no effect.'),
    username: text().optional().describe('The user.'),
    password: text().optional().describe('The password.'),
    connectionProperties: mapOf(text())
      .optional()
      .describe('`brokerURL` is the address, such as `amqp://host:5672` or `amqps://host:5671`.'),
    useFilteredClassLoader: flag().default(false).describe('A setting of the Java client without effect.'),
  }).describe(
    'The broker and the login. The broker must speak AMQP 1.0: ActiveMQ, Artemis, Qpid, Solace, RabbitMQ.',
  );

const destinationProperty = () =>
  part({
    destinationName: text().describe('The name of the queue or topic.'),
    destinationType: choice(['QUEUE', 'TOPIC']).default('QUEUE').describe('Whether it is a queue or topic.'),
  }).describe('The queue or topic.');

const serdeType = () =>
  choice(['STRING', 'JSON', 'BYTES'])
    .default('STRING')
    .describe('How the content of a message is written: as text, as JSON, or as bytes.');

const selectorProperty = () =>
  text().optional().describe("Only messages whose headers match, such as `region = 'EU'`.");

interface FactoryConfig {
  readonly jndiProviderUrl?: string | undefined;
  readonly jndiPrincipal?: string | undefined;
  readonly jndiCredentials?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly connectionProperties?: Readonly<Record<string, string>> | undefined;
}

const urlNames = ['brokerURL', 'brokerUrl', 'remoteURI', 'remoteUri', 'serverUrl', 'uri', 'url', 'host'];

function addressOf(config: FactoryConfig | undefined): Address {
  const properties = config?.connectionProperties ?? {};
  const written = urlNames.map((name) => properties[name]).find(Boolean) ?? config?.jndiProviderUrl;
  if (!written)
    throw new TaskFailed(
      'Give the AMQP 1.0 address of the broker in "connectionFactoryConfig.connectionProperties.brokerURL", such as amqp://host:5672. JMS providers are Java libraries, which cannot be loaded here.',
      { retry: false },
    );
  // The first address of failover:(amqp://a,amqp://b).
  const first = /[a-z][a-z0-9+]*:\/\/[^,)\s]+/i.exec(written)?.[0] ?? `amqp://${written}`;
  const url = URL.canParse(first) ? new URL(first) : undefined;
  if (!url || !/^(amqps?|tcp|ssl):$/.test(url.protocol) || url.hostname === '')
    throw new TaskFailed(
      `The address of the broker must be one of AMQP 1.0, such as amqp://host:5672 or amqps://host:5671, got "${written}".`,
      { retry: false },
    );
  const isSecure = url.protocol === 'amqps:' || url.protocol === 'ssl:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? 5671 : 5672)),
    isSecure,
    username: config?.username ?? config?.jndiPrincipal ?? (decodeURIComponent(url.username) || undefined),
    password: config?.password ?? config?.jndiCredentials ?? (decodeURIComponent(url.password) || undefined),
  };
}

const nodeOf = ({
  destinationName,
  destinationType,
}: {
  readonly destinationName: string;
  readonly destinationType: 'QUEUE' | 'TOPIC';
}) => ({ name: destinationName, kind: destinationType });

type Serde = 'STRING' | 'JSON' | 'BYTES';

/** The kinds of messages that JMS clients expect. */
const messageTypes = { text: 5, bytes: 3 };
const typeNote = 'x-opt-jms-msg-type';

interface SendOptions {
  readonly serdeType: Serde;
  readonly priority: number;
  readonly deliveryMode: number;
  readonly timeToLive: number;
}

function toMessage(broker: Broker, value: unknown, options: SendOptions): Message {
  const map = asMessage(value, 'body');
  const names = ['body', 'data', 'headers', 'correlationId', 'replyTo', 'type', 'messageId', 'contentType'];
  const given = names.some((name) => Object.hasOwn(map, name)) ? map : { body: map };
  const content = serializeMessage(given.body ?? given.data, options.serdeType);
  const isBytes = options.serdeType === 'BYTES';
  const textIn = (name: string) => (given[name] === undefined ? undefined : String(given[name]));
  const facts = {
    message_id: textIn('messageId'),
    correlation_id: textIn('correlationId'),
    reply_to: textIn('replyTo'),
    subject: textIn('type'),
    content_type: textIn('contentType'),
  };
  return {
    ...Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)),
    durable: options.deliveryMode === 2,
    priority: options.priority,
    ...(options.timeToLive > 0 && {
      ttl: options.timeToLive,
      absolute_expiry_time: new Date(Date.now() + options.timeToLive),
    }),
    creation_time: new Date(),
    message_annotations: { [typeNote]: broker.byte(isBytes ? messageTypes.bytes : messageTypes.text) },
    application_properties: { ...(given.headers as object | undefined) }, // a map, or nothing
    body: isBytes ? broker.bytes(content) : content.toString(),
  };
}

const dateOf = (value: unknown): string | undefined => {
  const at = value instanceof Date ? value.getTime() : Number(value ?? Number.NaN);
  return Number.isNaN(at) || at === 0 ? undefined : new Date(at).toISOString();
};
const textOf = (value: unknown): string | undefined => {
  const plain = toPlain(value);
  return plain === undefined || plain === null ? undefined : String(plain);
};

function fromMessage(context: TaskContext, message: Message, serde: Serde) {
  const reply = textOf(message.reply_to);
  const row = {
    contentType: textOf(message.content_type),
    contentEncoding: textOf(message.content_encoding),
    headers: propertiesOf(message.application_properties),
    deliveryMode: message.durable ? 2 : 1,
    priority: message.priority ?? 4,
    messageId: textOf(message.message_id),
    correlationId: textOf(message.correlation_id),
    replyTo: reply,
    replyToType: reply === undefined ? undefined : reply.startsWith('topic:') ? 'TOPIC' : 'QUEUE',
    expiration: typeof message.ttl === 'number' && message.ttl > 0 ? `PT${message.ttl / 1000}S` : undefined,
    timestamp: dateOf(message.creation_time),
    type: textOf(message.subject),
    data: readContent(context, message.body, serde),
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

const brokerLines = [
  'connectionFactoryConfig:',
  '  username: "{{ secret(\'JMS_USER\') }}"',
  '  password: "{{ secret(\'JMS_PASSWORD\') }}"',
  '  connectionProperties:',
  '    brokerURL: amqp://activemq.example.com:5672',
  'destination:',
  '  destinationName: orders',
];
const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`).join('\n');
const taskExample = (type: string, title: string, lines: readonly string[]) => ({
  title,
  runs: false,
  code: `id: jms_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: jms
    type: jms.${type}
${indent([...brokerLines, ...lines])}
`,
});

const produce = defineTask({
  type: 'jms.Produce',
  title: 'Send messages to a JMS queue or topic',
  description: `Sends messages: one value, a list, or the rows of a stored file. A message is its content, or a map with \`body\` and optionally \`headers\`,
\`correlationId\`, \`replyTo\`, \`type\`, \`messageId\` and \`contentType\`. The task ends when the broker has accepted all of them. The broker is reached
over AMQP 1.0, not through a Java client.`,
  aliases: ['jms.JMSProducer'],
  input: () =>
    z.object({
      connectionFactoryConfig: factoryConfig().optional(),
      destination: destinationProperty(),
      from: someValue().describe('A message, a list of messages, or a file in internal storage.'),
      serdeType: serdeType(),
      priority: integer({ min: 0, max: 9 }).default(4).describe('The priority, from 0 to 9.'),
      deliveryMode: integer({ min: 1, max: 2 })
        .default(2)
        .describe('2 for messages that survive a restart of the broker, 1 for others.'),
      timeToLive: integer({ min: 0 })
        .default(0)
        .describe('After how many milliseconds a message expires; 0 for never.'),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were sent.') }),
  metrics: [{ name: 'records', type: 'counter', description: 'How many messages were sent.' }],
  sideEffects: true,
  examples: [
    taskExample('Produce', 'Send two orders.', [
      'serdeType: JSON',
      'from:',
      '  - body: {order: 1}',
      '    headers: {region: EU}',
      '  - body: {order: 2}',
    ]),
  ],
  run: (context, { connectionFactoryConfig, destination, from, ...options }) =>
    withBroker(context, addressOf(connectionFactoryConfig), async (broker) => {
      const send = await broker.openSender(nodeOf(destination));
      let messagesCount = 0;
      for await (const value of readMessages(context, from)) {
        await send(toMessage(broker, value, options), 60_000);
        messagesCount++;
      }
      context.metric({ name: 'records', type: 'counter', value: messagesCount });
      return { messagesCount };
    }),
});

const consume = defineTask({
  type: 'jms.Consume',
  title: 'Receive messages of a JMS queue or topic',
  description: `Receives up to \`maxMessages\` messages and stores them in a file, one per row. It stops when none came for \`maxWaitTimeout\`
milliseconds. Messages are acknowledged after the file is stored. The broker is reached over AMQP 1.0, not through a Java client.`,
  aliases: ['jms.JMSConsumer'],
  input: () =>
    z.object({
      connectionFactoryConfig: factoryConfig().optional(),
      destination: destinationProperty(),
      messageSelector: selectorProperty(),
      serdeType: serdeType(),
      maxMessages: integer({ min: 1 }).default(1).describe('Stop after this many messages.'),
      maxWaitTimeout: integer({ min: 0 })
        .default(0)
        .describe('How many milliseconds to wait for a message; 0 waits until `maxMessages` have arrived.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many messages were received.'),
      uri: z.string().optional().describe('A file with a message per row.'),
    }),
  metrics: [{ name: 'messages', type: 'counter', description: 'How many messages were received.' }],
  sideEffects: true,
  examples: [
    taskExample('Consume', 'Receive up to 100 messages.', ['maxMessages: 100', 'maxWaitTimeout: 2000']),
  ],
  run: (context, input) =>
    receiveStored(context, {
      address: addressOf(input.connectionFactoryConfig),
      node: nodeOf(input.destination),
      selector: input.messageSelector,
      maxMessages: input.maxMessages,
      maxIdle: input.maxWaitTimeout > 0 ? input.maxWaitTimeout : undefined,
      storeEmpty: true,
      toRow: (message) => fromMessage(context, message, input.serdeType),
      handOver: async ({ count, uri }) => {
        context.metric({ name: 'messages', type: 'counter', value: count });
        return { count, ...(uri !== undefined && { uri }) };
      },
    }),
});

const realtimeTrigger = defineTrigger({
  type: 'jms.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of a JMS queue or topic',
  description: `Starts an execution for each message as it arrives. A message is acknowledged after its execution is stored; one that was delivered when the
server crashes is delivered again. The broker is reached over AMQP 1.0, not through a Java client.`,
  aliases: ['jms.JMSRealtimeTrigger'],
  input: () =>
    z.object({
      connectionFactoryConfig: factoryConfig(),
      destination: destinationProperty(),
      messageSelector: selectorProperty(),
      serdeType: serdeType(),
    }),
  output: () =>
    z.object({
      contentType: z.string().optional().describe('The media type of the data.'),
      contentEncoding: z.string().optional().describe('The encoding of the data.'),
      headers: z.record(z.string(), z.unknown()).describe('The properties that the sender gave.'),
      deliveryMode: z.number().describe('2 for a message that survives a restart of the broker.'),
      priority: z.number().describe('The priority.'),
      messageId: z.string().optional().describe('The id of the message.'),
      correlationId: z.string().optional().describe('The id of the message that this one replies to.'),
      replyTo: z.string().optional().describe('Where a reply is expected.'),
      replyToType: z.string().optional().describe('`QUEUE` or `TOPIC`, for a reply.'),
      expiration: z.string().optional().describe('How long the message may wait, as a duration.'),
      timestamp: z.iso.datetime().optional().describe('When the message was made.'),
      type: z.string().optional().describe('The type of the message.'),
      data: z.unknown().describe('The content.'),
    }),
  examples: [
    {
      title: 'One execution per order.',
      runs: false,
      code: `id: jms_realtimetrigger
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "Order {{ trigger.data.order }}"

triggers:
  - id: orders
    type: jms.RealtimeTrigger
${indent([...brokerLines, 'serdeType: JSON'])}
`,
    },
  ],
  listen: (context, input, emit) =>
    receiveEach(
      context,
      {
        address: addressOf(input.connectionFactoryConfig),
        node: nodeOf(input.destination),
        selector: input.messageSelector,
      },
      async (message) => {
        const { data, ...facts } = fromMessage(context, message, input.serdeType);
        await emit({ ...facts, data: toOutputValue(data) });
      },
    ),
});

export const jmsTypes: readonly Definition[] = [produce, consume, realtimeTrigger];

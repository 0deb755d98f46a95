import { consumeStored, listenToMessages, produceMessages } from '@millrace/plugin-kafka/compatible';
import { someValue, TaskFailed } from '@millrace/plugin-kit';
import { may, need, out, preset } from '@millrace/plugin-saas/rest';
import { connection, type Types } from '../client/connection.ts';
import { huaweiListener, huaweiPoll, huaweiTask } from '../client/define.ts';

const serdes = ['STRING', 'JSON', 'BINARY'] as const;

const brokers = {
  bootstrapServers: need.text('The brokers, such as `host1:9092,host2:9092`.'),
  saslMechanism: preset.choice(
    ['PLAIN', 'SCRAM_SHA_512', 'NONE'],
    'PLAIN',
    'How to log in; `NONE` for an instance without login.',
  ),
  username: may.text('The user of the instance.'),
  password: may.secret('The password of the user.'),
  sslEnabled: preset.flag(
    false,
    'Connect with TLS. The worker must trust the certificate authority of the instance (`NODE_EXTRA_CA_CERTS`); host names are not compared, because brokers are addressed by IP.',
  ),
  keySerdeType: preset.choice(serdes, 'STRING', 'The format of keys.'),
  valueSerdeType: preset.choice(serdes, 'STRING', 'The format of values.'),
};

interface Brokers {
  readonly bootstrapServers: string;
  readonly saslMechanism: 'PLAIN' | 'SCRAM_SHA_512' | 'NONE';
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly sslEnabled: boolean;
  readonly keySerdeType: (typeof serdes)[number];
  readonly valueSerdeType: (typeof serdes)[number];
}

const serdeOf = (serde: (typeof serdes)[number]): 'STRING' | 'JSON' | 'BYTES' =>
  serde === 'BINARY' ? 'BYTES' : serde;
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The properties of Kafka's own clients. */
function propertiesOf(input: Brokers): Record<string, string> {
  const { saslMechanism, username, password, sslEnabled } = input;
  const isPlain = saslMechanism === 'NONE';
  if (!isPlain && (username === undefined || password === undefined))
    throw new TaskFailed(
      `"username" and "password" must be given for ${saslMechanism}; use "saslMechanism: NONE" for an instance without login.`,
      { retry: false },
    );
  return {
    'bootstrap.servers': input.bootstrapServers,
    'security.protocol': `${isPlain ? '' : 'SASL_'}${sslEnabled ? 'SSL' : 'PLAINTEXT'}`,
    'auto.offset.reset': 'earliest',
    ...(!isPlain && {
      'sasl.mechanism': saslMechanism.replaceAll('_', '-'),
      'sasl.jaas.config': `required username=${quoted(username ?? '')} password=${quoted(password ?? '')};`,
    }),
    ...(sslEnabled && { 'ssl.endpoint.identification.algorithm': '' }),
  };
}

const group = {
  topic: need.text('The topic.'),
  groupId: need.text(
    'The consumer group, which remembers what was read. A new group starts with the oldest message.',
  ),
};
const limits = {
  maxRecords: may.integer('Stop after this many messages.'),
  maxDuration: may.duration('Stop after this time, even while messages still arrive.'),
  pollDuration: preset.duration('PT5S', 'Stop when no message arrived for this long.'),
};

const toInput = <I extends Brokers & { readonly topic: string; readonly groupId: string }>(input: I) => ({
  ...input,
  topic: [input.topic],
  properties: propertiesOf(input),
  serdeProperties: {},
  groupType: 'CONSUMER' as const,
  keyDeserializer: serdeOf(input.keySerdeType),
  valueDeserializer: serdeOf(input.valueSerdeType),
});

const consumeOutput = {
  messagesCount: out.integer('How many messages were read.'),
  uri: out.text(
    'A file with a message per row: `key`, `value`, `headers`, `topic`, `partition`, `timestamp` and `offset`.',
  ),
};

const login = {
  bootstrapServers: '192.168.0.10:9092,192.168.0.11:9092',
  username: 'flows',
  password: "{{ secret('DMS_PASSWORD') }}",
};

const produce = huaweiTask({
  type: 'huawei.dms.kafka.Produce',
  title: 'Send messages to a topic of DMS for Kafka',
  description:
    'Sends messages: one map, a list of maps, or the rows of a stored file. A message has `key` and `value` and may have `topic`, `partition`, `timestamp` and `headers`. The brokers confirm each batch.',
  properties: {
    ...brokers,
    ...connection,
    topic: may.text('The topic of messages that name none.'),
    from: {
      schema: () => someValue().describe('A message, a list of messages, or a file in internal storage.'),
    },
  },
  output: { messagesCount: out.integer('How many messages were sent.') },
  metrics: [
    { name: 'dms.kafka.produce.count', type: 'counter', description: 'How many messages were sent.' },
  ],
  run: async (context, input) => {
    const messagesCount = await produceMessages(context, {
      properties: propertiesOf(input),
      serdeProperties: {},
      topic: input.topic,
      from: input.from,
      keySerializer: serdeOf(input.keySerdeType),
      valueSerializer: serdeOf(input.valueSerdeType),
      transactional: false,
    });
    context.metric({ name: 'dms.kafka.produce.count', type: 'counter', value: messagesCount });
    return { messagesCount };
  },
  example: {
    ...login,
    topic: 'orders',
    valueSerdeType: 'JSON',
    from: [{ key: 'order-1', value: { order: 1 } }],
  },
});

const consume = huaweiTask({
  type: 'huawei.dms.kafka.Consume',
  title: 'Read messages of a topic of DMS for Kafka',
  description:
    'Reads messages and stores them in a file, until no message arrived for `pollDuration`, or at `maxRecords` or `maxDuration`. The offsets are committed after the file is stored.',
  properties: { ...brokers, ...connection, ...group, ...limits },
  output: consumeOutput,
  metrics: [
    { name: 'dms.kafka.consume.count', type: 'counter', description: 'How many messages were read.' },
  ],
  run: (context, input) =>
    consumeStored(context, toInput(input), {
      storeEmpty: true,
      metric: 'dms.kafka.consume.count',
      handOver: async (output) => output,
    }),
  example: { ...login, topic: 'orders', groupId: 'reports', valueSerdeType: 'JSON', maxRecords: 1000 },
});

const trigger = huaweiPoll({
  type: 'huawei.dms.kafka.Trigger',
  title: 'Start when a topic of DMS for Kafka has messages',
  description:
    'Reads messages every `interval` and starts one execution for all of them. The offsets are committed after the execution is stored: a server that crashes before that reads the messages again.',
  properties: { ...brokers, ...group, ...limits },
  output: consumeOutput,
  poll: (context, input) =>
    consumeStored(context, toInput(input), {
      storeEmpty: false,
      metric: 'dms.kafka.consume.count',
      handOver: async (output) => {
        if (output.messagesCount > 0) await context.emit(output);
        return undefined;
      },
    }),
  example: { ...login, topic: 'orders', groupId: 'orders', valueSerdeType: 'JSON', interval: 'PT30S' },
});

const realtimeTrigger = huaweiListener({
  type: 'huawei.dms.kafka.RealtimeTrigger',
  title: 'Start for every message of a topic of DMS for Kafka',
  description:
    'Starts an execution for each message as it arrives. The offset of a message is committed after its execution is stored; one that was read when the server crashes is read again.',
  properties: { ...brokers, ...group },
  output: {
    key: out.any('The key; bytes are base64 text.'),
    value: out.any('The value; bytes are base64 text.'),
    topic: out.text('The topic.'),
    partition: out.integer('The partition.'),
    offset: out.integer('The offset in the partition.'),
    timestamp: out.text('The date and time of the message.'),
    headers: out.maps('The headers, a map with one entry each.'),
  },
  listen: (context, input, emit) => listenToMessages(context, toInput(input), emit),
  example: { ...login, topic: 'orders', groupId: 'orders', valueSerdeType: 'JSON' },
});

export const kafkaTypes: Types = [produce, consume, trigger, realtimeTrigger];

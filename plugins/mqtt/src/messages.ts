import {
  choice,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  integer,
  limitProperties,
  readMessages,
  serializeMessage,
  someValue,
  text,
  toOutputValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, withMqtt } from './client.ts';
import { taskExample, triggerExample } from './example.ts';
import { consumeStored, eachMessage, subscribeProperties, toMessage } from './subscription.ts';

const metrics = [
  { name: 'records', type: 'counter', description: 'How many messages there were.' },
  { name: 'duration', type: 'timer', description: 'How long it took.' },
] as const;

/** How many messages may wait for their acknowledgment. */
const confirmEvery = 100;

export const publish = defineTask({
  type: 'mqtt.Publish',
  title: 'Publish messages to an MQTT topic',
  description: `Publishes messages: one value, each item of a list, or each row of a stored file. Of a row that \`mqtt.Subscribe\` stored only the
\`payload\` is sent.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      topic: text().describe('The topic.'),
      from: someValue().describe('A value, a list of values, or a file in internal storage.'),
      serdeType: choice(['STRING', 'JSON', 'BYTES']).describe(
        'How a value is sent: as text, as JSON, or as bytes.',
      ),
      qos: integer({ min: 0, max: 2 }).default(1).describe('The quality of service.'),
      retain: flag()
        .default(false)
        .describe('Whether the broker keeps the last message for later subscribers.'),
      responseTopic: text().optional().describe('Where a reply is expected (MQTT 5).'),
      correlationData: text().optional().describe('What a reply refers to (MQTT 5).'),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were published.') }),
  metrics,
  sideEffects: true,
  examples: [
    taskExample('Publish', 'Publish a measurement.', [
      'topic: sensors/cpu',
      'serdeType: JSON',
      'from:',
      '  host: web1',
      '  load: 0.7',
    ]),
  ],
  run: (context, input) =>
    withMqtt(context, input, { isDurable: false }, async ({ client }) => {
      const startedAt = Date.now();
      const qos = input.qos === 0 ? 0 : input.qos === 1 ? 1 : 2;
      const properties = {
        ...(input.responseTopic !== undefined && { responseTopic: input.responseTopic }),
        ...(input.correlationData !== undefined && { correlationData: Buffer.from(input.correlationData) }),
      };
      const options = {
        qos,
        retain: input.retain,
        ...(input.mqttVersion === 'V5' && { properties }),
      } as const;
      let messagesCount = 0;
      let sending: Promise<unknown>[] = [];
      const settle = async () => {
        await Promise.all(sending);
        sending = [];
      };
      for await (const value of readMessages(context, input.from)) {
        const content = serializeMessage(payloadOf(value), input.serdeType);
        sending.push(client.publishAsync(input.topic, content, options));
        messagesCount++;
        if (sending.length >= confirmEvery) await settle();
      }
      await settle();
      context.metric({ name: 'records', type: 'counter', value: messagesCount });
      context.metric({ name: 'duration', type: 'timer', value: Date.now() - startedAt });
      return { messagesCount };
    }),
});

function payloadOf(value: unknown): unknown {
  const isReceived =
    typeof value === 'object' && value !== null && 'payload' in value && 'topic' in value && 'qos' in value;
  return isReceived ? value.payload : value;
}

const consumeOutput = z.object({
  messagesCount: z.number().describe('How many messages were received.'),
  uri: z.string().optional().describe('A file with a message per row.'),
});

const limits = `It stops at \`maxRecords\` or \`maxDuration\`, one of which must be given.`;

export const subscribe = defineTask({
  type: 'mqtt.Subscribe',
  title: 'Receive messages of MQTT topics',
  description: `Receives the messages that arrive while the task runs, and those that the broker retained, and stores them in a file, one per row, with
\`id\`, \`topic\`, \`qos\`, \`retain\`, \`properties\` and \`payload\`. ${limits} Messages are acknowledged after the file is stored.`,
  input: () => z.object({ ...connectionProperties(), ...subscribeProperties(), ...limitProperties() }),
  output: consumeOutput,
  metrics,
  sideEffects: true,
  examples: [
    taskExample('Subscribe', 'Receive for a minute.', [
      'topic: [sensors/+, alarms/#]',
      'maxDuration: PT1M',
      'maxRecords: 1000',
    ]),
  ],
  run: (context, input) =>
    consumeStored(context, input, {
      isDurable: false,
      storeEmpty: true,
      handOver: async (consumed) => consumed,
    }),
});

const durable = `The broker keeps the session of \`clientId\`, so messages that arrive while the trigger is not connected are received later
(with MQTT 5 for up to seven days).`;

export const trigger = defineTrigger({
  type: 'mqtt.Trigger',
  role: 'polling',
  title: 'Start when MQTT topics have messages',
  description: `Receives messages every \`interval\` and starts one execution for all of them, with a file of rows. ${limits} Messages are acknowledged
after the execution is stored. ${durable} With \`mqttVersion: V3\` a poll receives at most as many messages as the broker sends without acknowledgment, 20 for
Mosquitto.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...subscribeProperties(),
      ...limitProperties(),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'Trigger',
      'Messages of a minute.',
      ['topic: sensors/+', 'maxDuration: PT5S', 'interval: PT1M'],
      '{{ trigger.messagesCount }} messages in {{ trigger.uri }}',
    ),
  ],
  poll: (context, input) =>
    consumeStored(context, input, {
      isDurable: true,
      storeEmpty: false,
      handOver: async ({ messagesCount, uri }) => {
        if (messagesCount > 0) await context.emit({ messagesCount, uri });
        return undefined;
      },
    }),
});

export const realtimeTrigger = defineTrigger({
  type: 'mqtt.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of MQTT topics',
  description: `Starts an execution for each message as it arrives. A message is acknowledged after its execution is stored; one that was delivered when
the server crashes is delivered again. ${durable}`,
  input: () => z.object({ ...connectionProperties(), ...subscribeProperties() }),
  output: () =>
    z.object({
      id: z.number().describe('The number of the message in the session; 0 with quality of service 0.'),
      topic: z.string().describe('The topic.'),
      qos: z.number().describe('The quality of service.'),
      retain: z.boolean().describe('Whether the broker retained the message.'),
      properties: z.record(z.string(), z.unknown()).describe('The properties of MQTT 5.'),
      payload: z.unknown().describe('The content; bytes are base64 text.'),
      responseTopic: z.string().optional().describe('Where a reply is expected.'),
      correlationData: z.string().optional().describe('What a reply refers to.'),
    }),
  examples: [
    triggerExample(
      'RealtimeTrigger',
      'One execution per alarm.',
      ['topic: alarms/#'],
      '{{ trigger.topic }}: {{ trigger.payload }}',
    ),
  ],
  listen: (context, input, emit) =>
    eachMessage(context, input, async (packet) => {
      const { payload, ...message } = toMessage(context, packet, input.serdeType);
      await emit({ ...message, payload: toOutputValue(payload) });
    }).catch((error: unknown) => {
      if (!context.signal.aborted) throw error;
    }),
});

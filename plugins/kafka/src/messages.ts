import { anything, defineTask, defineTrigger, listOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties } from './client.ts';
import {
  consumeOutput,
  consumerProperties,
  consumeStored,
  intervalProperty,
  listenToMessages,
  messageOutput,
  optionalGroup,
  pollProperties,
  requiredGroup,
} from './consume.ts';
import { taskExample, triggerExample } from './example.ts';

const rows = 'with `key`, `value`, `headers`, `topic`, `partition`, `timestamp` and `offset`';

const subscriptionProperty = () =>
  part({
    type: anything().optional().describe('The kind of subscription.'),
    groupId: text().optional().describe('The consumer group.'),
    topics: listOf(text()).optional().describe('The topics.'),
    pattern: text().optional().describe('A regular expression for topics.'),
  })
    .optional()
    .describe('Topics and group in one object, instead of `topic`, `topicPattern` and `groupId`.');

export const consume = defineTask({
  type: 'kafka.Consume',
  title: 'Read messages of Kafka topics',
  description: `Reads messages and stores them in a file, one per row, ${rows}. It stops when no message arrived for \`pollDuration\`, at \`maxRecords\` or
at \`maxDuration\`. With a \`groupId\` the offsets are committed after the file is stored.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...consumerProperties(),
      ...optionalGroup(),
      ...pollProperties(),
      subscription: subscriptionProperty(),
    }),
  output: consumeOutput,
  metrics: [{ name: 'records', type: 'counter', description: 'How many messages were read.' }],
  sideEffects: true,
  examples: [
    taskExample('Consume', 'Read what is new for this group.', [
      'topic: orders',
      'groupId: reports',
      'valueDeserializer: JSON',
      'maxRecords: 10000',
    ]),
  ],
  run: (context, { subscription, ...input }) =>
    consumeStored(
      context,
      {
        ...input,
        topic: input.topic ?? subscription?.topics,
        topicPattern: input.topicPattern ?? subscription?.pattern,
        groupId: input.groupId ?? subscription?.groupId,
      },
      { storeEmpty: true, handOver: async (output) => output },
    ),
});

export const trigger = defineTrigger({
  type: 'kafka.Trigger',
  role: 'polling',
  title: 'Start when Kafka topics have messages',
  description: `Reads messages every \`interval\` and starts one execution for all of them, with a file of rows, ${rows}. The offsets are committed after the
execution is stored: a server that crashes before that reads the messages again.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      ...consumerProperties(),
      ...requiredGroup(),
      ...pollProperties(),
      ...intervalProperty(),
    }),
  output: consumeOutput,
  examples: [
    triggerExample(
      'Trigger',
      'Messages of half a minute.',
      ['topic: orders', 'groupId: orders', 'valueDeserializer: JSON', 'interval: PT30S', 'maxRecords: 1000'],
      '{{ trigger.messagesCount }} messages in {{ trigger.uri }}',
    ),
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

export const realtimeTrigger = defineTrigger({
  type: 'kafka.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message of Kafka topics',
  description: `Starts an execution for each message as it arrives. The offset of a message is committed after its execution is stored; one that was read when
the server crashes is read again.`,
  input: () => z.object({ ...connectionProperties(), ...consumerProperties(), ...requiredGroup() }),
  output: () => messageOutput,
  examples: [
    triggerExample(
      'RealtimeTrigger',
      'One execution per order.',
      ['topic: orders', 'groupId: orders', 'valueDeserializer: JSON'],
      'Order {{ trigger.value.order }}',
    ),
  ],
  listen: listenToMessages,
});

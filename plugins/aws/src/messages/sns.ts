import { defineTask, readMessages, serializeMessage, someValue, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const Message = z.object({
  data: z.unknown(),
  groupId: z.coerce.string().nullish(),
  deduplicationId: z.coerce.string().nullish(),
  subject: z.coerce.string().nullish(),
  phoneNumber: z.coerce.string().nullish(),
  structure: z.string().nullish(),
});

export const snsPublish = defineTask({
  type: 'aws.sns.Publish',
  title: 'Publish messages to an SNS topic',
  description: `Publishes one message, a list of messages or the rows of a file. A message is a map with \`data\`, or the data itself; a map or list as data is sent
as JSON. A message with \`phoneNumber\` is sent to that number instead of the topic.`,
  input: () =>
    z.object({
      ...taskConnection,
      topicArn: text().describe('The ARN of the topic.'),
      from: someValue().describe(
        'The messages: maps with `data`, `subject`, `groupId`, `deduplicationId`, `phoneNumber` and `structure`, a list of them, or a file with one a row.',
      ),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were published.') }),
  metrics: [
    { name: 'sns.publish.messages', type: 'counter', description: 'How many messages were published.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.sns.Publish', 'Tell the subscribers of a topic.', [
      'topicArn: arn:aws:sns:eu-west-1:123456789012:alerts',
      'from:',
      '  subject: Nightly load',
      '  data: "Execution {{ execution.id }} is done."',
    ]),
  ],
  async run(context, { topicArn, from, ...connection }) {
    const client = await openClient(context, connection, 'sns');
    let messagesCount = 0;
    for await (const value of readMessages(context, from)) {
      const isMap = typeof value === 'object' && value !== null && 'data' in value;
      const message = Message.parse(isMap ? value : { data: value });
      const { phoneNumber, subject, groupId, deduplicationId, structure } = message;
      await client.query('Publish', {
        ...(phoneNumber ? { PhoneNumber: phoneNumber } : { TopicArn: topicArn }),
        Message: serializeMessage(message.data, 'STRING').toString(),
        Subject: subject ?? undefined,
        MessageGroupId: groupId ?? undefined,
        MessageDeduplicationId: deduplicationId ?? undefined,
        MessageStructure: structure ?? undefined,
      });
      messagesCount++;
    }
    context.metric({ name: 'sns.publish.messages', type: 'counter', value: messagesCount });
    return { messagesCount };
  },
});

import { choice, dropMissing, listOf, part, TaskFailed, text } from '@millrace/plugin-kit';
import { may, need, out, type Property } from '@millrace/plugin-saas/rest';
import { huaweiService, projectOf, type Types } from '../client/connection.ts';

const service = huaweiService('Simple Message Notification', 'smn');

const messageAttributes: Property<{ name: string; type: 'STRING'; value: string }[] | undefined> = {
  schema: () =>
    listOf(
      part({
        name: text().describe('The name.'),
        type: choice(['STRING']).default('STRING').describe('The type.'),
        value: text().describe('The value.'),
      }),
    )
      .optional()
      .describe('Attributes by which subscriptions filter messages.'),
};

const publish = service.task({
  type: 'smn.Publish',
  title: 'Publish a message to an SMN topic',
  description:
    'Sends a message to all subscriptions of a topic: a text, a text per protocol (`messageStructure`), or a template with its values (`messageTemplateName` and `tags`).',
  properties: {
    topicUrn: need.text('The URN of the topic.'),
    message: may.text('The text.'),
    messageStructure: may.map('The text per protocol, such as `default`, `email` and `sms`.'),
    messageTemplateName: may.text('The name of a message template.'),
    subject: may.text('The subject of mails.'),
    tags: may.textMap('The values of the variables of the template.'),
    messageAttributes,
    timeToLive: may.integer('How long the message is tried to be delivered, in seconds.'),
  },
  output: {
    messageId: out.text('The id of the message.'),
    requestId: out.text('The id of the request.'),
  },
  metrics: [
    { name: 'smn.publish.messages', type: 'counter', description: 'How many messages were published.' },
  ],
  run: async (client, input, context) => {
    const { message, messageStructure, messageTemplateName } = input;
    const given = [message, messageStructure, messageTemplateName].filter((one) => one !== undefined);
    if (given.length !== 1)
      throw new TaskFailed('Give one of "message", "messageStructure" and "messageTemplateName".', {
        retry: false,
      });
    const project = await projectOf(context, input);
    const { message_id: messageId, request_id: requestId } = await client.ask({
      method: 'POST',
      path: `/v2/${project}/notifications/topics/${encodeURIComponent(input.topicUrn)}/publish`,
      body: dropMissing({
        subject: input.subject,
        message,
        message_structure: messageStructure && JSON.stringify(messageStructure),
        message_template_name: messageTemplateName,
        tags: input.tags,
        time_to_live: input.timeToLive === undefined ? undefined : String(input.timeToLive),
        message_attributes: input.messageAttributes,
      }),
    });
    context.metric({ name: 'smn.publish.messages', type: 'counter', value: 1 });
    return { messageId, requestId };
  },
  example: {
    topicUrn: 'urn:smn:eu-west-101:0970d7b7d400f2470fbec00316a03560:reports',
    subject: 'Report',
    message: 'The report of {{ execution.startDate }} is ready.',
  },
});

export const smnTypes: Types = [publish];

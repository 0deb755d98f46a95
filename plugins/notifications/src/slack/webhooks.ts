import { defineTask, deprecated, isMap, readJsonMap, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { sendRequest } from '../base/sendRequest.ts';
import {
  defineWebhookSummary,
  noOutput,
  oneTask,
  onFailure,
  onFlowFailure,
  webhookProperties,
} from '../base/serviceTasks.ts';
import { slackSummary } from './slackMessage.ts';
import { markdownToSlack } from './slackText.ts';

const webhookType = 'slack.notifications.SlackIncomingWebhook';
const executionType = 'slack.notifications.SlackExecution';

export const slackWebhook = defineTask({
  type: webhookType,
  aliases: ['slack.SlackIncomingWebhook', 'notifications.slack.SlackIncomingWebhook'],
  title: 'Send a message to a Slack incoming webhook',
  description: `Sends \`payload\` or \`messageText\` to an [incoming webhook](https://api.slack.com/messaging/webhooks) of Slack.
\`messageText\` may use Markdown: \`**bold**\`, \`__italic__\` and \`[words](address)\` become Slack's own markup. A
\`messageText\` that is a JSON object is sent as it is.`,
  input: () =>
    z.object({
      ...webhookProperties('Slack'),
      messageText: text().optional().describe('The text of the message, when there is no `payload`.'),
    }),
  output: noOutput,
  sideEffects: true,
  examples: [
    oneTask(
      webhookType,
      `url: "{{ secret('SLACK_WEBHOOK') }}"
messageText: "**{{ flow.id }}** is done: [the report](https://example.com/report)"`,
      'Send a text.',
      'slack_text',
    ),
    oneTask(
      webhookType,
      `url: "{{ secret('SLACK_WEBHOOK') }}"
payload: |
  {
    "text": "Nightly load finished",
    "blocks": [
      {"type": "header", "text": {"type": "plain_text", "text": "Nightly load"}},
      {"type": "section", "text": {"type": "mrkdwn", "text": "Started by {{ flow.namespace }}.{{ flow.id }}"}}
    ]
  }`,
      'Send blocks.',
      'slack_blocks',
    ),
  ],
  run: async (context, { url, payload, messageText, options }) => {
    await sendRequest(context, { service: 'Slack', url, body: slackBody(payload, messageText), options });
    return {};
  },
});

/** `payload` wins; a text that is a JSON object is one too. */
export function slackBody(
  payload: string | undefined,
  messageText: string | undefined,
): Readonly<Record<string, unknown>> {
  if (payload !== undefined && payload.trim() !== '') return readJsonMap(payload, 'payload');
  if (messageText === undefined || messageText.trim() === '')
    throw new TaskFailed('Either "payload" or "messageText" must be given.', { retry: false });
  return readAsJson(messageText) ?? { text: markdownToSlack(messageText) };
}

function readAsJson(written: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const older = (what: string) =>
  deprecated(
    text().optional(),
    `webhooks of Slack apps ignore ${what}; only older custom integrations use it.`,
  );

export const slackExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['slack.SlackExecution', 'notifications.slack.SlackExecution'],
  service: 'Slack',
  title: 'Report an execution to Slack',
  description: `Sends a report about an execution: its state, duration, failed task, your own fields and a link to its page.
Use it in the \`errors\` tasks of a flow, in \`afterExecution\`, or in a flow with a Flow trigger. The link needs the
\`url\` setting of the server. Keys of \`payload\` replace those of the report.`,
  properties: {
    messageText: text().optional().describe('Shown above the report, like `customMessage`.'),
    channel: older('the channel'),
    username: older('the name'),
    iconUrl: older('the icon'),
    iconEmoji: older('the icon'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "{{ secret('SLACK_WEBHOOK') }}"
customMessage: Please have a look.
customFields:
  Environment: production`,
    ),
    onFlowFailure(executionType, `url: "{{ secret('SLACK_WEBHOOK') }}"`),
  ],
  message: (summary, { messageText, channel, username, iconUrl, iconEmoji }) =>
    slackSummary(
      summary.customMessage === undefined && messageText !== undefined
        ? { ...summary, customMessage: markdownToSlack(messageText) }
        : summary,
      { channel, username, iconUrl, iconEmoji },
    ),
});

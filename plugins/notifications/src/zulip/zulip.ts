import { text } from '@millrace/plugin-kit';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';
import { slackSummary } from '../slack/slackMessage.ts';

const webhookType = 'zulip.ZulipIncomingWebhook';
const executionType = 'zulip.ZulipExecution';

export const zulipWebhook = defineWebhook({
  type: webhookType,
  aliases: ['notifications.zulip.ZulipIncomingWebhook'],
  service: 'Zulip',
  title: 'Send a message to a Zulip webhook',
  description:
    'Sends `payload` to an incoming webhook of Zulip, for example its [Slack-compatible one](https://zulip.com/integrations/doc/slack_incoming).',
  examples: [
    oneTask(
      webhookType,
      `url: "{{ secret('ZULIP_WEBHOOK') }}"
payload: |
  {"text": "{{ flow.id }} is done"}`,
      'Send a text.',
      'zulip_text',
    ),
  ],
});

export const zulipExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.zulip.ZulipExecution'],
  service: 'Zulip',
  title: 'Report an execution to Zulip',
  description: `Sends a report about an execution to the Slack-compatible webhook of Zulip: its state, duration, failed task,
your own fields and a link to its page. Keys of \`payload\` replace those of the report.`,
  properties: {
    channel: text().optional().describe('The channel; the one of the webhook when absent.'),
    username: text().optional().describe('The name that the message is shown under.'),
    iconUrl: text().optional().describe('The address of the picture beside the message.'),
    iconEmoji: text().optional().describe('The emoji beside the message.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "{{ secret('ZULIP_WEBHOOK') }}"
customFields:
  Environment: production`,
    ),
    onFlowFailure(executionType, `url: "{{ secret('ZULIP_WEBHOOK') }}"`),
  ],
  message: (summary, { channel, username, iconUrl, iconEmoji }) =>
    slackSummary(summary, { channel, username, iconUrl, iconEmoji }),
});

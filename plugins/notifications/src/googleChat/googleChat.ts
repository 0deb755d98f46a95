import { cutText, dropMissing, type Outcome, type Summary, text } from '@millrace/plugin-kit';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';

const webhookType = 'googleworkspace.chat.GoogleChatIncomingWebhook';
const executionType = 'googleworkspace.chat.GoogleChatExecution';

/** The maximum length of a Google Chat message. */
const longestText = 4096;

export const googleChatWebhook = defineWebhook({
  type: webhookType,
  aliases: ['notifications.google.GoogleChatIncomingWebhook'],
  service: 'Google Chat',
  title: 'Send a message to a Google Chat webhook',
  description:
    'Sends `payload` to a [webhook](https://developers.google.com/workspace/chat/quickstart/webhooks) of a Google Chat space.',
  examples: [
    oneTask(
      webhookType,
      `url: "{{ secret('GOOGLE_CHAT_WEBHOOK') }}"
payload: |
  {"text": "*{{ flow.id }}* is done"}`,
      'Send a text.',
      'google_chat_text',
    ),
  ],
});

const marks: Record<Outcome, string> = { success: '✅', warning: '⚠️', failure: '❌', running: '▶️' };

export const googleChatExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.google.GoogleChatExecution'],
  service: 'Google Chat',
  title: 'Report an execution to Google Chat',
  description: `Sends a report about an execution: its state, duration, failed task, your own fields and a link to its page.
\`text\` replaces the text of the report. Keys of \`payload\` replace those of the report.`,
  properties: {
    text: text().optional().describe('The whole text of the message, instead of the report.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "{{ secret('GOOGLE_CHAT_WEBHOOK') }}"
customFields:
  Environment: production`,
    ),
    onFlowFailure(executionType, `url: "{{ secret('GOOGLE_CHAT_WEBHOOK') }}"`),
  ],
  message: (summary, { text: written }) =>
    dropMissing({ text: written ?? cutText(toText(summary), longestText) }),
});

function toText({ title, sentence, link, fields, customMessage, outcome }: Summary): string {
  const facts = fields.map(([name, value]) => `*${name}:* ${value}`).join('\n');
  const parts = [
    customMessage,
    `${marks[outcome]} *${title}*\n${sentence}`,
    facts,
    link && `<${link}|View execution>`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

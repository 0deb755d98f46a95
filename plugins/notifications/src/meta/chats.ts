import {
  choice,
  cutText,
  dropMissing,
  type JsonMap,
  listOf,
  type Summary,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { requestOptions } from '../base/requestOptions.ts';
import { sendRequest } from '../base/sendRequest.ts';
import {
  defineSummary,
  defineWebhook,
  mergePayload,
  oneTask,
  onFailure,
  onFlowFailure,
  webhookProperties,
} from '../base/serviceTasks.ts';

const webhookType = 'meta.whatsapp.WhatsAppIncomingWebhook';
const whatsAppType = 'meta.whatsapp.WhatsAppExecution';
const messengerType = 'meta.messenger.MessengerExecution';

export const whatsAppWebhook = defineWebhook({
  type: webhookType,
  aliases: ['notifications.whatsapp.WhatsAppIncomingWebhook'],
  service: 'WhatsApp',
  title: 'Send a message through WhatsApp',
  description: `Sends \`payload\` to \`url\`: the [Cloud API](https://developers.facebook.com/docs/whatsapp/cloud-api) of WhatsApp
(\`https://graph.facebook.com/v24.0/<phone number id>/messages\`, with the token as a header in \`options.headers\`), or another
service that takes WhatsApp messages.`,
  examples: [
    oneTask(
      webhookType,
      `url: https://graph.facebook.com/v24.0/1234567890/messages
options:
  headers:
    Authorization: "Bearer {{ secret('WHATSAPP_TOKEN') }}"
payload: |
  {
    "messaging_product": "whatsapp",
    "to": "15550001111",
    "type": "text",
    "text": {"body": "{{ flow.id }} is done"}
  }`,
      'Send a text.',
      'whatsapp_text',
    ),
  ],
});

function toText({ title, sentence, link, fields, customMessage }: Summary, maxLength: number): string {
  const facts = fields.map(([name, value]) => `${name}: ${value}`).join('\n');
  const parts = [customMessage, `${title}\n${sentence.replaceAll('`', '')}`, facts];
  const words = parts.filter((part) => part !== undefined).join('\n\n');
  return link === undefined
    ? cutText(words, maxLength)
    : `${cutText(words, maxLength - link.length - 2)}\n\n${link}`;
}

export const whatsAppExecution = defineSummary({
  type: whatsAppType,
  aliases: ['notifications.whatsapp.WhatsAppExecution'],
  title: 'Report an execution through WhatsApp',
  description: `Sends a report about an execution: its state, duration, failed task, your own fields and a link to its page.
At an address of the Cloud API (\`graph.facebook.com\`) every one of \`whatsAppIds\`, or \`recipientId\`, gets a text message.
Other addresses get one message with \`contacts\` and \`messages\`. Keys of \`payload\` replace those of the report.`,
  properties: {
    ...webhookProperties('WhatsApp'),
    profileName: text().optional().describe('The name of the sender.'),
    whatsAppIds: listOf(text()).optional().describe('The WhatsApp ids (phone numbers) of the recipients.'),
    from: text().optional().describe('The phone number of the sender.'),
    messageId: text().optional().describe('The id of the message.'),
    textBody: text().optional().describe('The text, instead of the report.'),
    recipientId: text().optional().describe('The recipient, when there is only one.'),
  },
  examples: [
    onFailure(
      whatsAppType,
      `url: https://graph.facebook.com/v24.0/1234567890/messages
options:
  headers:
    Authorization: "Bearer {{ secret('WHATSAPP_TOKEN') }}"
whatsAppIds: ["15550001111"]`,
    ),
    onFlowFailure(
      whatsAppType,
      `url: "{{ secret('WHATSAPP_WEBHOOK') }}"
profileName: Millrace
whatsAppIds: ["15550001111"]
from: "15550002222"`,
    ),
  ],
  send: async (context, summary, { url, options, payload, textBody, ...who }) => {
    const words = textBody ?? toText(summary, 4096);
    const secrets = Object.values(options?.headers ?? {}).map((header) => header.replace(/^Bearer\s+/i, ''));
    for (const message of isCloudApi(url) ? cloudMessages(words, who) : [relayedMessage(words, who)])
      await sendRequest(context, {
        service: 'WhatsApp',
        url,
        options,
        secrets,
        body: mergePayload(message, payload),
      });
  },
});

interface Recipients {
  readonly profileName?: string | undefined;
  readonly whatsAppIds?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly messageId?: string | undefined;
  readonly recipientId?: string | undefined;
}

const isCloudApi = (url: string): boolean =>
  URL.canParse(url) && new URL(url).hostname === 'graph.facebook.com';

function cloudMessages(body: string, { whatsAppIds, recipientId }: Recipients): readonly JsonMap[] {
  const to = whatsAppIds ?? (recipientId === undefined ? [] : [recipientId]);
  if (to.length === 0)
    throw new TaskFailed('"whatsAppIds" or "recipientId" must name at least one recipient.', {
      retry: false,
    });
  return to.map((id) => ({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: id,
    type: 'text',
    text: { body, preview_url: false },
  }));
}

function relayedMessage(body: string, who: Recipients): JsonMap {
  const { profileName, whatsAppIds = [], from, messageId, recipientId } = who;
  return dropMissing({
    contacts: whatsAppIds.map((id) => ({ profile: { name: profileName ?? 'Millrace' }, wa_id: id })),
    messages: [dropMissing({ from, id: messageId, text: { body }, type: 'text' })],
    recipient_id: recipientId,
  });
}

export const messengerExecution = defineSummary({
  type: messengerType,
  aliases: ['notifications.messenger.MessengerExecution'],
  title: 'Report an execution through Facebook Messenger',
  description: `Sends a report about an execution to users who wrote to a Facebook page: its state, duration, failed task, your
own fields and a link to its page. \`textBody\` replaces the text. Facebook delivers \`UPDATE\` only within 24 hours after the
user wrote.`,
  properties: {
    pageId: text().describe('The id of the page.'),
    accessToken: text().describe('The access token of the page. Keep it in a secret.'),
    recipientIds: listOf(text(), { min: 1 }).describe('The page-scoped ids of the recipients.'),
    messagingType: choice(['RESPONSE', 'UPDATE', 'MESSAGE_TAG'])
      .default('UPDATE')
      .describe('Why it is sent.'),
    textBody: text().optional().describe('The text, instead of the report.'),
    url: text()
      .optional()
      .describe('Another address than `https://graph.facebook.com/v23.0/<page id>/messages`.'),
    options: requestOptions(),
  },
  examples: [
    onFailure(
      messengerType,
      `pageId: "1234567890"
accessToken: "{{ secret('MESSENGER_TOKEN') }}"
recipientIds: ["24680"]`,
    ),
    onFlowFailure(
      messengerType,
      `pageId: "1234567890"
accessToken: "{{ secret('MESSENGER_TOKEN') }}"
recipientIds: ["24680"]`,
    ),
  ],
  send: async (context, summary, input) => {
    const { pageId, accessToken, recipientIds, messagingType, textBody, url, options } = input;
    const words = textBody ?? toText(summary, 2000);
    const address = new URL(url ?? `https://graph.facebook.com/v23.0/${encodeURIComponent(pageId)}/messages`);
    if (!address.searchParams.has('access_token')) address.searchParams.set('access_token', accessToken);
    for (const id of recipientIds)
      await sendRequest(context, {
        service: 'Messenger',
        url: address.href,
        body: { recipient: { id }, messaging_type: messagingType, message: { text: words } },
        secrets: [accessToken],
        options,
      });
  },
});

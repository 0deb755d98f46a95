import { createHash } from 'node:crypto';
import { cutText, type Summary, TaskFailed, text } from '@millrace/plugin-kit';
import { requestOptions } from '../base/requestOptions.ts';
import { sendRequest } from '../base/sendRequest.ts';
import { defineSummary, onFailure, onFlowFailure } from '../base/serviceTasks.ts';

const type = 'line.LineExecution';
/** The maximum length of a LINE text message. */
const longestText = 5000;

export const lineExecution = defineSummary({
  type,
  aliases: ['notifications.line.LineExecution'],
  title: 'Report an execution to LINE',
  description: `Broadcasts a report about an execution to all friends of a LINE official account: its state, duration, failed
task, your own fields and a link to its page. \`textBody\` replaces the text. A retried task does not broadcast twice.`,
  properties: {
    url: text()
      .default('https://api.line.me/v2/bot/message/broadcast')
      .describe('The call of the Messaging API.'),
    channelAccessToken: text().describe('The access token of the channel. Keep it in a secret.'),
    textBody: text().optional().describe('The whole text of the message, instead of the report.'),
    options: requestOptions(),
  },
  examples: [
    onFailure(type, `channelAccessToken: "{{ secret('LINE_TOKEN') }}"`),
    onFlowFailure(
      type,
      `channelAccessToken: "{{ secret('LINE_TOKEN') }}"
textBody: "{{ trigger.flowId }} ended in {{ trigger.state }}"`,
    ),
  ],
  send: async (context, summary, { url, channelAccessToken, textBody, options }) => {
    if (textBody !== undefined && textBody.length > longestText)
      throw new TaskFailed(
        `A LINE message takes at most ${longestText} characters, got ${textBody.length}.`,
        {
          retry: false,
        },
      );
    await sendRequest(context, {
      service: 'LINE',
      url,
      headers: {
        authorization: `Bearer ${channelAccessToken}`,
        'x-line-retry-key': retryKey(context.run.taskRunId),
      },
      body: { messages: [{ type: 'text', text: textBody ?? cutText(toText(summary), longestText) }] },
      secrets: [channelAccessToken],
      options,
      // 409 means that an earlier attempt with the same retry key was accepted.
      accepts: (status) => (status >= 200 && status < 300) || status === 409,
    });
  },
});

/** A UUID that is the same for every try of a task run. */
function retryKey(taskRunId: string): string {
  const hex = createHash('sha256').update(taskRunId).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function toText({ title, sentence, link, fields, customMessage }: Summary): string {
  const facts = fields.map(([name, value]) => `${name}: ${value}`).join('\n');
  const parts = [customMessage, `${title}\n${sentence.replaceAll('`', '')}`, facts, link];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

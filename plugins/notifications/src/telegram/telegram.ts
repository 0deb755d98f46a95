import {
  choice,
  cutText,
  defineTask,
  escapeHtml,
  type Summary,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { askService } from '../base/readResponse.ts';
import { requestOptions } from '../base/requestOptions.ts';
import { defineSummary, noOutput, oneTask, onFailure, onFlowFailure } from '../base/serviceTasks.ts';

const sendType = 'telegram.TelegramSend';
const executionType = 'telegram.TelegramExecution';

/** The maximum length of a Telegram message. */
const longestText = 4096;

const telegramProperties = {
  token: text().describe('The token of the bot. Keep it in a secret.'),
  channel: text().describe('The chat: its id, or `@name` of a public channel.'),
  parseMode: choice(['HTML', 'MARKDOWNV2']).optional().describe('The markup of the text; none when absent.'),
  endpointOverride: text().optional().describe('Another Bot API server than `https://api.telegram.org`.'),
  options: requestOptions(),
};

const Connection = z.object(telegramProperties);
type Connection = z.infer<typeof Connection>;

export const telegramSend = defineTask({
  type: sendType,
  aliases: ['notifications.telegram.TelegramSend'],
  title: 'Send a message to a Telegram chat',
  description: 'Sends `payload` as a text message of a bot. The bot must be a member of the chat.',
  input: () =>
    z.object({ ...telegramProperties, payload: text().optional().describe('The text of the message.') }),
  output: noOutput,
  sideEffects: true,
  examples: [
    oneTask(
      sendType,
      `token: "{{ secret('TELEGRAM_TOKEN') }}"
channel: "@team_alerts"
payload: "{{ flow.id }} is done"`,
      'Send a text.',
      'telegram_text',
    ),
  ],
  run: async (context, { payload, ...connection }) => {
    if (payload === undefined || payload.trim() === '')
      throw new TaskFailed('"payload" must be given: the text of the message.', { retry: false });
    await sendMessage(context, connection, payload);
    return {};
  },
});

export const telegramExecution = defineSummary({
  type: executionType,
  aliases: ['notifications.telegram.TelegramExecution'],
  title: 'Report an execution to a Telegram chat',
  description: `Sends a report about an execution: its state, duration, failed task, your own fields and a link to its page.
The report is written in HTML unless \`parseMode\` says otherwise. \`payload\` replaces the text of the report.`,
  properties: {
    ...telegramProperties,
    payload: text().optional().describe('The whole text of the message, instead of the report.'),
  },
  examples: [
    onFailure(
      executionType,
      `token: "{{ secret('TELEGRAM_TOKEN') }}"
channel: "@team_alerts"
customFields:
  Environment: production`,
    ),
    onFlowFailure(
      executionType,
      `token: "{{ secret('TELEGRAM_TOKEN') }}"
channel: "@team_alerts"`,
    ),
  ],
  send: async (context, summary, { payload, ...connection }) => {
    if (payload !== undefined) return sendMessage(context, connection, payload);
    const parseMode = connection.parseMode ?? 'HTML';
    const message = parseMode === 'HTML' ? toHtml(summary) : toMarkdown(summary);
    return sendMessage(context, { ...connection, parseMode }, message);
  },
});

async function sendMessage(context: TaskContext, connection: Connection, words: string): Promise<void> {
  const { token, channel, parseMode, endpointOverride, options } = connection;
  if (words.length > longestText)
    throw new TaskFailed(`A Telegram message takes at most ${longestText} characters, got ${words.length}.`, {
      retry: false,
    });
  const base = (endpointOverride ?? 'https://api.telegram.org').replace(/\/+$/, '');
  const answer = await askService(context, {
    service: 'Telegram',
    url: `${base}/bot${token}/sendMessage`,
    body: {
      chat_id: channel,
      text: words,
      ...(parseMode && { parse_mode: parseMode === 'HTML' ? 'HTML' : 'MarkdownV2' }),
    },
    secrets: [token],
    options,
  });
  if (answer.ok !== true)
    throw new TaskFailed(
      context.masker.mask(`Telegram did not accept the message: ${String(answer.description)}`),
    );
}

function toHtml({ title, sentence, link, fields, customMessage }: Summary): string {
  const words = escapeHtml(cutText(title, 256));
  const head = link === undefined ? `<b>${words}</b>` : `<b><a href="${escapeHtml(link)}">${words}</a></b>`;
  const happened = escapeHtml(sentence).replace(/`([^`]*)`/g, '<code>$1</code>');
  const note = customMessage === undefined ? '' : `${escapeHtml(cutText(customMessage, 1000))}\n\n`;
  return withFields(
    `${note}${head}\n${happened}\n`,
    fields,
    ([name, value]) => `<b>${escapeHtml(name)}:</b> ${escapeHtml(value)}`,
  );
}

function toMarkdown({ title, sentence, link, fields, customMessage }: Summary): string {
  const words = escapeMarkdown(cutText(title, 256));
  const head = link === undefined ? `*${words}*` : `*[${words}](${link.replace(/[)\\]/g, '\\$&')})*`;
  const happened = sentence
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? `\`${piece}\`` : escapeMarkdown(piece)))
    .join('');
  const note = customMessage === undefined ? '' : `${escapeMarkdown(cutText(customMessage, 1000))}\n\n`;
  return withFields(
    `${note}${head}\n${happened}\n`,
    fields,
    ([name, value]) => `*${escapeMarkdown(name)}:* ${escapeMarkdown(value)}`,
  );
}

const escapeMarkdown = (words: string): string => words.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');

/** Adds as many facts as fit into the message, because Telegram rejects truncated markup. */
function withFields(
  start: string,
  fields: Summary['fields'],
  write: (field: Summary['fields'][number]) => string,
): string {
  let words = start;
  for (const [name, value] of fields) {
    const next = `${words}\n${write([name, cutText(value, 500)])}`;
    if (next.length > longestText) break;
    words = next;
  }
  return words;
}

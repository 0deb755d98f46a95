import { Readable } from 'node:stream';
import {
  dropMissing,
  type Google,
  intervalProperty,
  type Json,
  segment,
  taskExample,
  textAt,
  triggerExample,
} from '@millrace/plugin-gcp/google';
import {
  type Definition,
  defineTrigger,
  duration,
  fetchRows,
  fetchTypeProperty,
  flag,
  importModule,
  integer,
  isStorageUri,
  listOf,
  nameOfUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { newItems, seenOf } from '../workspace.ts';
import { defineMailTask, gmailUrl, mailLogin, mailProperties, openGmail } from './login.ts';
import { headOutput, messageOutput, toHead, toMessage } from './message.ts';

type Nodemailer = typeof import('nodemailer');

const example = (name: string, title: string, lines: string, more = {}) =>
  taskExample(`googleworkspace.mail.${name}`, title, lines, { login: mailLogin, ...more });

const send = defineMailTask({
  type: 'googleworkspace.mail.Send',
  title: 'Send a mail with Gmail',
  description:
    'Sends a mail with text, HTML and files of internal storage from the account of the user. Gmail takes up to 25 MB.',
  properties: {
    to: listOf(text(), { min: 1 }).describe('The recipients.'),
    cc: listOf(text()).optional().describe('Who gets a copy.'),
    bcc: listOf(text()).optional().describe('Who gets a blind copy.'),
    subject: text().optional().describe('The subject.'),
    textBody: text().optional().describe('The text.'),
    htmlBody: text().optional().describe('The HTML; with both, mail programs choose.'),
    from: text()
      .optional()
      .describe('The sender, one of the addresses of the account; the first one when absent.'),
    attachments: listOf(text()).optional().describe('Files of internal storage.'),
  },
  output: () =>
    z.object({
      messageId: z.string().describe('The id of the mail.'),
      threadId: z.string().optional().describe('The id of the conversation.'),
    }),
  examples: [
    example(
      'Send',
      'Send a report.',
      'to:\n  - team@example.com\nsubject: Orders of today\ntextBody: See the file.\nattachments:\n  - "{{ inputs.file }}"',
      { inputs: '- id: file\n  type: FILE' },
    ),
  ],
  async run(google, input, context) {
    const content = await compose(context, input);
    const { body } = await google.json({
      url: 'https://gmail.googleapis.com/upload/gmail/v1/users/me/messages/send',
      method: 'POST',
      query: { uploadType: 'media' },
      content,
      headers: { 'content-type': 'message/rfc822' },
    });
    return dropMissing({ messageId: textAt(body, 'id') ?? '', threadId: textAt(body, 'threadId') });
  },
});

interface Mail {
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  readonly subject?: string | undefined;
  readonly textBody?: string | undefined;
  readonly htmlBody?: string | undefined;
  readonly from?: string | undefined;
  readonly attachments?: readonly string[] | undefined;
}

const maxMailBytes = 35 * 1024 * 1024;

/** The mail as a text of the internet; the blind copies stay in it, because Gmail reads the recipients there. */
async function compose(context: TaskContext, mail: Mail): Promise<Uint8Array> {
  const { createTransport } = await importModule<Nodemailer>('nodemailer');
  const attachments = [];
  let size = 0;
  for (const uri of mail.attachments ?? []) {
    if (!isStorageUri(uri))
      throw new TaskFailed(`"attachments" must be files of internal storage, got "${uri}".`, {
        retry: false,
      });
    size += (await context.files.sizeOf(uri)) ?? 0;
    if (size > maxMailBytes) throw new TaskFailed('The attachments are larger than 35 MB.', { retry: false });
    attachments.push({ filename: nameOfUri(uri), content: Readable.from(await context.files.read(uri)) });
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail({
    ...(mail.from !== undefined && { from: mail.from }),
    to: [...mail.to],
    cc: [...(mail.cc ?? [])],
    bcc: [...(mail.bcc ?? [])],
    subject: mail.subject ?? '',
    ...(mail.textBody === undefined && mail.htmlBody === undefined ? { text: '' } : {}),
    ...(mail.textBody !== undefined && { text: mail.textBody }),
    ...(mail.htmlBody !== undefined && { html: mail.htmlBody }),
    attachments,
    // A mail must not reference files or addresses of the server.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const bytes = message as Buffer; // `as`: the transport is set to buffers
  const blind = (mail.bcc ?? []).map((each) => each.replace(/[\r\n]/g, ' ')).join(', ');
  return blind === '' ? bytes : Buffer.concat([Buffer.from(`Bcc: ${blind}\r\n`), bytes]);
}

const get = defineMailTask({
  type: 'googleworkspace.mail.Get',
  title: 'Read a mail of Gmail',
  description: 'Returns a mail with its headers, texts and the list of its files.',
  properties: {
    messageId: text().describe('The id of the mail.'),
    format: text().default('full').describe('How much is read: `minimal`, `metadata`, `full` or `raw`.'),
  },
  output: () => z.object({ message: messageOutput.describe('The mail.') }),
  examples: [example('Get', 'Read a mail.', 'messageId: 18c2f1a7b3d4e5f6')],
  run: async (google, { messageId, format }) => ({
    message: toMessage(await readMail(google, messageId, format.toLowerCase())),
  }),
});

const readMail = (google: Google, id: string, format: string): Promise<Json> =>
  google.get(`${gmailUrl}/${segment(id)}`, { format });

interface Search {
  readonly query?: string | undefined;
  readonly labelIds?: readonly string[] | undefined;
  readonly includeSpamTrash: boolean;
}

const searchProperties = {
  query: text().optional().describe('A search of Gmail, such as `from:ada@example.com has:attachment`.'),
  labelIds: listOf(text()).optional().describe('Only mails with all of these labels, such as `INBOX`.'),
  includeSpamTrash: flag().default(false).describe('Also look into spam and trash.'),
};

const toQuery = ({ query, labelIds, includeSpamTrash }: Search) => ({
  q: query,
  labelIds,
  includeSpamTrash,
});

const list = defineMailTask({
  type: 'googleworkspace.mail.List',
  title: 'List mails of Gmail',
  description: 'Finds mails and reads each of them, newest first.',
  properties: {
    ...searchProperties,
    maxResults: integer({ min: 1, max: 500 }).default(100).describe('The most mails that are read.'),
    fetchType: fetchTypeProperty('FETCH'),
  },
  output: () =>
    z.object({
      messages: z.array(messageOutput).optional().describe('The mails, with `FETCH`.'),
      message: messageOutput.optional().describe('The first mail, with `FETCH_ONE`.'),
      uri: z.string().optional().describe('A file with a mail per row, with `STORE`.'),
      resultSizeEstimate: z.number().describe('How many mails there are, roughly.'),
      nextPageToken: z.string().optional().describe('There are more mails when it is set.'),
    }),
  examples: [example('List', 'List unread mails.', 'query: is:unread\nlabelIds:\n  - INBOX\nmaxResults: 20')],
  async run(google, input, context) {
    const page = await google.get(gmailUrl, {
      ...toQuery(input),
      maxResults: input.fetchType === 'FETCH_ONE' ? 1 : input.maxResults,
    });
    const ids = Array.isArray(page.messages)
      ? page.messages.map((each: Json) => textAt(each, 'id') ?? '')
      : [];
    const mails = async function* () {
      for (const id of ids) yield toMessage(await readMail(google, id, 'full'));
    };
    const { rows, row, uri } = await fetchRows(
      context,
      input.fetchType,
      input.fetchType === 'NONE' ? [] : mails(),
    );
    return dropMissing({
      // `as`: the rows are the mails that were made above.
      messages: rows as z.infer<typeof messageOutput>[] | undefined,
      message: (row ?? undefined) as z.infer<typeof messageOutput> | undefined,
      uri,
      resultSizeEstimate: Number(page.resultSizeEstimate ?? ids.length),
      nextPageToken: textAt(page, 'nextPageToken'),
    });
  },
});

const trigger = defineTrigger({
  type: 'googleworkspace.mail.MailReceivedTrigger',
  role: 'polling',
  title: 'Start when mails arrive in Gmail',
  description: `Polls for new mails every \`interval\` and starts one execution for all of them, oldest first. The first poll takes the mails of the last interval, or of
\`initialLookback\`; later ones those since the mail that was seen last. Mails are not changed: they stay unread.`,
  input: () =>
    z.object({
      ...mailProperties,
      ...searchProperties,
      interval: intervalProperty('PT5M'),
      maxMessagesPerPoll: integer({ min: 1, max: 500 })
        .default(50)
        .describe('The most mails of one poll; the others follow with the next one.'),
      initialLookback: duration()
        .optional()
        .describe('How far the first poll looks back; one interval when absent.'),
    }),
  output: () => z.object({ messages: z.array(headOutput).describe('The new mails, without their texts.') }),
  examples: [
    triggerExample(
      'googleworkspace.mail.MailReceivedTrigger',
      'Handle mails with invoices.',
      'query: subject:invoice has:attachment\nlabelIds:\n  - INBOX\ninterval: PT5M',
      "{{ trigger.messages | jq('.[].subject') }}",
      mailLogin,
    ),
  ],
  async poll(context, input) {
    const google = openGmail(context, input);
    const seen = seenOf(context.memory, input.initialLookback ?? input.interval);
    // Gmail searches by seconds, the rest is done by `newItems`.
    const after = Math.floor(Date.parse(seen.since) / 1000) - 1;
    const query = {
      ...toQuery(input),
      q: [input.query, `after:${after}`].filter((each) => each).join(' '),
      maxResults: 500,
    };
    const candidates = [];
    for await (const { id } of google.list({ url: gmailUrl, query }, 'messages')) {
      if (seen.ids.includes(String(id))) continue;
      const head = toHead(await readMail(google, String(id), 'metadata'));
      candidates.push({ id: head.id, date: head.internalDate ?? seen.since, head });
    }
    const next = newItems(candidates, seen, input.maxMessagesPerPoll);
    context.remember(next.seen);
    return next.found.length === 0 ? undefined : { messages: next.found.map(({ head }) => head) };
  },
});

export const mailTypes: readonly Definition[] = [send, get, list, trigger];

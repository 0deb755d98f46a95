import {
  defineTask,
  dropMissing,
  type JsonMap,
  listOf,
  part,
  summarize,
  summaryHtml,
  summaryProperties,
  summaryText,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { readFile } from '../base/fileContent.ts';
import { sendRequest } from '../base/sendRequest.ts';
import { oneTask, onFailure, onFlowFailure } from '../base/serviceTasks.ts';

const sendType = 'twilio.sendgrid.SendGridMailSend';
const executionType = 'twilio.sendgrid.SendGridMailExecution';

/** The maximum size of a message, including attachments in base64. */
const maxMailBytes = 30 * 1024 * 1024;

const attachment = () =>
  part({
    uri: text().describe('The file in internal storage.'),
    name: text().describe('The name of the file; an image is used in the HTML as `cid:<name>`.'),
    contentType: text().default('application/octet-stream').describe('The kind of file.'),
  });

const mailProperties = {
  sendgridApiKey: text().describe('The API key. Keep it in a secret.'),
  from: text().describe('The sender, as `a@example.com` or `Ada <a@example.com>`.'),
  to: listOf(text(), { min: 1 }).describe('The recipients.'),
  cc: listOf(text()).optional().describe('The recipients of a copy.'),
  subject: text().optional().describe('The subject.'),
  htmlContent: text().optional().describe('The text as HTML.'),
  textContent: text().optional().describe('The text without HTML.'),
  attachments: listOf(attachment()).optional().describe('Files to attach.'),
  embeddedImages: listOf(attachment()).optional().describe('Images for the HTML.'),
};
const Mail = z.object(mailProperties);
type Mail = z.infer<typeof Mail>;

const output = () =>
  z.object({
    body: z.string().describe('The body of the response; empty when the mail was accepted.'),
    headers: z.record(z.string(), z.string()).describe('The headers of the response.'),
    statusCode: z.number().describe('The status of the response.'),
  });

export const sendGridMail = defineTask({
  type: sendType,
  aliases: ['notifications.sendgrid.SendGridMailSend'],
  title: 'Send a mail through SendGrid',
  description:
    'Sends a mail with text, HTML, attachments and embedded images through the v3 API of SendGrid.',
  input: () => Mail,
  output,
  sideEffects: true,
  examples: [
    oneTask(
      sendType,
      `sendgridApiKey: "{{ secret('SENDGRID_KEY') }}"
from: reports@example.com
to:
  - ada@example.com
subject: "{{ flow.id }}"
htmlContent: "<p>The load is done.</p>"
textContent: The load is done.`,
      'Send a mail.',
      'sendgrid_mail',
    ),
  ],
  run: sendMail,
});

export const sendGridExecution = defineTask({
  type: executionType,
  aliases: ['notifications.sendgrid.SendGridMailExecution'],
  title: 'Report an execution by mail through SendGrid',
  description: `Mails a report about an execution as HTML and as plain text: its state, duration, failed task, your own fields
and a link to its page. \`htmlContent\`, \`textContent\` and \`subject\` replace those of the report.`,
  input: () =>
    z.object({
      ...summaryProperties,
      ...mailProperties,
      textTemplateUri: summaryProperties.templateUri,
    }),
  output,
  sideEffects: true,
  examples: [
    onFailure(
      executionType,
      `sendgridApiKey: "{{ secret('SENDGRID_KEY') }}"
from: alerts@example.com
to:
  - on-call@example.com`,
    ),
    onFlowFailure(
      executionType,
      `sendgridApiKey: "{{ secret('SENDGRID_KEY') }}"
from: alerts@example.com
to:
  - on-call@example.com`,
    ),
  ],
  run: async (context, input) => {
    const summary = await summarize(context, input);
    return sendMail(context, {
      ...input,
      subject: input.subject ?? summary.title,
      htmlContent: input.htmlContent ?? summaryHtml(summary),
      textContent: input.textContent ?? summaryText(summary),
    });
  },
});

async function sendMail(context: TaskContext, mail: Mail) {
  const { sendgridApiKey, from, to, cc = [], subject, htmlContent, textContent } = mail;
  const content = [
    ...(textContent === undefined ? [] : [{ type: 'text/plain', value: textContent }]),
    ...(htmlContent === undefined ? [] : [{ type: 'text/html', value: htmlContent }]),
  ];
  if (content.length === 0)
    throw new TaskFailed('Either "textContent" or "htmlContent" must be given.', { retry: false });
  const body = JSON.stringify(
    dropMissing({
      personalizations: [{ to: to.map(toAddress), ...(cc.length > 0 && { cc: cc.map(toAddress) }) }],
      from: toAddress(from),
      subject: subject ?? '',
      content,
      attachments: await readAttachments(context, mail),
    }),
  );
  const bytes = Buffer.byteLength(body);
  if (bytes > maxMailBytes)
    throw new TaskFailed(`SendGrid takes mails of at most ${maxMailBytes} bytes, got ${bytes}.`, {
      retry: false,
    });
  const response = await sendRequest(context, {
    service: 'SendGrid',
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${sendgridApiKey}` },
    body,
    secrets: [sendgridApiKey],
  });
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, values]) => [name, values.join(', ')]),
  );
  return { body: response.text, headers, statusCode: response.status };
}

async function readAttachments(context: TaskContext, { attachments = [], embeddedImages = [] }: Mail) {
  const files: JsonMap[] = [];
  for (const [list, disposition] of [
    [attachments, 'attachment'],
    [embeddedImages, 'inline'],
  ] as const) {
    for (const { uri, name, contentType } of list) {
      const content = await readFile(context, uri, maxMailBytes);
      files.push({
        content: content.toString('base64'),
        filename: name,
        type: contentType,
        disposition,
        ...(disposition === 'inline' && { content_id: name }),
      });
    }
  }
  return files.length > 0 ? files : undefined;
}

/** `Ada <a@example.com>` has a name, `a@example.com` has none. */
function toAddress(written: string): JsonMap {
  const [, name = '', email = ''] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(written) ?? [];
  if (email === '') return { email: written.trim() };
  const plain = name.replace(/^"(.*)"$/, '$1');
  return plain === '' ? { email } : { email, name: plain };
}

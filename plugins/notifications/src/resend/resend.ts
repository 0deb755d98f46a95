import {
  defineTask,
  dropMissing,
  type JsonMap,
  listOf,
  mapOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { readFile } from '../base/fileContent.ts';
import { askService } from '../base/readResponse.ts';
import { oneTask } from '../base/serviceTasks.ts';

const maxMailBytes = 40 * 1024 * 1024;

const apiKey = () => text().describe('The API key. Keep it in a secret.');

const ask = (
  context: TaskContext,
  key: string,
  path: string,
  body: JsonMap,
  headers: Record<string, string> = {},
) =>
  askService(context, {
    service: 'Resend',
    url: `https://api.resend.com${path}`,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
    secrets: [key],
  });

const attachment = part({
  uri: text().optional().describe('The file in internal storage.'),
  path: text().optional().describe('The address of the file, which Resend fetches itself.'),
  name: text().describe('The name of the file.'),
  contentId: text().optional().describe('The id by which the HTML uses an image: `cid:<id>`.'),
  contentType: text().optional().describe('The kind of file.'),
});
type Attachment = z.infer<typeof attachment>;

export const resendEmail = defineTask({
  type: 'resend.email.Send',
  title: 'Send a mail through Resend',
  description: 'Sends a mail with text, HTML and attachments through the API of Resend.',
  input: () =>
    z.object({
      apiKey: apiKey(),
      from: text().describe('The sender, as `a@example.com` or `Ada <a@example.com>`.'),
      to: listOf(text(), { min: 1 }).describe('The recipients, at most 50.'),
      subject: text().describe('The subject.'),
      cc: listOf(text()).optional().describe('The recipients of a copy.'),
      bcc: listOf(text()).optional().describe('The recipients of a hidden copy.'),
      replyTo: listOf(text()).optional().describe('Where replies go.'),
      html: text().optional().describe('The text as HTML.'),
      text: text().optional().describe('The text without HTML.'),
      headers: mapOf(text()).optional().describe('More headers of the mail.'),
      idempotencyKey: text().optional().describe('A second mail with the same key within a day is not sent.'),
      scheduledAt: text().optional().describe('When to send it: an ISO date, or words such as `in 1 hour`.'),
      attachments: listOf(attachment).optional().describe('Files to attach.'),
      tags: listOf(
        part({ name: text().describe('The name of the tag.'), value: text().describe('Its value.') }),
      )
        .optional()
        .describe('Tags of the mail.'),
    }),
  output: () => z.object({ id: z.string().describe('The id of the mail.') }),
  sideEffects: true,
  examples: [
    oneTask(
      'resend.email.Send',
      `apiKey: "{{ secret('RESEND_KEY') }}"
from: Reports <reports@example.com>
to:
  - ada@example.com
subject: The load is done
html: "<p>The load is done.</p>"`,
      'Send a mail.',
      'resend_mail',
    ),
  ],
  run: async (context, { apiKey: key, idempotencyKey, replyTo, scheduledAt, attachments, ...mail }) => {
    const files: JsonMap[] = [];
    for (const each of attachments ?? []) files.push(await toFile(context, each));
    const body = dropMissing({
      ...mail,
      reply_to: replyTo,
      scheduled_at: scheduledAt,
      attachments: files.length > 0 ? files : undefined,
    });
    const headers: Record<string, string> =
      idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const answer = await ask(context, key, '/emails', body, headers);
    return { id: textOf(answer.id) ?? '' };
  },
});

async function toFile(context: TaskContext, file: Attachment): Promise<JsonMap> {
  const { uri, path, name, contentId, contentType } = file;
  if ((uri === undefined) === (path === undefined))
    throw new TaskFailed(`The attachment "${name}" needs either "uri" or "path".`, { retry: false });
  const content =
    uri === undefined ? undefined : (await readFile(context, uri, maxMailBytes)).toString('base64');
  return dropMissing({ content, path, filename: name, content_id: contentId, content_type: contentType });
}

export const resendDomain = defineTask({
  type: 'resend.domain.Create',
  title: 'Add a domain to Resend',
  description: 'Adds a domain to send from. The result lists the DNS records to set.',
  input: () =>
    z.object({
      apiKey: apiKey(),
      name: text().describe('The domain.'),
      region: text()
        .optional()
        .describe('Where mails are sent from: `us-east-1`, `eu-west-1`, `sa-east-1` or `ap-northeast-1`.'),
      customReturnPath: text().optional().describe('The subdomain for bounces; `send` when absent.'),
    }),
  output: () =>
    z.object({
      id: z.string().describe('The id of the domain.'),
      result: z.record(z.string(), z.unknown()).describe('The domain with its DNS records.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'resend.domain.Create',
      `apiKey: "{{ secret('RESEND_KEY') }}"
name: example.com
region: eu-west-1`,
      'Add a domain.',
      'resend_domain',
    ),
  ],
  run: async (context, { apiKey: key, name, region, customReturnPath }) => {
    const body = dropMissing({ name, region, custom_return_path: customReturnPath });
    const result = await ask(context, key, '/domains', body);
    return { id: textOf(result.id) ?? '', result: { ...result } };
  },
});

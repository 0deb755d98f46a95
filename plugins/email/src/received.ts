import { importModule } from '@millrace/plugin-kit';
import type PostalMime from 'postal-mime';
import { z } from 'zod';

const attachment = z.object({
  filename: z.string().optional().describe('The name of the file.'),
  contentType: z.string().optional().describe('The kind of file.'),
  size: z.number().describe('Its size in bytes.'),
});

/** A mail as executions see it. */
export const mailOutput = z.object({
  subject: z.string().optional().describe('The subject.'),
  from: z.string().optional().describe('The sender.'),
  to: z.array(z.string()).describe('The recipients.'),
  cc: z.array(z.string()).describe('The recipients of a copy.'),
  bcc: z.array(z.string()).describe('The recipients of a hidden copy.'),
  date: z.string().optional().describe('When it was sent.'),
  body: z.string().describe('The text; the HTML when there is no text. At most 1,000,000 characters.'),
  messageId: z.string().optional().describe('The id that the sender gave it.'),
  attachments: z.array(attachment).describe('The files that came with it.'),
});
export type ReceivedMail = z.infer<typeof mailOutput>;

/** A longer body is cut: outputs are kept with every execution. */
const longestBody = 1_000_000;

/** The maximum number of bytes read of a mail; attachments follow, of which only the metadata is kept. */
export const maxMailBytes = 25 * 1024 * 1024;

export async function parseMail(source: Uint8Array): Promise<ReceivedMail> {
  const { default: Parser } = await importModule<{ default: typeof PostalMime }>('postal-mime');
  const mail = await Parser.parse(source);
  const body = mail.text?.trim() ? mail.text : (mail.html ?? '');
  const date = mail.date === undefined ? undefined : new Date(mail.date);
  return {
    ...(mail.subject !== undefined && { subject: mail.subject }),
    ...(mail.from && { from: addressesOf([mail.from])[0] ?? '' }),
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    bcc: addressesOf(mail.bcc),
    ...(date && !Number.isNaN(date.getTime()) && { date: date.toISOString() }),
    body: body.slice(0, longestBody),
    ...(mail.messageId !== undefined && { messageId: mail.messageId }),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      ...(filename && { filename }),
      contentType: mimeType,
      size: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
    })),
  };
}

type Address = NonNullable<Awaited<ReturnType<PostalMime['parse']>>['to']>[number];

/** `Ada <ada@example.com>`, or the address alone; the members of a group one by one. */
function addressesOf(list: readonly Address[] = []): string[] {
  return list.flatMap((one) => {
    if (one.group) return addressesOf(one.group);
    return one.address ? [one.name ? `${one.name} <${one.address}>` : one.address] : [];
  });
}

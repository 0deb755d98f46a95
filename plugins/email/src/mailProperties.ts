import { choice, flag, integer, listOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';

/** Addresses in one text, separated by commas or semicolons, or as a list. A separator inside of quotes is part of a name. */
const addresses = () =>
  z
    .preprocess(
      (value) =>
        value === undefined || value === null
          ? []
          : (Array.isArray(value) ? value : [value]).flatMap(splitAddresses),
      z.array(z.string()),
    )
    .meta({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      type: undefined,
      items: undefined,
    });

function splitAddresses(written: unknown): unknown[] {
  if (typeof written !== 'string') return [written];
  const list = /^\s*\[/.test(written) ? readList(written) : undefined;
  if (list) return list.flatMap(splitAddresses);
  return (written.match(/(?:"(?:[^"\\]|\\.)*"|[^",;])+/g) ?? [])
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function readList(written: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const storedFile = () =>
  part({
    name: text().describe('The name of the file; an image is used in the HTML as `cid:<name>`.'),
    uri: text().describe('The file in internal storage.'),
    contentType: text().default('application/octet-stream').describe('The kind of file.'),
  });

/** The text of a mail that has only HTML, for readers that cannot show it. */
const plainDefault = 'Please view this email in a modern email client';

export const connectionProperties = {
  host: text().optional().describe('The SMTP server; `localhost` when absent.'),
  port: integer({ min: 1, max: 65_535 })
    .optional()
    .describe('The port; 465 for SMTPS, 587 for SMTP_TLS and SMTP_OAUTH2, 25 for SMTP.'),
  username: text().optional().describe('The user; without one there is no login.'),
  password: text().optional().describe('The password. Keep it in a secret.'),
  accessToken: text().optional().describe('The access token for SMTP_OAUTH2; `password` when absent.'),
  transportStrategy: choice(['SMTP', 'SMTP_TLS', 'SMTPS', 'SMTP_OAUTH2'])
    .default('SMTPS')
    .describe(
      'How to connect: with TLS from the start (`SMTPS`), after STARTTLS (`SMTP_TLS`), the same with an OAuth 2.0 token (`SMTP_OAUTH2`), or with TLS only if the server offers it (`SMTP`).',
    ),
  sessionTimeout: integer({ min: 1 })
    .default(10_000)
    .describe('How long to wait for the server, in milliseconds.'),
  verifyServerIdentity: flag().default(true).describe('The certificate must be made out to `host`.'),
  trustedHosts: listOf(text())
    .optional()
    .describe(
      'Hosts whose certificate is accepted without a check, such as one that signed it itself; `*` for all.',
    ),
};

export const mailProperties = {
  ...connectionProperties,
  from: text().optional().describe('The sender, as `a@example.com` or `Ada <a@example.com>`.'),
  to: addresses().default([]).describe('The recipients, separated by commas or semicolons.'),
  cc: addresses().default([]).describe('The recipients of a copy.'),
  bcc: addresses().default([]).describe('The recipients of a hidden copy.'),
  replyTo: addresses().default([]).describe('Where replies go.'),
  subject: text().optional().describe('The subject.'),
  messageId: text()
    .optional()
    .describe('The `Message-ID` header; the same id lets receivers recognize a mail that is sent again.'),
  attachments: listOf(storedFile()).optional().describe('Files to attach.'),
  embeddedImages: listOf(storedFile()).optional().describe('Images for the HTML.'),
};

export const contentProperties = {
  htmlTextContent: text().optional().describe('The text as HTML.'),
  plainTextContent: text().default(plainDefault).describe('The text without HTML.'),
};

const Mail = z.object({ ...mailProperties, ...contentProperties });
export type MailInput = z.infer<typeof Mail>;
export type StoredFile = z.infer<ReturnType<typeof storedFile>>;

import { choice, duration, fixed, flag, integer, text } from '@millrace/plugin-kit';
import { z } from 'zod';

/** The properties of both triggers. */
export const mailboxSchema = () =>
  z.object({
    protocol: choice(['IMAP', 'POP3']).default('IMAP').describe('How mails are read.'),
    host: text().describe('The mail server.'),
    port: integer({ min: 1, max: 65_535 })
      .optional()
      .describe('The port; 993 and 143 for IMAP, 995 and 110 for POP3, with and without `ssl`.'),
    username: text().describe('The user.'),
    password: text().describe('The password. Keep it in a secret.'),
    folder: text().default('INBOX').describe('The folder; POP3 has only the inbox.'),
    ssl: flag()
      .default(true)
      .describe('Connect with TLS. Without it, an IMAP server that offers STARTTLS is asked for it.'),
    trustAllCertificates: flag().default(false).describe('Do not check the certificate of the server.'),
    interval: fixed(duration())
      .prefault('PT60S')
      .describe('The pause between two polls; with IMAP, the real-time trigger is notified at once.'),
  });

export type Mailbox = z.infer<ReturnType<typeof mailboxSchema>>;

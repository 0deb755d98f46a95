import { defineTrigger } from '@millrace/plugin-kit';
import { z } from 'zod';
import { listenToImap, pollImap } from './imap.ts';
import { mailboxSchema } from './mailbox.ts';
import { listenToPop3, pollPop3 } from './pop3Mailbox.ts';
import { mailOutput } from './received.ts';

const examples = (type: string, message: string) => [
  {
    title: 'Log the mails of a mailbox.',
    runs: false,
    code: `id: ${type === 'email.RealTimeTrigger' ? 'each_mail' : 'new_mails'}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "${message}"

triggers:
  - id: mailbox
    type: ${type}
    host: imap.example.com
    username: "{{ secret('MAIL_USER') }}"
    password: "{{ secret('MAIL_PASSWORD') }}"
    folder: INBOX
    interval: PT30S
`,
  },
];

export const mailReceivedTrigger = defineTrigger({
  type: 'email.MailReceivedTrigger',
  aliases: ['notifications.mail.MailReceivedTrigger'],
  role: 'polling',
  title: 'Start an execution when mails arrived',
  description: `Looks into a mailbox every \`interval\` and starts one execution for all mails that are new, at most 50 at a time; the
rest follows with the next poll. The first poll takes mails that arrived within one \`interval\`. Mails are neither deleted nor
marked as read.`,
  input: mailboxSchema,
  output: () =>
    z.object({
      latestEmail: mailOutput.describe('The newest mail.'),
      total: z.number().describe('How many mails there are.'),
      emails: z.array(mailOutput).describe('The mails, oldest first.'),
    }),
  examples: examples(
    'email.MailReceivedTrigger',
    '{{ trigger.total }} mails, the last one: {{ trigger.latestEmail.subject }}',
  ),
  poll: async (context, mailbox) => {
    context.masker.add(mailbox.password);
    const emails =
      mailbox.protocol === 'IMAP' ? await pollImap(context, mailbox) : await pollPop3(context, mailbox);
    const latestEmail = emails.at(-1);
    return latestEmail && { latestEmail, total: emails.length, emails };
  },
});

export const mailRealTimeTrigger = defineTrigger({
  type: 'email.RealTimeTrigger',
  aliases: ['notifications.mail.RealTimeTrigger'],
  role: 'realtime',
  title: 'Start an execution for each mail as it arrives',
  description: `With IMAP the server notifies the trigger of new mails at once (IDLE); with POP3 the mailbox is read every
\`interval\`. One execution is started per mail. Mails that arrive while the server of the flow is down are found when it is
back. Mails are neither deleted nor marked as read.`,
  input: mailboxSchema,
  output: () => mailOutput,
  examples: examples('email.RealTimeTrigger', '{{ trigger.from }}: {{ trigger.subject }}'),
  listen: (context, mailbox, emit) => {
    context.masker.add(mailbox.password);
    return mailbox.protocol === 'IMAP'
      ? listenToImap(context, mailbox, emit)
      : listenToPop3(context, mailbox, emit);
  },
});

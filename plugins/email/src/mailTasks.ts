import {
  defineTask,
  deprecated,
  summarize,
  summaryHtml,
  summaryProperties,
  summaryText,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { contentProperties, mailProperties } from './mailProperties.ts';
import { sendMail } from './smtp.ts';

const output = () => z.object({});

const server = `host: smtp.example.com
    port: 587
    transportStrategy: SMTP_TLS
    username: "{{ secret('MAIL_USER') }}"
    password: "{{ secret('MAIL_PASSWORD') }}"
    from: reports@example.com`;

export const mailSend = defineTask({
  type: 'email.MailSend',
  aliases: ['notifications.mail.MailSend'],
  title: 'Send a mail',
  description: `Sends a mail by SMTP, with text, HTML, attachments and embedded images. Every mail has a text part; the HTML part is
added when \`htmlTextContent\` is given.`,
  input: () => z.object({ ...mailProperties, ...contentProperties }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Mail a report with a file.',
      runs: false,
      code: `id: mail_report
namespace: company.team

tasks:
  - id: report
    type: core.storage.Write
    extension: .csv
    content: |
      day,orders
      2026-01-31,12

  - id: mail
    type: email.MailSend
    ${server}
    to: ada@example.com, grace@example.com
    subject: "Orders of {{ execution.startDate | date('d MMMM yyyy') }}"
    htmlTextContent: "<p>The orders of today are in the <b>attached file</b>.</p>"
    plainTextContent: The orders of today are in the attached file.
    attachments:
      - name: orders.csv
        uri: "{{ outputs.report.uri }}"
        contentType: text/csv
`,
    },
  ],
  run: async (context, input) => {
    await sendMail(context, input);
    return {};
  },
});

export const mailExecution = defineTask({
  type: 'email.MailExecution',
  aliases: ['notifications.mail.MailExecution'],
  title: 'Report an execution by mail',
  description: `Mails a report about an execution as HTML and as plain text: its state, duration, failed task, your own fields and a
link to its page. Use it in the \`errors\` tasks of a flow, in \`afterExecution\`, or in a flow with a Flow trigger. The link
needs the \`url\` setting of the server. \`subject\`, \`htmlTextContent\` and \`plainTextContent\` replace those of the report.`,
  input: () =>
    z.object({
      ...summaryProperties,
      ...mailProperties,
      htmlTextContent: contentProperties.htmlTextContent,
      plainTextContent: text().optional().describe('The text without HTML, instead of the report.'),
      textTemplateUri: deprecated(
        text().optional(),
        'The task builds the message itself; this has no effect.',
      ),
    }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Report a failed execution from the `errors` tasks of a flow.',
      runs: false,
      code: `id: mail_on_failure
namespace: company.team

tasks:
  - id: load
    type: core.execution.Fail
    errorMessage: The source is empty

errors:
  - id: mail
    type: email.MailExecution
    ${server}
    to: on-call@example.com
    customMessage: Please have a look.
    customFields:
      Environment: production
`,
    },
    {
      title: 'Report every failure in a namespace from one flow.',
      runs: false,
      code: `id: watch_namespace_by_mail
namespace: company.monitoring

tasks:
  - id: mail
    type: email.MailExecution
    executionId: "{{ trigger.executionId }}"
    ${server}
    to: on-call@example.com

triggers:
  - id: failures
    type: core.trigger.Flow
    states: [FAILED, WARNING]
    conditions:
      - type: core.condition.ExecutionNamespace
        namespace: company
        prefix: true
`,
    },
  ],
  run: async (context, input) => {
    const summary = await summarize(context, input);
    await sendMail(context, {
      ...input,
      subject: input.subject ?? summary.title,
      htmlTextContent: input.htmlTextContent ?? summaryHtml(summary),
      plainTextContent: input.plainTextContent ?? summaryText(summary),
    });
    return {};
  },
});

import type { AddressInfo } from 'node:net';
import { TaskFailed } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mailExecution, mailSend } from './mailTasks.ts';
import { makeCertificate } from './testing/certificate.ts';
import { aMailContext } from './testing/mailContext.ts';

const certificate = makeCertificate();

interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: unknown;
  readonly isSecure: boolean;
  readonly source: Buffer;
}

/** A real SMTP server for one test, which stores the mails it accepts. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const mails: Envelope[] = [];
  const server = new SMTPServer({
    ...certificate,
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password, accessToken }, _, callback) => {
      const isKnown = username === 'ada' && (password === 'right' || accessToken === 'token-123');
      if (isKnown) callback(null, { user: username });
      else callback(Object.assign(new Error('Authentication failed'), { responseCode: 535 }));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          isSecure: session.secure,
          source: Buffer.concat(chunks),
        });
        callback(null);
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    connection: { host: 'localhost', port, username: 'ada', password: 'right', trustedHosts: ['localhost'] },
  };
}

const mail = {
  from: 'Reports <reports@example.com>',
  to: 'ada@example.com; "Hopper, Grace" <grace@example.com>',
  cc: ['copy@example.com'],
  bcc: 'hidden@example.com',
  subject: 'Orders – Größe 😀',
  htmlTextContent: '<p>Hi <img src="cid:chart.png"></p>',
  plainTextContent: 'Hi',
};

const failureOf = async (run: Promise<unknown>): Promise<TaskFailed> => {
  const error = await run.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(TaskFailed);
  return error as TaskFailed; // checked above
};

describe('MailSend', () => {
  test.each([
    ['SMTPS', { secure: true }, true],
    ['SMTP_TLS', { secure: false }, true],
    ['SMTP', { secure: false }, true],
    ['SMTP', { secure: false, hideSTARTTLS: true, allowInsecureAuth: true }, false],
  ] as const)('sends with %s to a server with %j', async (transportStrategy, options, isSecure) => {
    const { mails, connection } = await startSmtp(options);
    await runType(mailSend, { ...connection, ...mail, transportStrategy }, aMailContext());
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      from: 'reports@example.com',
      to: ['ada@example.com', 'grace@example.com', 'copy@example.com', 'hidden@example.com'],
      user: 'ada',
      isSecure,
    });
    const read = await PostalMime.parse(mails[0]!.source);
    expect(read).toMatchObject({ subject: mail.subject, html: `${mail.htmlTextContent}\n`, text: 'Hi\n' });
    expect(read.to?.map(({ address, name }) => [address, name])).toEqual([
      ['ada@example.com', ''],
      ['grace@example.com', 'Hopper, Grace'],
    ]);
    expect(mails[0]!.source.toString()).not.toContain('hidden@example.com');
  });

  test('attaches files of internal storage and embeds images', async () => {
    const { mails, connection } = await startSmtp({ secure: true });
    const context = aMailContext();
    const big = Buffer.alloc(3_000_000, 'x');
    const csv = await context.files.put('orders.csv', big);
    const png = await context.files.put('chart.png', Buffer.from([1, 2, 3]));
    await runType(
      mailSend,
      {
        ...connection,
        ...mail,
        attachments: [{ name: 'orders.csv', uri: csv, contentType: 'text/csv' }],
        embeddedImages: JSON.stringify([{ name: 'chart.png', uri: png, contentType: 'image/png' }]),
      },
      context,
    );
    const { attachments } = await PostalMime.parse(mails[0]!.source);
    const [chart, orders] = [...attachments].sort((a, b) => a.mimeType.localeCompare(b.mimeType));
    expect(chart).toMatchObject({
      filename: 'chart.png',
      mimeType: 'image/png',
      contentId: '<chart.png>',
      disposition: 'inline',
    });
    expect(orders).toMatchObject({ filename: 'orders.csv', mimeType: 'text/csv', disposition: 'attachment' });
    expect(Buffer.from(orders!.content as ArrayBuffer).equals(big)).toBe(true);
  });

  test('always has a text part', async () => {
    const { mails, connection } = await startSmtp({ secure: true });
    const { plainTextContent: _, ...html } = mail;
    await runType(mailSend, { ...connection, ...html }, aMailContext());
    expect((await PostalMime.parse(mails[0]!.source)).text).toBe(
      'Please view this email in a modern email client\n',
    );
  });

  test('logs in with an OAuth 2.0 token', async () => {
    const { mails, connection } = await startSmtp({ authMethods: ['XOAUTH2'] });
    const { password: _, ...rest } = connection;
    await runType(
      mailSend,
      { ...rest, ...mail, transportStrategy: 'SMTP_OAUTH2', accessToken: 'token-123' },
      aMailContext(),
    );
    expect(mails[0]?.user).toBe('ada');
  });

  test('warns of recipients that the server refused, and fails when it refused all', async () => {
    const { mails, connection } = await startSmtp({
      secure: true,
      onRcptTo: ({ address }, _, callback) =>
        callback(
          address.startsWith('ada') ? null : Object.assign(new Error('No such user'), { responseCode: 550 }),
        ),
    });
    const context = aMailContext();
    await runType(
      mailSend,
      { ...connection, ...mail, to: 'ada@example.com,gone@example.com', cc: [], bcc: [] },
      context,
    );
    expect(mails[0]?.to).toEqual(['ada@example.com']);
    expect(context.logs[0]).toMatchObject({
      level: 'WARN',
      message: expect.stringContaining('gone@example.com'),
    });
    const failure = await failureOf(
      runType(mailSend, { ...connection, ...mail, to: 'gone@example.com', cc: [], bcc: [] }, aMailContext()),
    );
    expect(failure.message).toContain('No such user');
    expect(failure.retry).toBe(false);
  });
});

describe('a mail that cannot be sent', () => {
  test('because of a wrong password says so without the password', async () => {
    const { connection } = await startSmtp({ secure: true });
    const failure = await failureOf(
      runType(mailSend, { ...connection, ...mail, password: 'wrong-password' }, aMailContext()),
    );
    expect(failure.message).toMatch(/^The mail server localhost:\d+ refused the login. Check "username"/);
    expect(failure.message).not.toContain('wrong-password');
    expect(failure.retry).toBe(false);
  });

  test('because of an unknown certificate names the property that trusts it', async () => {
    const { connection } = await startSmtp({ secure: true });
    const failure = await failureOf(
      runType(mailSend, { ...connection, ...mail, trustedHosts: [] }, aMailContext()),
    );
    expect(failure.message).toContain('could not be trusted');
    expect(failure.message).toContain('"trustedHosts"');
  });

  test('because the server does not begin with TLS names the strategy', async () => {
    const { connection } = await startSmtp({ secure: false });
    const failure = await failureOf(runType(mailSend, { ...connection, ...mail }, aMailContext()));
    expect(failure.message).toContain('transportStrategy: SMTP_TLS');
  });

  test('because STARTTLS is missing is not sent in the clear', async () => {
    const { mails, connection } = await startSmtp({ secure: false, disabledCommands: ['STARTTLS'] });
    await failureOf(
      runType(mailSend, { ...connection, ...mail, transportStrategy: 'SMTP_TLS' }, aMailContext()),
    );
    expect(mails).toEqual([]);
  });

  test('because nothing listens there says so', async () => {
    const failure = await failureOf(
      runType(mailSend, { ...mail, host: '127.0.0.1', port: 1 }, aMailContext()),
    );
    expect(failure.message).toContain('The mail server 127.0.0.1:1 could not be reached');
  });

  test('because the server is silent fails after the session timeout', async () => {
    const { connection } = await startSmtp({ secure: false, onConnect: () => {} });
    const failure = await failureOf(
      runType(
        mailSend,
        { ...connection, ...mail, transportStrategy: 'SMTP', sessionTimeout: 100 },
        aMailContext(),
      ),
    );
    expect(failure.message).toContain('sessionTimeout');
  });

  test('is given up at once when the task is killed', async () => {
    const context = aMailContext();
    const { connection } = await startSmtp({ secure: false, onMailFrom: () => context.kill() });
    await expect(
      runType(mailSend, { ...connection, ...mail, transportStrategy: 'SMTP' }, context),
    ).rejects.toThrow(/abort/i);
  });

  test('because a file is missing names the file', async () => {
    const failure = await failureOf(
      runType(mailSend, { ...mail, attachments: [{ name: 'a', uri: 'millrace:///gone' }] }, aMailContext()),
    );
    expect(failure.message).toBe('There is no file millrace:///gone in internal storage ("attachments").');
  });

  test('because there is no recipient says so', async () => {
    const failure = await failureOf(runType(mailSend, { ...mail, to: '', cc: [], bcc: '' }, aMailContext()));
    expect(failure.message).toContain('at least one recipient');
  });
});

test('MailExecution sends a report as HTML and as text', async () => {
  const { mails, connection } = await startSmtp({ secure: true });
  await runType(
    mailExecution,
    {
      ...connection,
      from: 'alerts@example.com',
      to: 'on-call@example.com',
      customMessage: 'Please have a look.',
      customFields: { Environment: 'production' },
    },
    aMailContext(),
  );
  const { subject, html = '', text = '' } = await PostalMime.parse(mails[0]!.source);
  expect(subject).toBe('[company.team] orders ➛ FAILED');
  for (const fact of [
    'load',
    '00:01:05.250',
    'production',
    'Please have a look.',
    'https://millrace.example.com/main/executions',
  ]) {
    expect(html).toContain(fact);
    expect(text).toContain(fact);
  }
});

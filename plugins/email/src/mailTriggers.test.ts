import type { Emit, TriggerDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import type { TestContext } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailRealTimeTrigger, mailReceivedTrigger } from './mailTriggers.ts';
import { type MailServer, mailPassword, startDovecot } from './testing/dovecot.ts';
import { aMail, aMailContext } from './testing/mailContext.ts';

let server: MailServer;
let users = 0;
const aUser = () => `user${++users}`;

beforeAll(async () => {
  server = await startDovecot();
});
afterAll(() => server?.stop());

type Data = Record<string, unknown>;

const kinds = [
  { name: 'IMAP with TLS', protocol: 'IMAP', ssl: true, port: () => server.imaps },
  { name: 'IMAP with STARTTLS', protocol: 'IMAP', ssl: false, port: () => server.imap },
  { name: 'POP3 with TLS', protocol: 'POP3', ssl: true, port: () => server.pop3s },
  { name: 'POP3', protocol: 'POP3', ssl: false, port: () => server.pop3 },
] as const;
type Kind = (typeof kinds)[number];

const mailbox = ({ protocol, ssl, port }: Kind, username: string, more: Data = {}): Data => ({
  protocol,
  ssl,
  port: port(),
  host: 'localhost',
  username,
  password: mailPassword,
  trustAllCertificates: true,
  ...more,
});

const read = (trigger: TriggerDefinition, properties: Data) =>
  readInput(trigger.type, trigger.input, properties);

/** One evaluation; the memory is in the context. */
const poll = (context: TestContext, properties: Data) =>
  mailReceivedTrigger.poll!(context, read(mailReceivedTrigger, properties)) as Promise<
    { total: number; emails: { subject: string }[]; latestEmail: Data } | undefined
  >;

const hourAgo = () => new Date(Date.now() - 3_600_000);

describe.each(kinds)('MailReceivedTrigger by $name', (kind) => {
  test('finds each mail once, oldest first, also after a restart', async () => {
    const user = aUser();
    const context = aMailContext();
    server.deliver(user, aMail('old'), hourAgo());
    expect(await poll(context, mailbox(kind, user))).toBeUndefined();
    server.deliver(user, aMail('one'));
    server.deliver(user, aMail('two'));
    const found = await poll(context, mailbox(kind, user));
    expect(found?.emails.map(({ subject }) => subject)).toEqual(['one', 'two']);
    expect(found?.total).toBe(2);
    expect(found?.latestEmail).toMatchObject({
      subject: 'two',
      from: 'Ada Lovelace <ada@example.com>',
      to: ['team@example.com', 'Hopper, Grace <grace@example.com>'],
      cc: ['copy@example.com'],
      bcc: [],
      date: '2026-01-31T08:00:00.000Z',
      messageId: '<two@example.com>',
      attachments: [],
    });
    expect(String(found?.latestEmail.body).trim()).toBe('Hello from two');
    const restarted = aMailContext(JSON.parse(JSON.stringify(context.memory)));
    expect(await poll(restarted, mailbox(kind, user))).toBeUndefined();
    server.deliver(user, aMail('three'));
    expect((await poll(restarted, mailbox(kind, user)))?.emails.map(({ subject }) => subject)).toEqual([
      'three',
    ]);
  });

  test('takes many mails in several polls', async () => {
    const user = aUser();
    const context = aMailContext();
    server.deliver(user, aMail('old'), hourAgo());
    await poll(context, mailbox(kind, user));
    for (let index = 0; index < 60; index++) server.deliver(user, aMail(`mail${index}`));
    const first = await poll(context, mailbox(kind, user));
    const second = await poll(context, mailbox(kind, user));
    expect([first?.total, second?.total]).toEqual([50, 10]);
    expect(second?.latestEmail.subject).toBe('mail59');
  });

  test('names a wrong password without showing it', async () => {
    const wrong = mailbox(kind, aUser(), { password: 'wrong-password' });
    const context = aMailContext();
    await expect(poll(context, wrong)).rejects.toThrow(/refused the login. Check "username" and "password"/);
    expect(context.masker.mask('wrong-password')).not.toContain('wrong-password');
  });

  test('names a server that cannot be reached', async () => {
    await expect(poll(aMailContext(), mailbox(kind, aUser(), { port: 1 }))).rejects.toThrow(
      'The mail server localhost:1 could not be read',
    );
  });
});

describe.each(kinds.filter(({ ssl }) => ssl))('by $name', (kind) => {
  test('a certificate that is not known is refused', async () => {
    const strict = mailbox(kind, aUser(), { trustAllCertificates: false });
    await expect(poll(aMailContext(), strict)).rejects.toThrow('"trustAllCertificates" skips this check');
  });
});

test('the first poll takes what arrived within the interval', async () => {
  for (const kind of kinds) {
    const user = aUser();
    server.deliver(
      user,
      aMail('old').replace(/^/, 'Received: from a by b; Sat, 31 Jan 2026 08:00:01 +0000\n'),
      hourAgo(),
    );
    server.deliver(user, `Received: from a by b;\n ${new Date().toUTCString()}\n${aMail('fresh')}`);
    const found = await poll(aMailContext(), mailbox(kind, user));
    expect(found?.emails.map(({ subject }) => subject)).toEqual(['fresh']);
  }
});

test('a mail with HTML, an encoded subject, a line of one dot and an attachment is read whole', async () => {
  const more = `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<p>Gr=F6=DFe</p>
.
..end
--b
Content-Type: text/csv; name="orders.csv"
Content-Disposition: attachment; filename="orders.csv"
Content-Transfer-Encoding: base64

YSxiCjEsMgo=
--b--`;
  for (const kind of kinds) {
    const user = aUser();
    const context = aMailContext();
    await poll(context, mailbox(kind, user));
    server.deliver(user, aMail('=?utf-8?B?R3LDtsOfZQ==?=', more));
    const mail = (await poll(context, mailbox(kind, user)))?.latestEmail;
    expect(mail?.subject).toBe('Größe');
    expect(String(mail?.body).trim()).toBe('<p>Größe</p>\n.\n..end');
    expect(mail?.attachments).toEqual([{ filename: 'orders.csv', contentType: 'text/csv', size: 8 }]);
  }
});

test('an unknown folder is named', async () => {
  await expect(poll(aMailContext(), mailbox(kinds[0], aUser(), { folder: 'Nowhere' }))).rejects.toThrow(
    'has no folder "Nowhere"',
  );
});

describe.each(kinds)('RealTimeTrigger by $name', (kind) => {
  const listen = (context: TestContext, properties: Data, emit: Emit) =>
    mailRealTimeTrigger.listen!(context, read(mailRealTimeTrigger, properties), emit);

  test('starts one execution per mail until it is stopped, and resumes after the last one', async () => {
    const user = aUser();
    const context = aMailContext();
    // IMAP is notified by the server long before the interval ends.
    const properties = mailbox(kind, user, { interval: kind.protocol === 'IMAP' ? 'PT1M' : 'PT0.1S' });
    const heard: { subject: unknown; key: string | undefined }[] = [];
    const emit: Emit = async ({ subject }, { key } = {}) => void heard.push({ subject, key });
    const subjects = () => heard.map(({ subject }) => subject);

    server.deliver(user, aMail('old'), hourAgo());
    const stopped = expect(listen(context, properties, emit)).rejects.toThrow(/abort/i);
    await expect.poll(() => context.memory).toBeDefined();
    server.deliver(user, aMail('one'));
    await expect.poll(subjects).toEqual(['one']);
    server.deliver(user, aMail('two'));
    await expect.poll(subjects).toEqual(['one', 'two']);
    context.kill();
    await stopped;

    server.deliver(user, aMail('while away'));
    const later = aMailContext(JSON.parse(JSON.stringify(context.memory)));
    const stoppedAgain = expect(listen(later, properties, emit)).rejects.toThrow(/abort/i);
    await expect.poll(subjects).toEqual(['one', 'two', 'while away']);
    expect(new Set(heard.map(({ key }) => key)).size).toBe(3);
    later.kill();
    await stoppedAgain;
  });
});

import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { resendDomain, resendEmail } from './resend/resend.ts';
import { sendGridExecution, sendGridMail } from './sendgrid/sendgrid.ts';
import { aNotifyingContext, failedExecution, startReceiver } from './testing/receiver.ts';
import { runAgainst } from './testing/runAgainst.ts';
import { twilioAlert, twilioExecution, twilioMms, twilioSms } from './twilio/notify.ts';

const link = failedExecution.link!;

describe('SendGrid', () => {
  const from = 'https://api.sendgrid.com';
  const mail = {
    sendgridApiKey: 'SG.secret-key',
    from: 'Reports <r@e.com>',
    to: ['a@e.com'],
    cc: ['c@e.com'],
  };
  const accepted = () => ({ status: 202, headers: { 'x-message-id': 'm1' } });

  test('takes a mail with a file and an image', async () => {
    const { url, received } = await startReceiver(accepted);
    const context = aNotifyingContext({ redirect: { from, to: url } });
    const uri = await context.files.put('a.txt', 'hello');
    const outputs = await runType(
      sendGridMail,
      {
        ...mail,
        subject: 's',
        textContent: 't',
        htmlContent: '<p>',
        attachments: [{ uri, name: 'a.txt' }],
        embeddedImages: [{ uri, name: 'i.png', contentType: 'image/png' }],
      },
      context,
    );
    expect(outputs).toMatchObject({ statusCode: 202, body: '', headers: { 'x-message-id': 'm1' } });
    expect(received[0]?.headers.authorization).toBe('Bearer SG.secret-key');
    expect(received[0]?.body).toEqual({
      personalizations: [{ to: [{ email: 'a@e.com' }], cc: [{ email: 'c@e.com' }] }],
      from: { email: 'r@e.com', name: 'Reports' },
      subject: 's',
      content: [
        { type: 'text/plain', value: 't' },
        { type: 'text/html', value: '<p>' },
      ],
      attachments: [
        {
          content: 'aGVsbG8=',
          filename: 'a.txt',
          type: 'application/octet-stream',
          disposition: 'attachment',
        },
        {
          content: 'aGVsbG8=',
          filename: 'i.png',
          type: 'image/png',
          disposition: 'inline',
          content_id: 'i.png',
        },
      ],
    });
  });

  test('takes a report as text and HTML', async () => {
    const { body } = await runAgainst(sendGridExecution, mail, { from, reply: accepted });
    expect(body.subject).toBe('[company.team] orders ➛ FAILED');
    expect(body.content).toMatchObject([
      { type: 'text/plain', value: expect.stringContaining(link) },
      { type: 'text/html', value: expect.stringContaining(link) },
    ]);
  });

  test('names a wrong key without showing it', async () => {
    const error: Error = await runAgainst(
      sendGridMail,
      { ...mail, textContent: 'x' },
      { from, reply: () => ({ status: 401, body: 'The key SG.secret-key is revoked' }) },
    ).then(
      () => new Error(),
      (failure) => failure,
    );
    expect(error.message).toContain('Check the credentials');
    expect(error.message).not.toContain('secret-key');
  });
});

describe('Twilio', () => {
  const account = { accountSID: `AC${'0'.repeat(32)}`, authToken: 'auth-token-secret' };
  const basic = `Basic ${Buffer.from(`${account.accountSID}:${account.authToken}`).toString('base64')}`;

  test('takes the payload as a form', async () => {
    const { received } = await runAgainst(twilioAlert, (url) => ({
      ...account,
      url,
      payload: '{"Body": "hi", "Tag": ["a", "b"]}',
    }));
    expect(received[0]?.text).toBe('Body=hi&Tag=a&Tag=b');
    expect(received[0]?.headers.authorization).toBe(basic);
  });

  test('takes a short report', async () => {
    const { body } = await runAgainst(twilioExecution, (url) => ({
      ...account,
      url,
      identity: '1',
      tag: 'x',
    }));
    expect(body).toEqual({
      Body: `[company.team] orders ➛ FAILED\nFailed on task load after 00:01:05.250\n${link}`,
      Identity: '1',
      Tag: 'x',
    });
  });

  test.each([
    [twilioSms, {}],
    [twilioMms, { mediaUrls: ['https://e.com/1.png', 'https://e.com/2.png'] }],
  ] as const)('sends a message and returns its id', async (task, more) => {
    const { outputs, received } = await runAgainst(
      task,
      { ...account, from: '+1', to: '+2', body: 'hi', ...more },
      {
        from: 'https://api.twilio.com',
        reply: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }),
      },
    );
    expect(outputs).toEqual({ sid: 'SM1', status: 'queued' });
    expect(received[0]?.path).toBe(`/2010-04-01/Accounts/${account.accountSID}/Messages.json`);
    expect(new URLSearchParams(received[0]?.text).getAll('MediaUrl')).toEqual(
      'mediaUrls' in more ? more.mediaUrls : [],
    );
  });

  test('needs the SID of an account', async () => {
    await expect(
      runAgainst(twilioSms, { ...account, accountSID: 'x', from: '1', to: '2', body: 'b' }),
    ).rejects.toThrow('"AC" and 32 hexadecimal digits');
  });
});

test('Resend takes mails and domains', async () => {
  const from = 'https://api.resend.com';
  const reply = () => ({ body: { id: 'r1', records: [] } });
  const sent = await runAgainst(
    resendEmail,
    {
      apiKey: 're_secret',
      from: 'a@e.com',
      to: ['b@e.com'],
      subject: 's',
      html: '<p>',
      replyTo: ['c@e.com'],
      idempotencyKey: 'k',
      attachments: [{ name: 'x', path: 'https://e.com/x' }],
    },
    { from, reply },
  );
  expect(sent.outputs).toEqual({ id: 'r1' });
  expect(sent.body).toEqual({
    from: 'a@e.com',
    to: ['b@e.com'],
    subject: 's',
    html: '<p>',
    reply_to: ['c@e.com'],
    attachments: [{ path: 'https://e.com/x', filename: 'x' }],
  });
  expect(sent.received[0]?.headers['idempotency-key']).toBe('k');
  const domain = await runAgainst(
    resendDomain,
    { apiKey: 're_secret', name: 'e.com', customReturnPath: 'm' },
    { from, reply },
  );
  expect(domain.outputs).toEqual({ id: 'r1', result: { id: 'r1', records: [] } });
  expect(domain.body).toEqual({ name: 'e.com', custom_return_path: 'm' });
});

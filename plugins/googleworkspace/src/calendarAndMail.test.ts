import type { Json } from '@millrace/plugin-gcp/google';
import { type Received, type Reply, refusal, startGoogle } from '@millrace/plugin-gcp/testing';
import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { calendarTypes } from './calendar/index.ts';
import { mailTypes } from './mail/index.ts';

// `as`: the names in these tests are those of tasks or triggers.
const find = <T extends TaskDefinition | TriggerDefinition = TaskDefinition>(name: string): T =>
  [...calendarTypes, ...mailTypes].find(({ type }) => type.endsWith(`.${name}`)) as T;

describe('Calendar', () => {
  const events = '/calendar/v3/calendars/team%40example.com/events';
  const place = { calendarId: 'team@example.com', eventId: 'e1' };

  test('events are created, changed, read and deleted', async () => {
    const { run, received } = await startGoogle(({ json, method }) =>
      method === 'DELETE' ? { status: 204 } : { body: { id: 'e1', status: 'confirmed', ...json, extra: 1 } },
    );
    const created = await run(find('InsertEvent'), {
      calendarId: 'team@example.com',
      summary: 'Meeting',
      description: 'About {{ 1 + 1 }}',
      startTime: { dateTime: '2026-12-01T09:00:00+01:00', timeZone: 'Europe/Berlin' },
      endTime: { dateTime: '2026-12-02' },
      attendees: [{ email: 'ada@example.com' }],
    });
    expect(created).toEqual({
      event: { id: 'e1', status: 'confirmed', summary: 'Meeting', description: 'About 2' },
    });
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: events,
      json: {
        start: { dateTime: '2026-12-01T09:00:00+01:00', timeZone: 'Europe/Berlin' },
        end: { date: '2026-12-02' },
        attendees: [{ email: 'ada@example.com' }],
      },
    });
    await run(find('UpdateEvent'), { ...place, summary: 'Moved' });
    expect(received[1]).toMatchObject({ method: 'PATCH', path: `${events}/e1`, json: { summary: 'Moved' } });
    expect(received[1]?.query.get('sendUpdates')).toBe('none');
    await run(find('UpdateEvent'), { ...place, patch: false, sendUpdates: 'all' });
    expect(received[2]?.method).toBe('PUT');
    expect(await run(find('GetEvent'), { ...place, maxAttendees: 3 })).toMatchObject({
      event: { id: 'e1' },
      metadata: { extra: 1 },
    });
    expect(await run(find('DeleteEvent'), place)).toEqual({});
  });

  test('a page of events is listed', async () => {
    const { run, received } = await startGoogle(() => ({
      body: { items: [{ id: 'a', summary: 'A' }], nextPageToken: 'p2' },
    }));
    expect(await run(find('ListEvents'), { calendarId: 'primary', q: 'A', maxResults: 5 })).toEqual({
      events: [{ id: 'a', summary: 'A' }],
      metadataList: [{ id: 'a', summary: 'A' }],
      nextPageToken: 'p2',
    });
    expect(Object.fromEntries(received[0]?.query ?? [])).toEqual({
      q: 'A',
      singleEvents: 'true',
      showDeleted: 'false',
      maxResults: '5',
    });
  });

  test('EventCreatedTrigger finds each new event once', async () => {
    const items: Json[] = [];
    const { poll, aContext } = await startGoogle(() => ({ body: { items } }));
    const trigger = find<TriggerDefinition>('EventCreatedTrigger');
    const context = aContext();
    const properties = { calendarIds: ['primary'], organizerEmail: 'Ada@example.com' };
    const at = (second: number) => new Date(Date.now() + second * 1000).toISOString();
    const anEvent = (id: string, created: string, email = 'ada@example.com') => ({
      id,
      created,
      updated: at(9),
      organizer: { email },
      start: { date: '2026-01-31' },
      end: {},
    });
    items.push(anEvent('old', at(-100_000)));
    expect(await poll(trigger, properties, context)).toBeUndefined();
    items.push(anEvent('b', at(2)), anEvent('a', at(1)), anEvent('x', at(1), 'other@example.com'));
    const found = await poll(trigger, properties, context);
    expect((found as { events: Json[] }).events.map(({ id }) => id)).toEqual(['a', 'b']);
    expect((found as { events: Json[] }).events[0]).toMatchObject({
      organizer: { email: 'ada@example.com' },
      start: { date: '2026-01-31' },
    });
    expect(await poll(trigger, properties, context)).toBeUndefined();
  });
});

describe('Gmail', () => {
  const login = { clientId: 'id', clientSecret: 'client-secret', refreshToken: 'refresh' };
  const data = (text: string) => Buffer.from(text).toString('base64url');
  const aMail = (id: string, date: number): Json => ({
    id,
    threadId: 't1',
    labelIds: ['INBOX'],
    internalDate: String(date),
    payload: {
      mimeType: 'multipart/mixed',
      headers: [
        { name: 'Subject', value: `mail ${id}` },
        { name: 'From', value: 'Ada <ada@example.com>' },
        { name: 'To', value: '"Hopper, Grace" <grace@example.com>, team@example.com' },
      ],
      parts: [
        {
          mimeType: 'multipart/alternative',
          parts: [
            { mimeType: 'text/plain', body: { data: data('Grüße') } },
            { mimeType: 'text/html', body: { data: data('<p>x</p>') } },
          ],
        },
        { mimeType: 'text/csv', filename: 'a.csv', body: { attachmentId: 'att1', size: 9 } },
      ],
    },
  });

  async function aMailbox(mails: Json[]) {
    const fake = await startGoogle(({ path, method, query }: Received): Reply => {
      if (method === 'POST') return { body: { id: 'sent1', threadId: 't9' } };
      const id = path.split('/')[6];
      const mail = mails.find((each) => each.id === id);
      if (id !== undefined)
        return mail ? { body: mail } : refusal(404, 'Requested entity was not found.', 'notFound');
      const after = Number(/after:(\d+)/.exec(query.get('q') ?? '')?.[1] ?? 0) * 1000;
      const found = mails.filter((each) => Number(each.internalDate) >= after);
      return { body: { messages: found.map((each) => ({ id: each.id })), resultSizeEstimate: found.length } };
    });
    return {
      ...fake,
      run: (name: string, properties: Json) => runType(find(name), { ...login, ...properties }, fake.context),
    };
  }

  test('Send writes a mail with text, HTML and files', async () => {
    const { run, context, received } = await aMailbox([]);
    const file = await context.files.put('orders.csv', 'a,b\n');
    const outputs = await run('Send', {
      to: ['grace@example.com'],
      cc: ['copy@example.com'],
      bcc: ['blind@example.com'],
      from: 'Ada <ada@example.com>',
      subject: 'Grüße',
      textBody: 'Hello',
      htmlBody: '<p>Hello</p>',
      attachments: [file],
    });
    expect(outputs).toEqual({ messageId: 'sent1', threadId: 't9' });
    const [sent] = received;
    expect(sent).toMatchObject({
      host: 'gmail.googleapis.com',
      path: '/upload/gmail/v1/users/me/messages/send',
    });
    expect(sent?.headers).toMatchObject({
      'content-type': 'message/rfc822',
      authorization: 'Bearer ya29.test-token.user',
    });
    expect(sent?.text).toMatch(/^Bcc: blind@example\.com\r\n/);
    for (const part of [
      'To: grace@example.com',
      'Cc: copy@example.com',
      'Subject: =?UTF-8?',
      'multipart/mixed',
      'text/plain',
      'text/html',
      'filename=orders.csv',
      'YSxiCg==',
    ])
      expect(sent?.text).toContain(part);
  });

  test('a mail is read with its texts and files, and a wrong token is named', async () => {
    const { run } = await aMailbox([aMail('m1', 1_769_846_400_000)]);
    expect(await run('Get', { messageId: 'm1' })).toMatchObject({
      message: {
        id: 'm1',
        subject: 'mail m1',
        from: 'Ada <ada@example.com>',
        to: ['"Hopper, Grace" <grace@example.com>', 'team@example.com'],
        internalDate: '2026-01-31T08:00:00.000Z',
        textPlain: 'Grüße',
        textHtml: '<p>x</p>',
        attachments: [{ attachmentId: 'att1', filename: 'a.csv', size: 9 }],
      },
    });
    await expect(run('Get', { messageId: 'm1', refreshToken: 'wrong-token' })).rejects.toThrow(
      'The token was refused (HTTP 400): Bad Request.',
    );
    await expect(run('Get', { messageId: 'none' })).rejects.toThrow('Requested entity was not found.');
  });

  test('mails are listed in every way', async () => {
    const { run, context, received } = await aMailbox([aMail('m1', 1), aMail('m2', 2)]);
    expect(await run('List', { query: 'is:unread', labelIds: ['INBOX', 'X'] })).toMatchObject({
      messages: [{ id: 'm1' }, { id: 'm2' }],
      resultSizeEstimate: 2,
    });
    expect(received[0]?.query.getAll('labelIds')).toEqual(['INBOX', 'X']);
    expect(await run('List', { fetchType: 'FETCH_ONE' })).toMatchObject({ message: { id: 'm1' } });
    const { uri } = await run('List', { fetchType: 'STORE' });
    expect((await context.files.text(String(uri))).trim().split('\n')).toHaveLength(2);
  });

  test('MailReceivedTrigger finds each mail once, oldest first', async () => {
    const now = Date.now();
    const mails = [aMail('old', now - 3_600_000)];
    const { aContext } = await aMailbox(mails);
    const trigger = find<TriggerDefinition>('MailReceivedTrigger');
    const context = aContext();
    const poll = (properties: Json = {}) =>
      trigger.poll?.(context, readInput(trigger.type, trigger.input, { ...login, ...properties }));
    const ids = (found: unknown) =>
      (found as { messages: { id: string }[] } | undefined)?.messages.map(({ id }) => id);
    expect(await poll()).toBeUndefined();
    mails.unshift(aMail('b', now + 2000), aMail('a', now + 1000));
    expect(ids(await poll({ maxMessagesPerPoll: 1 }))).toEqual(['a']);
    expect(ids(await poll())).toEqual(['b']);
    mails.unshift(aMail('same', now + 2000));
    expect(ids(await poll())).toEqual(['same']);
    expect(await poll()).toBeUndefined();
  });
});

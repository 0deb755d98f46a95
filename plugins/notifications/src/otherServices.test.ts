import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { blueskyExecution } from './bluesky/bluesky.ts';
import { lineExecution } from './line/line.ts';
import { messengerExecution, whatsAppExecution, whatsAppWebhook } from './meta/chats.ts';
import { sentryAlert, sentryExecution } from './sentry/sentry.ts';
import { telegramExecution, telegramSend } from './telegram/telegram.ts';
import { failedExecution } from './testing/receiver.ts';
import { runAgainst } from './testing/runAgainst.ts';
import { xExecution } from './x/x.ts';

type Data = Record<string, unknown>;
const link = failedExecution.link!;

describe('Telegram', () => {
  const ok = () => ({ body: { ok: true, result: {} } });
  const login = (url: string) => ({ token: '123:ABC-secret', channel: '@team', endpointOverride: url });

  test('sends the payload as a text', async () => {
    const { received, body } = await runAgainst(
      telegramSend,
      (url) => ({ ...login(url), payload: '<b>hi</b>', parseMode: 'HTML' }),
      { reply: ok },
    );
    expect(received[0]?.path).toBe('/bot123:ABC-secret/sendMessage');
    expect(body).toEqual({ chat_id: '@team', text: '<b>hi</b>', parse_mode: 'HTML' });
  });

  test('writes the report in HTML with everything escaped, within 4,096 characters', async () => {
    const customFields = {
      'A<b': 'x & y',
      ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`n${i}`, '<'.repeat(400)])),
    };
    const { body } = await runAgainst(telegramExecution, (url) => ({ ...login(url), customFields }), {
      reply: ok,
    });
    const text = String(body.text);
    expect(body.parse_mode).toBe('HTML');
    expect(text).toContain(`<b><a href="${link}">[company.team] orders ➛ FAILED</a></b>`);
    expect(text).toContain('Failed on task <code>load</code> after 00:01:05.250');
    expect(text).toContain('<b>A&lt;b:</b> x &amp; y');
    expect(text.length).toBeLessThanOrEqual(4096);
    expect(text.match(/<b>/g)?.length).toBe(text.match(/<\/b>/g)?.length);
  });

  test('writes MarkdownV2 with its signs escaped', async () => {
    const { body } = await runAgainst(
      telegramExecution,
      (url) => ({ ...login(url), parseMode: 'MARKDOWNV2', customFields: { 'a.b': '1-2' } }),
      { reply: ok },
    );
    expect(body.parse_mode).toBe('MarkdownV2');
    expect(body.text).toContain('*[\\[company\\.team\\] orders ➛ FAILED');
    expect(body.text).toContain('*a\\.b:* 1\\-2');
  });

  test('fails when the service says no, without the token', async () => {
    const refused = runAgainst(telegramSend, (url) => ({ ...login(url), payload: 'x' }), {
      reply: () => ({
        status: 400,
        body: { ok: false, description: 'Bad Request: chat not found for bot123:ABC-secret' },
      }),
    });
    const error: Error = await refused.then(
      () => new Error(),
      (failure) => failure,
    );
    expect(error.message).toContain('chat not found');
    expect(error.message).not.toContain('ABC-secret');
  });
});

describe('Sentry', () => {
  const dsn = (url: string) => url.replace('://', '://publickey0123456789@').concat('/prefix/42');

  test('takes an envelope of a header, an item header and the event', async () => {
    const { received } = await runAgainst(sentryExecution, (url) => ({
      dsn: dsn(url),
      level: 'FATAL',
      serverName: 's',
      extra: { a: 1 },
    }));
    const { path, headers, text } = received[0]!;
    expect(path).toBe('/prefix/api/42/envelope/');
    expect(headers['x-sentry-auth']).toContain('sentry_key=publickey0123456789');
    const [head, item, event] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(head.event_id).toMatch(/^[0-9a-f]{32}$/);
    expect(item).toMatchObject({ type: 'event', length: Buffer.byteLength(text.trim().split('\n')[2]!) });
    expect(event).toMatchObject({
      event_id: head.event_id,
      level: 'fatal',
      platform: 'java',
      server_name: 's',
      exception: {
        values: [
          {
            type: 'orders ➛ FAILED',
            value: 'Failed on task `load` after 00:01:05.250',
            module: 'company.team',
          },
        ],
      },
      extra: { Link: link, 'Execution ID': failedExecution.id, a: 1 },
    });
    expect(event).toHaveProperty('timestamp');
  });

  test('takes an event at the older call, and one without a payload', async () => {
    const { received } = await runAgainst(sentryAlert, (url) => ({ dsn: dsn(url), endpointType: 'STORE' }));
    expect(received[0]?.path).toBe('/prefix/api/42/store/');
    expect(received[0]?.body).toMatchObject({
      level: 'error',
      message: { formatted: 'Alert of flow company.team.a_flow' },
    });
  });

  test('refuses a wrong DSN and an event that is too large', async () => {
    await expect(runAgainst(sentryAlert, { dsn: 'https://example.com/x' })).rejects.toThrow(
      '"dsn" must look like',
    );
    const payload = JSON.stringify({ message: 'x'.repeat(1_100_000) });
    await expect(runAgainst(sentryAlert, (url) => ({ dsn: dsn(url), payload }))).rejects.toThrow(
      'at most 1048576 bytes',
    );
  });
});

describe('LINE', () => {
  test('broadcasts once, however often the task is tried', async () => {
    const keys: unknown[] = [];
    const run = () =>
      runAgainst(lineExecution, (url) => ({ url, channelAccessToken: 'line-token-secret' }), {
        reply: ({ headers }) => {
          const isKnown = keys.includes(headers['x-line-retry-key']);
          keys.push(headers['x-line-retry-key']);
          return { status: isKnown ? 409 : 200, body: {} };
        },
      });
    const { body, received } = await run();
    await run();
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(received[0]?.headers.authorization).toBe('Bearer line-token-secret');
    expect(body.messages).toMatchObject([{ type: 'text', text: expect.stringContaining(link) }]);
  });
});

describe('X', () => {
  const created = () => ({ status: 201, body: { data: { id: '1' } } });

  test('posts a report within 280 characters, of which an address counts 23', async () => {
    const { body, received } = await runAgainst(
      xExecution,
      (url) => ({ url, bearerToken: 'b', customMessage: 'm'.repeat(400) }),
      { reply: created },
    );
    expect(received[0]?.headers.authorization).toBe('Bearer b');
    expect(String(body.text).endsWith(`…\n${link}`)).toBe(true);
    expect(String(body.text).replace(link, 'x'.repeat(23)).length).toBeLessThanOrEqual(280);
  });

  test('signs with OAuth 1.0a so that the service can check it', async () => {
    const keys = { consumerKey: 'ck', consumerSecret: 'cs&', accessToken: 'at', accessSecret: 'as' };
    const { received } = await runAgainst(
      xExecution,
      (url) => ({ url: `${url}/2/tweets`, ...keys, textBody: 'hi' }),
      { reply: created },
    );
    const { headers } = received[0]!;
    const pairs = [...String(headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const,
    );
    const { oauth_signature, ...signed } = Object.fromEntries(pairs) as Record<string, string>;
    const parameters = Object.entries(signed)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .sort()
      .join('&');
    const base = [
      'POST',
      encodeURIComponent(`http://${headers.host}/2/tweets`),
      encodeURIComponent(parameters),
    ].join('&');
    expect(oauth_signature).toBe(createHmac('sha1', 'cs%26&as').update(base).digest('base64'));
  });

  test.each([
    [{ bearerToken: 'b', textBody: 'x'.repeat(281) }, 'at most 280 characters, got 281'],
    [{ consumerKey: 'ck' }, 'Either "bearerToken" or all of'],
  ])('refuses %j', async (properties, words) => {
    await expect(runAgainst(xExecution, { url: 'http://127.0.0.1:1', ...properties })).rejects.toThrow(words);
  });
});

test('Bluesky gets a post whose link is marked by its bytes', async () => {
  const { received, body } = await runAgainst(
    blueskyExecution,
    (url) => ({
      baseUrl: url,
      identifier: 'ada.example.com',
      appPassword: 'app-password-secret',
      customMessage: 'ä'.repeat(400),
    }),
    {
      reply: ({ path }) => ({
        body: path.endsWith('createSession') ? { accessJwt: 'jwt', did: 'did:plc:1' } : { uri: 'at://1' },
      }),
    },
  );
  expect(received.map(({ path }) => path)).toEqual([
    '/xrpc/com.atproto.server.createSession',
    '/xrpc/com.atproto.repo.createRecord',
  ]);
  expect(received[1]?.headers.authorization).toBe('Bearer jwt');
  const { text, facets } = body.record as {
    text: string;
    facets: { index: { byteStart: number; byteEnd: number }; features: Data[] }[];
  };
  expect([...text].length).toBeLessThanOrEqual(300);
  const { byteStart, byteEnd } = facets[0]!.index;
  expect(Buffer.from(text).subarray(byteStart, byteEnd).toString()).toBe('View execution');
  expect(facets[0]!.features).toEqual([{ $type: 'app.bsky.richtext.facet#link', uri: link }]);
});

describe('WhatsApp and Messenger', () => {
  test('the Cloud API gets one message per recipient, with the token in a header', async () => {
    const { received } = await runAgainst(
      whatsAppExecution,
      {
        url: 'https://graph.facebook.com/v24.0/1/messages',
        whatsAppIds: ['1', '2'],
        options: { headers: { Authorization: 'Bearer t' } },
      },
      { from: 'https://graph.facebook.com' },
    );
    expect(received.map(({ body }) => body.to)).toEqual(['1', '2']);
    expect(received[0]?.headers.authorization).toBe('Bearer t');
    expect(received[0]?.body).toMatchObject({
      messaging_product: 'whatsapp',
      type: 'text',
      text: { body: expect.stringContaining(link) },
    });
  });

  test('other addresses get contacts and messages, and the payload of the flow as it is', async () => {
    const { body } = await runAgainst(whatsAppExecution, (url) => ({
      url,
      whatsAppIds: ['1'],
      profileName: 'P',
      from: '2',
      messageId: 'm',
    }));
    expect(body).toMatchObject({
      contacts: [{ profile: { name: 'P' }, wa_id: '1' }],
      messages: [{ from: '2', id: 'm', type: 'text' }],
    });
    expect((await runAgainst(whatsAppWebhook, (url) => ({ url, payload: '{"a": 1}' }))).body).toEqual({
      a: 1,
    });
  });

  test('Messenger gets one message per recipient', async () => {
    const { received } = await runAgainst(
      messengerExecution,
      { pageId: '7', accessToken: 'page-token-secret', recipientIds: ['1', '2'], textBody: 'hi' },
      { from: 'https://graph.facebook.com' },
    );
    expect(received.map(({ path, body }) => [path, body])).toEqual(
      ['1', '2'].map((id) => [
        '/v23.0/7/messages',
        { recipient: { id }, messaging_type: 'UPDATE', message: { text: 'hi' } },
      ]),
    );
    expect(received[0]?.query.get('access_token')).toBe('page-token-secret');
  });
});

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Reply, refusal, serviceAccount, startGoogle } from '../testing/fakeGoogle.ts';
import { openGoogle } from './client.ts';
import { fetchToken } from './credentials.ts';

const url = 'https://service.googleapis.com/v1/things';
const login = { serviceAccount, scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

/** A service that returns these replies in order, then an empty map. */
async function replying(...replies: readonly Reply[]) {
  const left = [...replies];
  const fake = await startGoogle(() => left.shift() ?? { body: {} });
  return { ...fake, google: openGoogle(fake.context, login) };
}

const now = { 'retry-after': '0' };

test('a limit of requests is waited for, and 503 too, even for a POST', async () => {
  const { google, received } = await replying(
    { ...refusal(429, 'Slow down', 'rateLimitExceeded'), headers: now },
    { ...refusal(503, 'Try later'), headers: now },
    { ...refusal(403, 'Rate Limit Exceeded', 'userRateLimitExceeded'), headers: now },
    { body: { ok: true } },
  );
  expect(await google.post(url, { a: 1 })).toEqual({ ok: true });
  expect(received).toHaveLength(4);
  expect(received[3]?.json).toEqual({ a: 1 });
});

test('a server error is repeated only when that does no harm', async () => {
  const broken = { ...refusal(500, 'Oops'), headers: now };
  const { google, received } = await replying(broken, broken);
  await expect(google.post(url, {})).rejects.toThrow(
    'POST service.googleapis.com/v1/things failed with HTTP 500: Oops.',
  );
  expect(await google.get(url)).toEqual({});
  expect(received).toHaveLength(3);
});

test('the message of Google and its reason are kept, with advice', async () => {
  const { google } = await replying({
    status: 403,
    body: {
      error: {
        code: 403,
        message: 'The caller does not have permission',
        status: 'PERMISSION_DENIED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' }],
      },
    },
  });
  await expect(google.get(url)).rejects.toMatchObject({
    message:
      'GET service.googleapis.com/v1/things failed with HTTP 403 (SERVICE_DISABLED): The caller does not have permission. Check the roles of the account and that the API is enabled.',
    status: 403,
    reason: 'SERVICE_DISABLED',
    retry: false,
  });
});

test('pages are followed to the end', async () => {
  const { google, received } = await replying(
    { body: { things: [{ n: 1 }], nextPageToken: 'b' } },
    { body: { things: [], nextPageToken: 'c' } },
    { body: { things: [{ n: 2 }] } },
  );
  const found = [];
  for await (const each of google.list({ url, query: { filter: 'a b', tags: ['x', 'y'] } }, 'things'))
    found.push(each.n);
  expect(found).toEqual([1, 2]);
  expect(received.map(({ query }) => query.get('pageToken'))).toEqual([null, 'b', 'c']);
  expect(received[2]?.query.getAll('tags')).toEqual(['x', 'y']);
});

test('a token that Google no longer takes is fetched again, once', async () => {
  const expired = refusal(401, 'Invalid Credentials', 'authError');
  const { google, received } = await replying(expired);
  expect(await google.get(url)).toEqual({});
  expect(received).toHaveLength(2);
  const { google: other } = await replying(expired, expired);
  await expect(other.get(url)).rejects.toThrow('Check "serviceAccount".');
});

test('a killed task stops waiting', async () => {
  const fake = await startGoogle(() => 'silence');
  const google = openGoogle(fake.context, login);
  const call = google.get(url);
  await expect.poll(() => fake.received.length).toBe(1);
  fake.context.kill();
  await expect(call).rejects.toThrow(/abort/i);
});

test('a key that is none is refused without showing it', async () => {
  const { context } = await replying();
  await expect(fetchToken(context, { ...login, serviceAccount: 'secret-text' })).rejects.toThrow(
    '"serviceAccount" is not JSON. It must be the whole key file of a service account.',
  );
  const other = JSON.stringify({ type: 'external_account' });
  await expect(fetchToken(context, { ...login, serviceAccount: other })).rejects.toThrow(
    'got type "external_account"',
  );
  const broken = JSON.stringify({ ...JSON.parse(serviceAccount), private_key: 'no key' });
  await expect(fetchToken(context, { ...login, serviceAccount: broken })).rejects.toThrow(
    '"private_key" of the service account cannot be read',
  );
});

test('the private key and the token are covered in logs', async () => {
  const { context } = await replying();
  const { value } = await fetchToken(context, login);
  const { private_key: key } = JSON.parse(serviceAccount);
  await context.log('INFO', `${value} ${key}`);
  expect(context.logs.at(-1)?.message).not.toContain(value);
  expect(context.logs.at(-1)?.message).not.toContain(key.split('\n')[1]);
});

test('another service account is impersonated', async () => {
  const { context, received } = await startGoogle(() => ({
    body: {
      accessToken: 'ya29.test-token.other',
      expireTime: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }));
  const email = 'other@my-project.iam.gserviceaccount.com';
  const { value } = await fetchToken(context, { ...login, impersonatedServiceAccount: email });
  expect(value).toBe('ya29.test-token.other');
  expect(received[0]).toMatchObject({
    host: 'iamcredentials.googleapis.com',
    path: `/v1/projects/-/serviceAccounts/${encodeURIComponent(email)}:generateAccessToken`,
    json: { scope: login.scopes, lifetime: '3600s' },
  });
});

test('without a key the file of the environment is used, and a user of gcloud works too', async () => {
  const { context } = await replying();
  const path = join(await context.workingDirectory(), 'key.json');
  const before = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  onTestFinished(() => {
    if (before === undefined) delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
    else process.env.GOOGLE_APPLICATION_CREDENTIALS = before;
  });
  process.env.GOOGLE_APPLICATION_CREDENTIALS = path;
  await writeFile(
    path,
    JSON.stringify({
      type: 'authorized_user',
      client_id: 'id',
      client_secret: 'client-secret',
      refresh_token: 'refresh',
    }),
  );
  expect(await readFile(path, 'utf8')).toContain('authorized_user');
  const { value } = await fetchToken(context, { scopes: login.scopes });
  expect(value).toBe('ya29.test-token.user');
  await rm(path);
  await expect(fetchToken(context, { scopes: login.scopes })).rejects.toThrow(
    'GOOGLE_APPLICATION_CREDENTIALS cannot be read',
  );
});

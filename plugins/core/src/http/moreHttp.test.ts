import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundClient, readSse } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { answerDigest } from './digest.ts';
import { request } from './request.ts';
import { sseRequest } from './sseRequest.ts';

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function aHttpContext() {
  const client = createOutboundClient();
  onTestFinished(() => client.close());
  return aTaskContext({ fetch: (sent) => client.send(sent) });
}

test('a Digest login, as in RFC 7616', () => {
  const challenge =
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const login = { username: 'Mufasa', password: 'Circle of Life' };
  const sent = { method: 'GET', url: 'http://www.example.org/dir/index.html' };
  const nonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  expect(answerDigest([challenge], login, sent, nonce)).toContain(
    'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  );
  const md5 = challenge.replace('SHA-256', 'MD5');
  expect(answerDigest([md5], login, sent, nonce)).toContain('response="8ca523f5e9506fed4657c9700eebdbec"');
  expect(answerDigest(['Basic realm="x"'], login, sent)).toBeUndefined();
});

test('[A31] a Digest login is answered where it was asked for, and never sent before', async () => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const seen: (string | undefined)[] = [];
  const uri = await listen((incoming, reply) => {
    const { authorization } = incoming.headers;
    seen.push(authorization);
    const cnonce = /cnonce="([^"]*)"/.exec(authorization ?? '')?.[1];
    const right = md5(`${md5('u:r:p')}:n:00000001:${cnonce}:auth:${md5('POST:/x?a=1')}`);
    if (authorization?.includes(`response="${right}"`)) return reply.end('in');
    reply.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' }).end('out');
  });
  const options = { auth: { type: 'DIGEST', username: 'u', password: 'p' } };
  const properties = { uri: `${uri}/x?a=1`, method: 'POST', body: 'b', options };
  expect(await runType(request, properties, aHttpContext())).toMatchObject({ code: 200, body: 'in' });
  expect(seen[0]).toBeUndefined();
  expect(seen).toHaveLength(2);
});

test('a body can be stored encrypted, and is not said in the log then', async () => {
  const uri = await listen((_, reply) => reply.end('the secret answer'));
  const context = aHttpContext();
  const outputs = await runType(
    request,
    { uri, encryptBody: true, options: { logs: ['RESPONSE_BODY'] } },
    context,
  );
  expect(outputs).toMatchObject({ body: null, encryptedBody: { value: expect.any(String) } });
  expect(JSON.stringify([outputs, context.logs])).not.toContain('secret answer');
});

test.each([
  ['a\r\nb', 'x'],
  ['x', 'a\nb'],
])('[A31] a header %j: %j that would begin another line is refused', async (name, value) => {
  const uri = await listen((_, reply) => reply.end('no'));
  await expect(runType(request, { uri, headers: { [name]: value } }, aHttpContext())).rejects.toThrow(
    /[Ii]nvalid|must be a valid/,
  );
});

test('[A31] an address cannot smuggle a second request', async () => {
  const seen: string[] = [];
  const uri = await listen((incoming, reply) => {
    seen.push(incoming.url ?? '');
    reply.end('ok');
  });
  await runType(
    request,
    { uri: `${uri}/a\r\nHost: evil\r\n\r\nGET /b`, options: { allowFailed: true } },
    aHttpContext(),
  );
  expect(seen).toHaveLength(1);
  expect(seen[0]).not.toMatch(/[\r\n]/);
});

const stream = [
  ': a comment\n\n',
  'id: 1\ndata: {"choices": [{"text": "Hel"}]}\n\n',
  'event: delta\r\ndata: {"choices":\r\ndata: [{"text": "lo"}]}\r\n\r\n',
  'data: [DONE]\n\n',
  'data: cut off',
];

test.each([1, 3, 1000])('server-sent events, in pieces of %d bytes', async (size) => {
  const bytes = Buffer.from(stream.join(''));
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events = [];
  for await (const event of readSse(pieces(), 1000)) events.push(event);
  expect(events).toEqual([
    { id: '1', event: 'message', data: '{"choices": [{"text": "Hel"}]}' },
    { event: 'delta', data: '{"choices":\n[{"text": "lo"}]}' },
    { event: 'message', data: '[DONE]' },
  ]);
});

test('http.SseRequest keeps all events and puts a part of each together', async () => {
  const uri = await listen((_, reply) => reply.end(stream.join('')));
  const context = aHttpContext();
  const outputs = await runType(sseRequest, { uri, concatJqExpression: '.choices[0].text' }, context);
  expect(outputs).toMatchObject({ size: 3, result: 'Hello' });
  expect((await context.files.text(String(outputs.uri))).trim().split('\n')).toHaveLength(3);
  await expect(runType(sseRequest, { uri, concatJqExpression: '.nothing' }, aHttpContext())).rejects.toThrow(
    'nothing at ".nothing"',
  );
});

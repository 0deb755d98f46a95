import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { OutboundRequest, OutboundResponse } from '../context.ts';
import { createOutboundClient } from './send.ts';

async function listen(handler: RequestListener, prepare?: (server: Server) => void): Promise<string> {
  const server = createServer(handler);
  prepare?.(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function aClient(policy = {}) {
  const client = createOutboundClient(policy);
  onTestFinished(() => client.close());
  return client;
}

async function text({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const get = async (request: OutboundRequest, policy = {}) => text(await aClient(policy).send(request));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('sends method, headers and body and reads status, headers and body', async () => {
  const base = await listen(async (request, response) => {
    response.writeHead(201, { 'x-many': ['a', 'b'] });
    response.end(`${request.method} ${request.headers['x-mine']} ${await bodyOf(request)}`);
  });
  const response = await aClient().send({
    url: `${base}/a`,
    method: 'PUT',
    headers: { 'X-Mine': 'yes' },
    body: 'hello',
  });
  expect(response).toMatchObject({ status: 201, url: `${base}/a`, headers: { 'x-many': ['a', 'b'] } });
  expect(await text(response)).toBe('PUT yes hello');
});

test('decompresses', async () => {
  const base = await listen((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('small')),
  );
  expect(await get({ url: base })).toBe('small');
  const stored = await aClient().send({ url: base, decompress: false });
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored.body) chunks.push(chunk);
  expect(Buffer.concat(chunks)).toEqual(gzipSync('small'));
});

test('follows redirects, turning POST into GET without its body', async () => {
  const base = await listen(async (request, response) => {
    if (request.url === '/first') response.writeHead(302, { location: '/second' }).end();
    else
      response.end(
        `${request.method} ${request.url} ${request.headers['content-type'] ?? '-'} ${await bodyOf(request)}`,
      );
  });
  const request = {
    url: `${base}/first`,
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  };
  expect(await get(request)).toBe('GET /second - ');
});

test('keeps method and body on 307, and stays when told to', async () => {
  const base = await listen(async (request, response) => {
    if (request.url === '/first') response.writeHead(307, { location: '/second' }).end();
    else response.end(`${request.method} ${await bodyOf(request)}`);
  });
  expect(await get({ url: `${base}/first`, method: 'POST', body: 'x' })).toBe('POST x');
  expect(await aClient().send({ url: `${base}/first`, followRedirects: false })).toMatchObject({
    status: 307,
  });
});

test('[A31] credentials do not follow a redirect to another place', async () => {
  const other = await listen((request, response) => response.end(JSON.stringify(request.headers)));
  const base = await listen((_, response) => response.writeHead(302, { location: `${other}/` }).end());
  const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-other': 'kept' };
  const seen = JSON.parse(await get({ url: base, headers }));
  expect(seen).toMatchObject({ 'x-other': 'kept' });
  expect(seen).not.toHaveProperty('authorization');
  expect(seen).not.toHaveProperty('cookie');
});

test('a circle of redirects ends', async () => {
  const base = await listen((_, response) => response.writeHead(302, { location: '/' }).end());
  await expect(get({ url: base })).rejects.toThrow('redirects more than 20 times');
});

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
])('[A30] %s is refused before anything is sent', async (url) => {
  await expect(get({ url })).rejects.toThrow('not allowed by the outbound policy');
});

test.each(['file:///etc/passwd', 'gopher://localhost/', 'ftp://localhost/', 'unix:/var/run/docker.sock'])(
  '%s is refused',
  async (url) => {
    await expect(get({ url })).rejects.toThrow('must begin with http:// or https://');
  },
);

test('[A30] a redirect to a refused address is refused', async () => {
  const base = await listen((_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  );
  await expect(get({ url: base })).rejects.toThrow('not allowed by the outbound policy');
});

test('[A30] a name that leads to a refused address is refused', async () => {
  const base = await listen((_, response) => response.end('inside'));
  const url = base.replace('127.0.0.1', 'localhost');
  await expect(get({ url }, { denyPrivate: true })).rejects.toThrow(/localhost leads to (127\.0\.0\.1|::1)/);
});

test.each([{ 'x-a': 'b\r\nx-injected: 1' }, { 'x-a\r\nx-b': 'c' }])(
  '[A31] a header cannot smuggle another: %j',
  async (headers) => {
    const base = await listen((_, response) => response.end());
    await expect(get({ url: base, headers })).rejects.toThrow(/valid/i);
  },
);

test('a body that stops half way ends with the reason, and the connection is closed', async () => {
  let isClosed = false;
  const base = await listen((_, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.write('half');
  });
  await expect(get({ url: base, bodyIdleTimeoutMs: 50 })).rejects.toThrow(
    `${base} did not continue its answer in time`,
  );
  await expect.poll(() => isClosed).toBe(true);
});

test('an answer that does not come in time ends the request', async () => {
  const base = await listen(() => {});
  await expect(get({ url: base, readIdleTimeoutMs: 50 })).rejects.toThrow('did not answer in time');
});

test('a killed task ends its request', async () => {
  const abort = new AbortController();
  const base = await listen(() => abort.abort());
  await expect(get({ url: base, signal: abort.signal })).rejects.toThrow('aborted');
});

test('goes through a proxy, with its login', async () => {
  const base = await listen((_, response) => response.end('behind the proxy'));
  const asked: string[] = [];
  const proxy = await listen(
    () => {},
    (server) =>
      server.on('connect', (request: IncomingMessage, client: Socket) => {
        asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
        const [host, port] = (request.url ?? '').split(':');
        const target = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
        target.pipe(client).pipe(target);
        target.on('error', () => client.destroy());
        client.on('error', () => target.destroy());
      }),
  );
  const { hostname, port } = new URL(proxy);
  const through = { host: hostname, port: Number(port), username: 'u', password: 'p' };
  expect(await get({ url: base, proxy: through })).toBe('behind the proxy');
  expect(asked).toEqual([`${new URL(base).host} Basic dTpw`]);
  await expect(get({ url: 'http://169.254.169.254/', proxy: through })).rejects.toThrow('not allowed');
});

test('aborting while the last chunk is processed does not end the process', async () => {
  const base = await listen((_, response) => response.end('all of it'));
  const abort = new AbortController();
  const failures: unknown[] = [];
  const listener = (error: unknown) => void failures.push(error);
  process.on('uncaughtExceptionMonitor', listener);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', listener));
  const { body } = await aClient().send({ url: base, signal: abort.signal });
  const reading = (async () => {
    for await (const _ of body) {
      abort.abort();
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await reading.catch(() => {});
  expect(failures).toEqual([]);
});

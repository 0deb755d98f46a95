import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { OutboundProxy } from '../context.ts';
import { createOutboundClient } from './send.ts';

/** A SOCKS 5 proxy that records its requests. With a login, it requires that login. */
async function aProxy(login?: { username: string; password: string }) {
  const asked: string[] = [];
  const server = createServer((socket) => {
    serve(socket, asked, login).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { asked, host: '127.0.0.1', port: (server.address() as AddressInfo).port, type: 'SOCKS' as const };
}

async function serve(socket: Socket, asked: string[], login?: { username: string; password: string }) {
  const read = async (count: number): Promise<Buffer> => {
    for (;;) {
      const bytes: Buffer | null = socket.read(count);
      if (bytes) return bytes;
      await new Promise((resolve) => socket.once('readable', resolve));
    }
  };
  const [, methods = 0] = await read(2);
  await read(methods);
  socket.write(Uint8Array.of(5, login ? 2 : 0));
  if (login) {
    const [, nameLength = 0] = await read(2);
    const name = (await read(nameLength)).toString();
    const [wordLength = 0] = await read(1);
    const word = (await read(wordLength)).toString();
    const isRight = name === login.username && word === login.password;
    socket.write(Uint8Array.of(1, isRight ? 0 : 1));
    if (!isRight) return socket.end();
  }
  const [, , , kind] = await read(4);
  const host = kind === 1 ? (await read(4)).join('.') : `[${(await read(16)).toString('hex')}]`;
  const port = (await read(2)).readUInt16BE();
  asked.push(`${host}:${port}`);
  const upstream = connect(port, kind === 1 ? host : '::1');
  upstream.once('connect', () => {
    socket.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    socket.pipe(upstream).pipe(socket);
  });
  upstream.once('error', () => socket.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0)));
}

async function aSite() {
  const site = createHttp((_, reply) => reply.end('hello'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  return (site.address() as AddressInfo).port;
}

async function get(url: string, proxy: OutboundProxy, policy = {}): Promise<string> {
  const client = createOutboundClient(policy);
  onTestFinished(() => client.close());
  const { body } = await client.send({ url, proxy });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('goes through a SOCKS proxy, which is asked for the address that was checked', async () => {
  const proxy = await aProxy();
  const port = await aSite();
  expect(await get(`http://localhost:${port}/`, proxy, {})).toBe('hello');
  expect(proxy.asked.every((one) => /^(127\.0\.0\.1|\[0{31}1\])/.test(one))).toBe(true);
});

test('logs in when there is a login, and says so when it is refused', async () => {
  const login = { username: 'u', password: 'p' };
  const proxy = await aProxy(login);
  const port = await aSite();
  expect(await get(`http://127.0.0.1:${port}/`, { ...proxy, ...login })).toBe('hello');
  await expect(get(`http://127.0.0.1:${port}/`, { ...proxy, ...login, password: 'x' })).rejects.toThrow(
    'refused the login',
  );
  await expect(get(`http://127.0.0.1:${port}/`, proxy)).rejects.toThrow('another login');
});

test('[A30] the policy holds behind a proxy, for the proxy itself, and for every notation', async () => {
  const proxy = await aProxy();
  const refused = 'not allowed by the outbound policy';
  for (const url of [
    'http://169.254.169.254/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
  ]) {
    await expect(get(url, proxy)).rejects.toThrow(refused);
  }
  await expect(get('http://localhost/', proxy, { denyPrivate: true })).rejects.toThrow(refused);
  const inside = { ...proxy, host: '169.254.169.254' };
  await expect(get('http://example.com/', inside)).rejects.toThrow(refused);
  expect(proxy.asked).toEqual([]);
});

test('what the proxy cannot reach is said', async () => {
  const proxy = await aProxy();
  await expect(get('http://127.0.0.1:1/', proxy)).rejects.toThrow('the connection was refused');
});

import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createOutboundClient } from './send.ts';

async function anEchoServer(): Promise<number> {
  const server = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // `as`: a server that listens on a port has such an address.
  return (server.address() as AddressInfo).port;
}

function aClient(policy = {}) {
  const client = createOutboundClient(policy);
  onTestFinished(() => client.close());
  return client;
}

test('opens a connection that a client library can use', async () => {
  const socket = await aClient().connect({ host: 'localhost', port: await anEchoServer() });
  const echoed = new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));
  socket.write('hello');
  expect(await echoed).toBe('hello');
  socket.destroy();
});

test.each(['127.0.0.1', 'localhost'])('refuses %s when private networks are denied', async (host) => {
  const client = aClient({ denyPrivate: true });
  await expect(client.connect({ host, port: await anEchoServer() })).rejects.toThrow(
    'not allowed by the outbound policy',
  );
});

test('refuses a host name that is denied', async () => {
  await expect(
    aClient({ deny: ['*.internal'] }).connect({ host: 'db.internal', port: 5432 }),
  ).rejects.toThrow('The host db.internal is not allowed');
});

test('names host and port when nothing listens there', async () => {
  const port = await anEchoServer();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: closed } = server.address() as AddressInfo; // As above.
  await new Promise((resolve) => server.close(resolve));
  expect(closed).not.toBe(port);
  for (const host of ['127.0.0.1', 'localhost'])
    await expect(aClient().connect({ host, port: closed })).rejects.toThrow(
      `The connection to ${host}:${closed} was refused (ECONNREFUSED).`,
    );
  await expect(aClient().send({ url: `http://localhost:${closed}/` })).rejects.toThrow(
    `The connection to localhost:${closed} was refused (ECONNREFUSED).`,
  );
});

test('names a host that does not exist', async () => {
  const host = 'no-such-host.invalid';
  const message = /^The host "no-such-host.invalid" (was not found|could not be looked up) \(E/;
  await expect(aClient().connect({ host, port: 5432 })).rejects.toThrow(message);
  await expect(aClient().send({ url: `https://${host}` })).rejects.toThrow(message);
});

test('stops connecting when the task is canceled', async () => {
  const signal = AbortSignal.abort();
  await expect(aClient().connect({ host: '127.0.0.1', port: await anEchoServer(), signal })).rejects.toThrow(
    'was canceled',
  );
});

test('closes a connection that its client leaves open when the task is killed', async () => {
  const killed = new AbortController();
  const request = { host: '127.0.0.1', port: await anEchoServer(), signal: killed.signal };
  const socket = await aClient().connect(request);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  killed.abort();
  expect(socket.destroyed).toBe(false);
  await closed;
});

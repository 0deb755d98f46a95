import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openRelay } from './relay.ts';

async function anEchoServer() {
  const server = createServer((socket) => void socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // a server that listens on a port has such an address
}

test('a relay leads to its target and back, and closes with its connections', async () => {
  const port = await anEchoServer();
  const asked: unknown[] = [];
  const relay = await openRelay(
    {
      connect: async (request) => {
        asked.push(request);
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      },
    },
    { host: 'far.example', port: 22 },
  );
  const client = connect(relay.port, relay.host);
  client.write('hello');
  const [chunk] = await once(client, 'data');
  expect(String(chunk)).toBe('hello');
  expect(asked).toEqual([{ host: 'far.example', port: 22 }]);
  const closed = once(client, 'close');
  await relay.close();
  await closed;
});

test('a refused connection is closed and its reason is kept', async () => {
  const relay = await openRelay(
    { connect: () => Promise.reject(new Error('not allowed')) },
    { host: 'far.example', port: 22 },
  );
  onTestFinished(() => relay.close());
  const client = connect(relay.port, relay.host);
  client.on('error', () => {});
  await once(client, 'close');
  expect(relay.failure()?.message).toBe('not allowed');
});

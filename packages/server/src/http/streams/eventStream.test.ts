import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStream } from '../../testing/readStream.ts';
import { type EventStream, openEventStream } from './eventStream.ts';

/** A server whose only route is an event stream, handed to the test when someone follows it. */
async function aStreamServer() {
  const app = fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  let opened: (stream: EventStream) => void = () => {};
  const stream = new Promise<EventStream>((resolve) => {
    opened = resolve;
  });
  app.get('/', (_request, reply) => opened(openEventStream(reply.header('x-kept', 'yes'))));
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), stream };
}

describe('openEventStream', () => {
  it('writes frames whose id is the name of the event', async () => {
    const { origin, stream } = await aStreamServer();
    const reading = readStream(origin);
    const sending = await stream;
    sending.send('start', { a: 'one\ntwo' });
    sending.send('end', {});
    sending.end();
    const follower = await reading;
    expect(follower.headers.get('x-kept')).toBe('yes');
    expect(follower.headers.get('cache-control')).toContain('no-cache');
    expect(await follower.all()).toEqual([
      { id: 'start', data: { a: 'one\ntwo' } },
      { id: 'end', data: {} },
    ]);
  });

  it('drops a follower that does not read (abuse case 19)', async () => {
    const { origin, stream } = await aStreamServer();
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const sending = await stream;
    const closed = new Promise<void>((resolve) => sending.onClose(resolve));
    const frame = 'x'.repeat(64 * 1_024);
    for (let sent = 0; sending.isOpen && sent < 2_000; sent++) {
      sending.send('progress', frame);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(sending.isOpen).toBe(false);
    socket.destroy();
  });

  it('notices a follower that leaves', async () => {
    const { origin, stream } = await aStreamServer();
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const sending = await stream;
    sending.send('start', {});
    await once(socket, 'data');
    const closed = new Promise<void>((resolve) => sending.onClose(resolve));
    socket.destroy();
    await closed;
    expect(() => sending.send('progress', {})).not.toThrow();
  });
});

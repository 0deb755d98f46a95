import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStream } from '../../testing/readStream.ts';
import { type EventStream, followersOn, openEventStream } from './eventStream.ts';

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

  it('[A19] drops a follower that does not read', async () => {
    const { origin, stream } = await aStreamServer();
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const sending = await stream;
    const closed = new Promise<void>((resolve) => sending.onClose(resolve));
    const frame = { text: 'x'.repeat(64 * 1_024) };
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

  it('sends a large frame to a follower that reads', async () => {
    const { origin, stream } = await aStreamServer();
    const reading = readStream(origin);
    const sending = await stream;
    const text = 'x'.repeat(3_000_000);
    sending.send('progress', { text });
    sending.end();
    expect((await (await reading).all())[0]?.data).toEqual({ text });
  });

  it('[A19] many followers cost a bounded amount: too many are refused, those who do not read are dropped', async () => {
    const limits = { streams: 20, unreadBytes: 65_536, totalUnreadBytes: 524_288 };
    const app = fastify({ forceCloseConnections: true });
    onTestFinished(() => app.close());
    const streams: EventStream[] = [];
    app.setErrorHandler((_error, _request, reply) => reply.code(503).send());
    app.get('/', (_request, reply) => {
      const stream = openEventStream(reply, limits);
      stream.send('start', {});
      streams.push(stream);
    });
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const reader = await readStream(origin);
    await reader.take(1);
    const silent = Array.from({ length: 19 }, () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.pause();
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return socket;
    });
    onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
    await expect.poll(() => followersOn(app).count).toBe(20);
    expect((await fetch(origin)).status).toBe(503);
    const frame = { text: 'x'.repeat(32_768) };
    let [sent, most] = [0, 0];
    const received = (async () => {
      let count = 0;
      for (let next = await reader.take(1); next[0]?.id === 'progress'; next = await reader.take(1)) count++;
      return count;
    })();
    while (followersOn(app).count > 1 && sent < 3_000) {
      for (const stream of streams) stream.send('progress', frame);
      sent++;
      await streams[0]?.whenRead();
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, followersOn(app).unreadBytes);
    }
    streams[0]?.send('end', {});
    expect(followersOn(app).count).toBe(1);
    expect(await received).toBe(sent);
    // The limit, and one frame for each of them.
    expect(most).toBeLessThan(limits.totalUnreadBytes + 20 * 33_000);
    await reader.close();
    await expect.poll(() => followersOn(app)).toEqual({ count: 0, unreadBytes: 0 });
  });
});

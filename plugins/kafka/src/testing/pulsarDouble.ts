import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

interface Stored {
  readonly id: string;
  readonly frame: Readonly<Record<string, unknown>>;
}

/** The WebSocket API of Pulsar, with topics and subscriptions in memory. */
export async function startPulsarDouble(token: string) {
  const topics = new Map<string, Stored[]>();
  /** The ids that a subscription has acknowledged. */
  const acknowledged = new Map<string, Set<string>>();
  const requests: string[] = [];
  const listeners = new Set<() => void>();
  const messagesOf = (topic: string) => {
    const known = topics.get(topic) ?? [];
    topics.set(topic, known);
    return known;
  };

  const produce = (socket: WebSocket, topic: string) =>
    socket.on('message', (data) => {
      const { context, payload, key, properties = {}, ...rest } = JSON.parse(String(data));
      if (payload === Buffer.from('too large').toString('base64'))
        return socket.send(
          JSON.stringify({ result: 'send-error:1', errorMsg: 'Message size is bigger', context }),
        );
      const id = Buffer.from(`${topic}:${messagesOf(topic).length}`).toString('base64');
      const publishTime = rest.eventTime === 1 ? '2020-01-01T00:00:00Z' : new Date().toISOString();
      messagesOf(topic).push({
        id,
        frame: { messageId: id, payload, key, properties, publishTime, ...rest },
      });
      socket.send(JSON.stringify({ result: 'ok', messageId: id, context }));
      for (const wake of listeners) wake();
    });

  const deliver = (socket: WebSocket, topic: string, done: Set<string>, limit: number) => {
    const sent = new Set<string>();
    let open = 0;
    const push = () => {
      for (const { id, frame } of messagesOf(topic)) {
        if (open >= limit || done.has(id) || sent.has(id)) continue;
        sent.add(id);
        open++;
        socket.send(JSON.stringify(frame));
      }
    };
    socket.on('message', (data) => {
      done.add(JSON.parse(String(data)).messageId);
      open--;
      push();
    });
    listeners.add(push);
    socket.on('close', () => listeners.delete(push));
    push();
  };

  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (request, raw, head) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    requests.push(`${url.pathname}${url.search}`);
    if (request.headers.authorization !== `Bearer ${token}`)
      return raw.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    const [, , , role, ...place] = url.pathname.split('/');
    const topic = place.slice(0, 4).join('/');
    sockets.handleUpgrade(request, raw, head, (socket) => {
      if (role === 'producer') return produce(socket, topic);
      const subscription = `${topic}/${place[4]}`;
      const done = role === 'reader' ? new Set<string>() : (acknowledged.get(subscription) ?? new Set());
      if (role !== 'reader') acknowledged.set(subscription, done);
      deliver(socket, topic, done, Number(url.searchParams.get('receiverQueueSize') ?? 1_000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    uri: `ws://127.0.0.1:${port}`,
    requests,
    acknowledged,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

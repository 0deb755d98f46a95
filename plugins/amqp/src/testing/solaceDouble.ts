import type { AddressInfo } from 'node:net';
import rhea, { type EventContext, type Message, type Sender } from 'rhea';

/** An AMQP 1.0 broker as Solace is one: a topic with a queue that is subscribed to it, and users of a VPN. */
export async function startSolaceDouble() {
  const waiting: Message[] = [];
  const unsettled = new Map<unknown, Message>();
  const senders = new Set<Sender>();
  const users: string[] = [];
  const container = rhea.create_container({ id: 'solace' });
  // `as`: the declared types lack the server's mechanisms.
  (
    container as unknown as {
      sasl_server_mechanisms: { enable_plain(check: (user: string, password: string) => boolean): void };
    }
  ).sasl_server_mechanisms.enable_plain((user, password) => {
    users.push(user);
    return password === 'correct';
  });
  const deliver = () => {
    for (const sender of senders)
      for (let next = sender.sendable() ? waiting.shift() : undefined; next; ) {
        unsettled.set(sender.send(next).id, next);
        next = sender.sendable() ? waiting.shift() : undefined;
      }
  };
  container.on('sender_open', ({ sender }: EventContext) => {
    if (!sender) return;
    if (sender.source?.address === 'queue://orders') senders.add(sender);
    else sender.close({ condition: 'amqp:not-found', description: 'Unknown queue' });
  });
  container.on('receiver_open', ({ receiver }: EventContext) => {
    if (receiver?.target?.address !== 'topic://shop/orders')
      receiver?.close({ condition: 'amqp:not-found', description: 'Unknown topic' });
  });
  container.on('message', ({ message }: EventContext) => {
    if (message) waiting.push(message);
  });
  container.on('accepted', ({ delivery }: EventContext) => void unsettled.delete(delivery?.id));
  // Messages that were not accepted go back to the queue when their connection ends.
  const takeBack = () => {
    senders.clear();
    waiting.unshift(...unsettled.values());
    unsettled.clear();
  };
  container.on('connection_close', takeBack);
  container.on('disconnected', takeBack);
  container.on('sendable', () => void setImmediate(deliver));
  const server = container.listen({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    waiting,
    users,
    connection: { host: `amqp://127.0.0.1:${port}`, vpn: 'shop', username: 'ada', password: 'correct' },
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

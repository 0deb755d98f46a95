import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import rhea, { type EventContext, type Message, type Sender } from 'rhea';

interface StoredEvent {
  readonly message: Message;
  readonly sequenceNumber: number;
  readonly partitionKey: string | undefined;
}

const keyName = 'all';
const key = 'a-key';

/** An AMQP 1.0 broker that behaves as Event Hubs does: tokens, partitions, filters and batches. */
export async function startHubBroker(name: string, partitionCount: number) {
  const partitions: StoredEvent[][] = Array.from({ length: partitionCount }, () => []);
  const replies = new Map<string, Sender>();
  const readers = new Set<{ sender: Sender; partition: number; next: number }>();
  const positions: string[] = [];
  let isAuthorized = false;
  let batches = 0;

  const container = rhea.create_container({ id: 'broker' });
  // `as`: the declared types lack the server's mechanisms.
  (
    container as unknown as { sasl_server_mechanisms: { enable_anonymous(): void } }
  ).sasl_server_mechanisms.enable_anonymous();

  const deliver = () => {
    for (const reader of readers) {
      const { sender, partition } = reader;
      for (
        let event = partitions[partition]?.[reader.next];
        event && sender.sendable();
        event = partitions[partition]?.[reader.next]
      ) {
        reader.next++;
        sender.send({
          ...event.message,
          message_annotations: {
            'x-opt-offset': String(event.sequenceNumber * 100),
            'x-opt-sequence-number': rhea.types.wrap_long(event.sequenceNumber),
            'x-opt-enqueued-time': rhea.types.wrap_timestamp(1_700_000_000_000 + event.sequenceNumber),
            ...(event.partitionKey !== undefined && { 'x-opt-partition-key': event.partitionKey }),
          },
        });
      }
    }
  };

  container.on('sender_open', ({ sender }: EventContext) => {
    if (!sender) return;
    const source = String(sender.source?.address);
    const found = /^(.*)\/ConsumerGroups\/(.*)\/Partitions\/(\d+)$/.exec(source);
    if (!found) {
      replies.set(String(sender.target?.address), sender);
      return;
    }
    if (!isAuthorized)
      return sender.close({ condition: 'amqp:unauthorized-access', description: 'No token.' });
    // `as`: a described value of AMQP.
    const filters = sender.source?.filter as unknown as Record<string, { value?: unknown }> | undefined;
    const filter = filters?.['apache.org:selector-filter:string'];
    const position = String(filter?.value ?? filter);
    positions.push(position);
    const after = /x-opt-offset > '(.*)'/.exec(position)?.[1] ?? '-1';
    const stored = partitions[Number(found[3])] ?? [];
    const next =
      after === '@latest'
        ? stored.length
        : stored.filter((each) => each.sequenceNumber * 100 <= Number(after)).length;
    readers.add({ sender, partition: Number(found[3]), next });
  });
  container.on('sender_close', ({ sender }: EventContext) => {
    for (const reader of readers) if (reader.sender === sender) readers.delete(reader);
  });
  container.on('disconnected', ({ connection }: EventContext) => {
    for (const reader of readers) if (reader.sender.connection === connection) readers.delete(reader);
  });
  // The response to the attach must be on its way first.
  container.on('sendable', () => void setImmediate(deliver));
  container.on('message', ({ message, receiver, delivery }: EventContext) => {
    if (!message || !receiver) return;
    const reply = (status: number, body: unknown, description = 'OK') =>
      replies.get(String(message.reply_to))?.send({
        correlation_id: message.message_id,
        application_properties: { 'status-code': status, 'status-description': description },
        body,
      } as Message);
    const target = String(receiver.target?.address);
    if (target === '$cbs') {
      isAuthorized = isToken(String(message.body), message.application_properties ?? {});
      return void (isAuthorized ? reply(202, '') : reply(401, '', 'InvalidSignature: the token is wrong.'));
    }
    if (target === '$management') {
      const ids = partitions.map((_, index) => String(index));
      return void reply(200, { name, partition_ids: rhea.types.wrap_array(ids, 0xa1, undefined) });
    }
    if (target !== name)
      return void delivery?.reject({ condition: 'amqp:not-found', description: `There is no ${target}.` });
    batches++;
    // Messages of another format than AMQP's own arrive as bytes.
    const batch = rhea.message.decode(message as unknown as Buffer) as unknown as Message;
    const { content } = batch.body as { content: Buffer | Buffer[] };
    const partitionKey = batch.message_annotations?.['x-opt-partition-key'];
    const stored = partitions[partitionKey === undefined ? batches % partitionCount : 0] ?? [];
    for (const each of Array.isArray(content) ? content : [content]) {
      const { message_annotations: _, ...rest } = rhea.message.decode(each) as unknown as Message;
      stored.push({ message: rest, sequenceNumber: stored.length + 1, partitionKey });
    }
    setImmediate(deliver);
  });

  const isToken = (token: string, facts: Readonly<Record<string, unknown>>): boolean => {
    const {
      sr = '',
      sig,
      se,
      skn,
    } = Object.fromEntries(
      token
        .replace('SharedAccessSignature ', '')
        .split('&')
        .map((part) => part.split(/=(.*)/s).slice(0, 2)),
    );
    const expected = createHmac('sha256', key).update(`${sr}\n${se}`).digest('base64');
    const isFor = decodeURIComponent(sr) === String(facts.name).toLowerCase();
    return (
      isFor &&
      facts.operation === 'put-token' &&
      skn === keyName &&
      decodeURIComponent(sig ?? '') === expected
    );
  };

  const server = container.listen({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  const endpoint = `Endpoint=sb://127.0.0.1:${port};SharedAccessKeyName=${keyName};UseDevelopmentEmulator=true`;
  return {
    partitions,
    positions,
    connection: {
      namespace: 'company',
      eventHubName: name,
      connectionString: `${endpoint};SharedAccessKey=${key}`,
    },
    wrongConnection: {
      namespace: 'company',
      eventHubName: name,
      connectionString: `${endpoint};SharedAccessKey=wrong`,
    },
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

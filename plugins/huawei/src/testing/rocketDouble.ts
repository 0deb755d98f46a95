import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { deflateSync } from 'node:zlib';
import { type Frame, readFrames, toFrame } from '../messages/rocketmq/remoting.ts';
import { keys } from './obsDouble.ts';

interface Kept {
  readonly body: Buffer;
  readonly properties: string;
  readonly bornTimestamp: bigint;
}

type Reply = {
  readonly code?: number;
  readonly remark?: string;
  readonly fields?: object;
  readonly body?: Buffer;
};

/**
 * A name server and a broker of RocketMQ in one process, with a topic of two queues. It checks the signature of each
 * request, and stores bodies compressed, as clients do with large ones.
 */
export async function startRocketMq() {
  const queues: Kept[][] = [[], []];
  const offsets = new Map<string, string>();
  const requests: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    void serve(socket).catch(() => socket.destroy());
  });

  async function serve(socket: Socket): Promise<void> {
    for await (const frame of readFrames(socket)) {
      const { code = 0, remark, fields = {}, body = Buffer.alloc(0) } = respond(frame);
      const header = {
        code,
        flag: 1,
        opaque: frame.header.opaque,
        language: 'JAVA',
        remark,
        extFields: fields,
      };
      socket.write(toFrame(header, body));
    }
  }

  function respond({ header, body }: Frame): Reply {
    const fields = header.extFields ?? {};
    const { Signature, ...signed } = fields;
    const content = Object.keys(signed)
      .toSorted()
      .map((name) => signed[name])
      .join('');
    const expected = createHmac('sha1', keys.secretAccessKey).update(content).update(body).digest('base64');
    if (Signature !== expected || fields.AccessKey !== keys.accessKeyId)
      return { code: 1, remark: 'check signature failed' };
    requests.push(header.code);
    const queue = queues[Number(fields.queueId)] ?? [];
    const place = `${fields.consumerGroup}:${fields.queueId}`;
    switch (header.code) {
      case 105:
        return fields.topic === 'orders'
          ? { body: Buffer.from(route()) }
          : { code: 17, remark: 'No topic route info' };
      case 10:
        queue.push({
          body,
          properties: fields.properties ?? '',
          bornTimestamp: BigInt(fields.bornTimestamp ?? 0),
        });
        return { fields: { queueOffset: String(queue.length - 1) } };
      case 14:
        return offsets.has(place) ? { fields: { offset: offsets.get(place) } } : { code: 22 };
      case 15:
        offsets.set(place, fields.commitOffset ?? '');
        return {};
      case 31:
        return { fields: { offset: '0' } };
      case 11: {
        const from = Number(fields.queueOffset);
        const found = queue.slice(from);
        const next = { nextBeginOffset: String(queue.length) };
        if (found.length === 0) return { code: 19, fields: next };
        return { fields: next, body: Buffer.concat(found.map((one, index) => store(one, from + index))) };
      }
      default:
        return { code: 3, remark: `request type ${header.code} not supported` };
    }
  }

  /** Older name servers write the keys of this map without quotes. */
  const route = () =>
    `{"brokerDatas":[{"brokerAddrs":{0:"${address}"},"brokerName":"b"}],"queueDatas":[{"brokerName":"b","perm":6,"readQueueNums":2,"writeQueueNums":2}]}`;

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    connection: { nameServerAddr: address, topic: 'orders', groupId: 'flows', ...keys },
    offsets,
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A message as brokers store and send it. */
function store({ body, properties, bornTimestamp }: Kept, offset: number): Buffer {
  const packed = deflateSync(body);
  const topic = Buffer.from('orders');
  const extra = Buffer.from(properties);
  const int = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return bytes;
  };
  const long = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    return bytes;
  };
  const short = Buffer.alloc(2);
  short.writeInt16BE(extra.length);
  const rest = Buffer.concat([
    int(-626_843_481),
    int(0),
    int(0),
    int(0),
    long(BigInt(offset)),
    long(0n),
    int(1),
    long(bornTimestamp),
    Buffer.from([127, 0, 0, 1]),
    int(1),
    long(0n),
    Buffer.from([127, 0, 0, 1]),
    int(2),
    int(0),
    long(0n),
    int(packed.length),
    packed,
    Buffer.from([topic.length]),
    topic,
    short,
    extra,
  ]);
  return Buffer.concat([int(rest.length + 4), rest]);
}

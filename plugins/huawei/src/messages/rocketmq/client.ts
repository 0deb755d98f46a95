import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { mapIn, mapsIn, messageOf, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { type RocketMessage, readStored, toProperties } from './message.ts';
import { type Login, Remoting } from './remoting.ts';

const codes = {
  send: 10,
  pull: 11,
  queryOffset: 14,
  updateOffset: 15,
  maxOffset: 30,
  minOffset: 31,
  route: 105,
};
/** Replies of a pull without messages: none yet, try again, and an offset that is gone. */
const [notFound, tryAgain, offsetMoved] = [19, 20, 21];
const noOffset = 22;
/** Stored, but not yet on disk or on the replica. */
const storedLate = [10, 11, 12];
const permissions = { read: 4, write: 2 };
const pullSize = 32;

interface Queue {
  readonly address: string;
  readonly id: number;
}

export interface Outgoing {
  readonly topic: string;
  readonly body: Buffer;
  readonly tags?: string | undefined;
  readonly keys?: string | undefined;
}

export interface Taken {
  readonly queue: Queue;
  readonly message: RocketMessage;
}

/** Talks to the name server and to the brokers that it names, for one task. */
export class RocketMq {
  readonly #context: TaskContext;
  readonly #login: Login;
  readonly #nameServers: readonly string[];
  readonly #connections = new Map<string, Promise<Remoting>>();

  constructor(context: TaskContext, nameServerAddr: string, login: Login) {
    this.#context = context;
    this.#login = login;
    this.#nameServers = nameServerAddr
      .split(/[;,]/)
      .map((address) => address.trim().replace(/^https?:\/\//, ''))
      .filter((address) => address !== '');
    if (login.secretAccessKey) context.masker.add(login.secretAccessKey);
  }

  #at(address: string): Promise<Remoting> {
    const known = this.#connections.get(address);
    if (known) return known;
    const opened = Remoting.open(this.#context, address, this.#login);
    this.#connections.set(address, opened);
    opened.catch(() => this.#connections.delete(address));
    return opened;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values())
      await connection.then(
        (opened) => opened.close(),
        () => {},
      );
  }

  /** The queues of a topic on the masters of the cluster. */
  async queuesOf(topic: string, purpose: 'read' | 'write'): Promise<Queue[]> {
    let failure: unknown = new TaskFailed('"nameServerAddr" names no address.', { retry: false });
    for (const address of this.#nameServers) {
      try {
        const server = await this.#at(address);
        const { body } = await server.ask(codes.route, { topic, acceptStandardJsonOnly: 'true' });
        return readRoute(body.toString('utf8'), purpose);
      } catch (error) {
        this.#context.signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure;
  }

  async send(group: string, queue: Queue, message: Outgoing): Promise<void> {
    const broker = await this.#at(queue.address);
    const id = randomBytes(16).toString('hex').toUpperCase();
    const properties = { UNIQ_KEY: id, WAIT: 'true', TAGS: message.tags, KEYS: message.keys };
    await broker.ask(
      codes.send,
      {
        producerGroup: group,
        topic: message.topic,
        defaultTopic: 'TBW102',
        defaultTopicQueueNums: '4',
        queueId: String(queue.id),
        sysFlag: '0',
        bornTimestamp: String(Date.now()),
        flag: '0',
        properties: toProperties(properties),
        reconsumeTimes: '0',
        unitMode: 'false',
        batch: 'false',
      },
      { body: message.body, accepts: storedLate },
    );
  }

  async offsetOf(group: string, topic: string, { address, id }: Queue): Promise<bigint> {
    const broker = await this.#at(address);
    const place = { topic, queueId: String(id) };
    const committed = await broker.ask(
      codes.queryOffset,
      { consumerGroup: group, ...place },
      { accepts: [noOffset] },
    );
    if (committed.code === 0) return BigInt(committed.fields.offset ?? 0);
    const { fields } = await broker.ask(codes.minOffset, place);
    return BigInt(fields.offset ?? 0);
  }

  async commit(group: string, topic: string, { address, id }: Queue, offset: bigint): Promise<void> {
    const broker = await this.#at(address);
    const place = { topic, queueId: String(id), commitOffset: String(offset) };
    await broker.ask(codes.updateOffset, { consumerGroup: group, ...place });
  }

  async pull(group: string, topic: string, tags: string, { address, id }: Queue, offset: bigint) {
    const broker = await this.#at(address);
    const { code, fields, body } = await broker.ask(
      codes.pull,
      {
        consumerGroup: group,
        topic,
        queueId: String(id),
        queueOffset: String(offset),
        maxMsgNums: String(pullSize),
        // The request has its own subscription, so that the group needs no registered consumer.
        sysFlag: '4',
        commitOffset: '0',
        suspendTimeoutMillis: '0',
        subscription: tags,
        subVersion: '0',
        expressionType: 'TAG',
      },
      { accepts: [notFound, tryAgain, offsetMoved] },
    );
    const next = BigInt(fields.nextBeginOffset ?? offset);
    return { messages: code === 0 ? readStored(body) : [], next };
  }
}

/** Older name servers write the ids of brokers without quotes. */
function readRoute(text: string, purpose: 'read' | 'write'): Queue[] {
  const route = mapIn(JSON.parse(text.replace(/([{,])(\d+):/g, '$1"$2":')));
  const masters = new Map(
    mapsIn(route.brokerDatas).map(({ brokerName, brokerAddrs }) => [
      brokerName,
      textOf(mapIn(brokerAddrs)['0']),
    ]),
  );
  return mapsIn(route.queueDatas).flatMap(({ brokerName, perm, readQueueNums, writeQueueNums }) => {
    const address = masters.get(brokerName);
    if (address === undefined || !(Number(perm) & permissions[purpose])) return [];
    const count = Number(purpose === 'read' ? readQueueNums : writeQueueNums);
    return Array.from({ length: count }, (_, id) => ({ address, id }));
  });
}

export interface Subscription {
  readonly topic: string;
  readonly groupId: string;
  readonly tags: string;
}

/** How long to wait before empty queues are read again. */
const idleMs = 500;

/** Reads all queues of a topic in turn, and remembers up to where. */
export class Consumer {
  readonly #client: RocketMq;
  readonly #context: TaskContext;
  readonly #subscription: Subscription;
  readonly #tags: ReadonlySet<string>;
  readonly #offsets = new Map<Queue, bigint>();
  readonly #taken = new Map<Queue, bigint>();
  #ready: Taken[] = [];

  constructor(client: RocketMq, context: TaskContext, subscription: Subscription) {
    this.#client = client;
    this.#context = context;
    this.#subscription = subscription;
    this.#tags = new Set(subscription.tags.split('||').map((tag) => tag.trim()));
  }

  async open(): Promise<void> {
    const { topic, groupId } = this.#subscription;
    const queues = await this.#client.queuesOf(topic, 'read');
    if (queues.length === 0)
      throw new TaskFailed(`The topic "${topic}" has no queue that can be read.`, { retry: false });
    for (const queue of queues) this.#offsets.set(queue, await this.#client.offsetOf(groupId, topic, queue));
  }

  /** The next message; undefined when none arrives in time. */
  async next(waitMs: number): Promise<Taken | undefined> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      if (this.#ready.length === 0) await this.#pullAll();
      const taken = this.#ready.shift();
      if (taken) {
        this.#taken.set(taken.queue, taken.message.queueOffset + 1n);
        return taken;
      }
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) return undefined;
      await delay(Math.min(idleMs, leftMs), undefined, { signal: this.#context.signal });
    }
  }

  async #pullAll(): Promise<void> {
    const { topic, groupId, tags } = this.#subscription;
    for (const [queue, offset] of this.#offsets) {
      const { messages, next } = await this.#client.pull(groupId, topic, tags, queue, offset);
      this.#offsets.set(queue, next);
      // Brokers compare the hashes of tags only.
      const wanted = messages.filter((one) => this.#tags.has('*') || this.#tags.has(one.tags ?? ''));
      this.#ready.push(...wanted.map((message) => ({ queue, message })));
    }
  }

  /** Commits all messages that were taken. */
  async commit(): Promise<void> {
    const { topic, groupId } = this.#subscription;
    for (const [queue, offset] of this.#taken) await this.#client.commit(groupId, topic, queue, offset);
    this.#taken.clear();
  }
}

export async function withRocketMq<T>(
  context: TaskContext,
  nameServerAddr: string,
  login: Login,
  work: (client: RocketMq) => Promise<T>,
): Promise<T> {
  const client = new RocketMq(context, nameServerAddr, login);
  try {
    return await work(client);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`RocketMQ: ${messageOf(error)}`, { cause: error });
  } finally {
    await client.close();
  }
}

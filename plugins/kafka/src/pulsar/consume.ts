import { storeMessages, type TaskContext } from '@millrace/plugin-kit';
import { fromFrame, queryOf, type ReadInput, refuseUnsupported, topicsOf } from './messages.ts';
import { type Connection, type Frame, type PulsarSocket, topicPath, withSockets } from './socket.ts';

export interface SubscriptionInput extends Connection, ReadInput {
  readonly subscriptionName: string;
  readonly initialPosition: 'Latest' | 'Earliest';
  readonly subscriptionType: string;
  readonly consumerProperties?: Readonly<Record<string, string>> | undefined;
  readonly consumerName?: string | undefined;
}

export interface Limits {
  readonly pollDuration: number;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

interface Taken {
  readonly topic: string;
  readonly frame: Frame;
  readonly socket: PulsarSocket;
}

/** Messages that the broker sends ahead of their acknowledgment. */
const ahead = 1_000;
const realtimeAhead = 10;

const subscriptionPath = (input: SubscriptionInput, topic: string, queueSize: number): string =>
  `consumer/${topicPath(topic)}/${encodeURIComponent(input.subscriptionName)}${queryOf({
    subscriptionType: input.subscriptionType,
    subscriptionInitialPosition: input.initialPosition,
    receiverQueueSize: queueSize,
    consumerName: input.consumerName,
    ...input.consumerProperties,
  })}`;

/** One reader over several sockets; each is asked in turn until one has a message. */
class Sources {
  readonly #sources: readonly { readonly topic: string; readonly socket: PulsarSocket }[];
  #turn = 0;

  constructor(topics: readonly string[], sockets: readonly PulsarSocket[]) {
    this.#sources = sockets.map((socket, index) => ({ socket, topic: topics[index] ?? '' }));
  }

  async next(waitMs: number): Promise<Taken | undefined> {
    const until = Date.now() + waitMs;
    const shareMs = this.#sources.length === 1 ? waitMs : Math.min(waitMs, 50);
    do {
      for (let tried = 0; tried < this.#sources.length; tried++) {
        const source = this.#sources[this.#turn++ % this.#sources.length];
        const frame = await source?.socket.frames.next(shareMs);
        if (source && frame && frame.messageId !== undefined) return { ...source, frame };
      }
    } while (Date.now() < until);
    return undefined;
  }
}

/** Stores messages, hands the result over, and acknowledges when that is done. */
export async function consumeStored<T>(
  context: TaskContext,
  input: SubscriptionInput & Limits,
  options: {
    readonly storeEmpty: boolean;
    readonly handOver: (stored: { readonly count: number; readonly uri?: string }) => Promise<T>;
  },
): Promise<T> {
  refuseUnsupported(input);
  const topics = topicsOf(input.topic);
  const paths = topics.map((topic) => subscriptionPath(input, topic, ahead));
  return withSockets(context, input, paths, async (sockets) => {
    const sources = new Sources(topics, sockets);
    const held: Taken[] = [];
    const stored = await storeMessages(context, {
      next: async (waitMs) => {
        const taken = await sources.next(waitMs);
        if (taken) held.push(taken);
        return taken;
      },
      toRow: ({ topic, frame }) => fromFrame(context, topic, frame, input),
      storeEmpty: options.storeEmpty,
      maxRecords: input.maxRecords,
      maxDuration: input.maxDuration,
      maxIdle: input.pollDuration,
    });
    const result = await options.handOver(stored);
    for (const { socket, frame } of held) await socket.send({ messageId: frame.messageId });
    return result;
  });
}

/** Delivers every message until the task is stopped, and acknowledges it after `handOver`. */
export async function consumeEach(
  context: TaskContext,
  input: SubscriptionInput,
  handOver: (message: ReturnType<typeof fromFrame>) => Promise<void>,
): Promise<void> {
  refuseUnsupported(input);
  const topics = topicsOf(input.topic);
  const paths = topics.map((topic) => subscriptionPath(input, topic, realtimeAhead));
  await withSockets(context, input, paths, async (sockets) => {
    const sources = new Sources(topics, sockets);
    while (!context.signal.aborted) {
      const taken = await sources.next(60_000);
      if (!taken) continue;
      await handOver(fromFrame(context, taken.topic, taken.frame, input));
      await taken.socket.send({ messageId: taken.frame.messageId });
    }
  }).catch((error: unknown) => {
    if (!context.signal.aborted) throw error;
  });
}

/** Stores messages from a position on, without a subscription. */
export async function readStored(
  context: TaskContext,
  input: Connection &
    ReadInput &
    Limits & { readonly since?: number | undefined; readonly messageId?: string | undefined },
): Promise<{ readonly count: number; readonly uri?: string }> {
  refuseUnsupported(input);
  const topics = topicsOf(input.topic);
  const messageId = input.messageId ?? 'earliest';
  const from = input.since === undefined ? undefined : Date.now() - input.since;
  const paths = topics.map((topic) => `reader/${topicPath(topic)}${queryOf({ messageId })}`);
  return withSockets(context, input, paths, (sockets) => {
    const sources = new Sources(topics, sockets);
    return storeMessages(context, {
      next: async (waitMs) => {
        for (;;) {
          const taken = await sources.next(waitMs);
          if (!taken) return undefined;
          // A reader acknowledges so that the broker sends more; no position is stored.
          await taken.socket.send({ messageId: taken.frame.messageId });
          const at = Date.parse(String(taken.frame.publishTime ?? ''));
          if (from === undefined || Number.isNaN(at) || at >= from) return taken;
        }
      },
      toRow: ({ topic, frame }) => fromFrame(context, topic, frame, input),
      storeEmpty: true,
      maxRecords: input.maxRecords,
      maxDuration: input.maxDuration,
      maxIdle: input.pollDuration,
    });
  });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageBuffer, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { Admin, Consumer, KafkaMessage, PartitionAssigner } from 'kafkajs';
import { connected, type Opened } from './client.ts';
import { type Properties, readOffsetReset, readsUncommitted } from './clientOptions.ts';

export interface SourceInput {
  readonly properties: Properties;
  readonly topics: readonly string[];
  readonly topicPattern?: string | undefined;
  readonly partitions?: readonly number[] | undefined;
  readonly groupId?: string | undefined;
  readonly since?: string | undefined;
}

export interface Taken {
  readonly topic: string;
  readonly partition: number;
  readonly message: KafkaMessage;
}

interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

const keyOf = ({ topic, partition }: { readonly topic: string; readonly partition: number }) =>
  `${topic}:${partition}`;

/** How long a broker waits for messages before it replies that there are none. */
const fetchWaitMs = 500;
const heartbeatMs = 3_000;

/** Delivers the messages of topics one at a time, and tracks the positions to commit. */
export class MessageSource {
  readonly #consumer: Consumer;
  readonly #isGroup: boolean;
  readonly #buffer: MessageBuffer<Taken & { readonly done: () => void }>;
  readonly #positions: Map<string, Position>;

  constructor(
    consumer: Consumer,
    isGroup: boolean,
    buffer: MessageBuffer<Taken & { readonly done: () => void }>,
    positions: Map<string, Position>,
  ) {
    this.#consumer = consumer;
    this.#isGroup = isGroup;
    this.#buffer = buffer;
    this.#positions = positions;
  }

  async next(waitMs: number): Promise<Taken | undefined> {
    const taken = await this.#buffer.next(waitMs);
    if (!taken) return undefined;
    taken.done();
    const { topic, partition, message } = taken;
    const offset = String(BigInt(message.offset) + 1n);
    this.#positions.set(keyOf(taken), { topic, partition, offset });
    return { topic, partition, message };
  }

  /** Commits all messages taken so far; for a group that starts at the end, also commits that position. */
  async commit(): Promise<void> {
    const offsets = [...this.#positions.values()];
    this.#positions.clear();
    if (this.#isGroup && offsets.length > 0) await this.#consumer.commitOffsets(offsets);
  }
}

/** Opens a consumer and runs `work` with its messages. */
export function withSource<T>(
  context: TaskContext,
  { kafka, library }: Opened,
  input: SourceInput,
  work: (source: MessageSource) => Promise<T>,
): Promise<T> {
  return connected(context, kafka.admin(), async (admin) => {
    const topics = await findTopics(admin, input);
    const starts = await startPositions(context, admin, topics, input);
    const { partitions, groupId } = input;
    const consumer = kafka.consumer({
      // Without a group every run has its own group, which the broker drops because nothing is committed.
      groupId: groupId ?? `millrace-${randomUUID()}`,
      maxWaitTimeInMs: fetchWaitMs,
      heartbeatInterval: heartbeatMs,
      readUncommitted: readsUncommitted(input.properties),
      retry: { retries: 8, restartOnFailure: async () => false },
      ...(partitions && { partitionAssigners: [onlyPartitions(library, topics, partitions)] }),
    });
    return connected(context, consumer, async () => {
      const buffer = new MessageBuffer<Taken & { readonly done: () => void }>();
      consumer.on(consumer.events.CRASH, ({ payload }) => buffer.fail(payload.error));
      const stop = () => buffer.fail(new Error('The consumer was stopped.'));
      context.signal.addEventListener('abort', stop, { once: true });
      await consumer.subscribe({ topics: [...topics], fromBeginning: false });
      // The wait for messages is counted from the first reply of a broker, however long joining the group took.
      const started = new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.FETCH, () => resolve());
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        context.signal.addEventListener('abort', () => reject(new Error('The consumer was stopped.')), {
          once: true,
        });
      });
      started.catch(() => {});
      const running = consumer.run({
        autoCommit: false,
        eachMessage: async ({ topic, partition, message, heartbeat }) => {
          // The next message is fetched after this one is taken; heartbeats keep the group membership
          // meanwhile.
          const timer = setInterval(() => void heartbeat().catch(() => {}), heartbeatMs);
          await new Promise<void>((done) => buffer.push({ topic, partition, message, done }));
          clearInterval(timer);
        },
      });
      // Seeks before the first fetch, so that messages that arrive in between are not skipped.
      for (const start of starts) consumer.seek(start);
      try {
        await running;
        await started;
        const positions = new Map(starts.map((start) => [keyOf(start), start]));
        return await work(new MessageSource(consumer, groupId !== undefined, buffer, positions));
      } finally {
        context.signal.removeEventListener('abort', stop);
        // The library waits until every delivered message is done, so messages left in the buffer are marked
        // done.
        buffer.drain(({ done }) => done());
      }
    });
  });
}

async function findTopics(admin: Admin, { topics, topicPattern }: SourceInput): Promise<readonly string[]> {
  if (topicPattern === undefined) {
    if (topics.length > 0) return topics;
    throw new TaskFailed('One of "topic" and "topicPattern" must be given.', { retry: false });
  }
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^(?:${topicPattern})$`);
  } catch {
    throw new TaskFailed(`"topicPattern" must be a regular expression, got "${topicPattern}".`, {
      retry: false,
    });
  }
  const found = (await admin.listTopics()).filter((topic) => pattern.test(topic) && !topic.startsWith('__'));
  if (found.length > 0) return found;
  throw new TaskFailed(`No topic matches the pattern "${topicPattern}".`);
}

/** The start positions of partitions without a committed offset; without a group, of all partitions. */
async function startPositions(
  context: TaskContext,
  admin: Admin,
  topics: readonly string[],
  { properties, partitions, groupId, since }: SourceInput,
): Promise<readonly Position[]> {
  const reset = readOffsetReset(properties);
  const committed = new Set<string>();
  if (groupId !== undefined) {
    const offsets = await untilLoaded(context, () => admin.fetchOffsets({ groupId, topics: [...topics] }));
    for (const { topic, partitions: known } of offsets)
      for (const { partition, offset } of known)
        if (offset !== '-1') committed.add(keyOf({ topic, partition }));
  }
  const starts: Position[] = [];
  for (const topic of topics) {
    const offsets =
      groupId === undefined && since !== undefined
        ? await admin.fetchTopicOffsetsByTimestamp(topic, readSince(since))
        : (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({
            partition,
            offset: groupId === undefined || reset === 'earliest' ? low : high,
          }));
    for (const { partition, offset } of offsets) {
      const isWanted = partitions === undefined || partitions.includes(partition);
      if (isWanted && !committed.has(keyOf({ topic, partition }))) starts.push({ topic, partition, offset });
    }
  }
  if (groupId !== undefined && reset === 'none' && starts.length > 0)
    throw new TaskFailed(
      `The group "${groupId}" has no committed offsets, and "auto.offset.reset" is "none".`,
      { retry: false },
    );
  return starts;
}

const loadTries = 10;

/**
 * Repeats a call while the broker asks for it, such as while the coordinator of a group loads its offsets after a
 * start or a move. The library does this for all calls but that for the offsets of a group.
 */
export async function untilLoaded<T>(
  { signal }: Pick<TaskContext, 'signal'>,
  call: () => Promise<T>,
  firstWaitMs = 300,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const mayRepeat = error instanceof Error && 'retriable' in error && error.retriable === true;
      if (!mayRepeat || tries === loadTries) throw error;
      await delay(Math.min(firstWaitMs * 2 ** (tries - 1), 4_000), undefined, { signal });
    }
  }
}

function readSince(since: string): number {
  const at = /^\d+$/.test(since) ? Number(since) : Date.parse(since);
  if (!Number.isNaN(at)) return at;
  throw new TaskFailed(`"since" must be a date and time, got "${since}".`, { retry: false });
}

/** Assigns these partitions to one member of the group, and no other partitions to any member. */
function onlyPartitions(
  { AssignerProtocol }: Opened['library'],
  topics: readonly string[],
  partitions: readonly number[],
): PartitionAssigner {
  const name = 'MillracePartitions';
  const version = 0;
  const empty = Buffer.alloc(0);
  return () => ({
    name,
    version,
    assign: async ({ members }) =>
      members.map(({ memberId }, index) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version,
          assignment: Object.fromEntries(topics.map((topic) => [topic, index === 0 ? [...partitions] : []])),
          userData: empty,
        }),
      })),
    protocol: ({ topics: subscribed }) => ({
      name,
      metadata: AssignerProtocol.MemberMetadata.encode({ version, topics: subscribed, userData: empty }),
    }),
  });
}

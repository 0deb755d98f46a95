import {
  choice,
  duration,
  importModule,
  integer,
  limitProperties,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as JetStream from '@nats-io/jetstream';
import type { Consumer, ConsumerConfig, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Nats } from './client.ts';
import { fromHeaders } from './message.ts';

export const subscribeProperties = () => ({
  subject: text().describe('The subject, which a stream must cover. `*` and `>` are wildcards.'),
  durableId: text()
    .optional()
    .describe(
      'The name of a durable consumer, which remembers what was acknowledged. It is created when it does not exist. Without it every run starts as `deliverPolicy` says.',
    ),
  since: text()
    .optional()
    .describe(
      'Where a new consumer starts: a date for `ByStartTime` (and when no policy is given), a sequence for `ByStartSequence`.',
    ),
  batchSize: integer({ min: 1, max: 10_000 })
    .default(10)
    .describe('How many messages are requested at once.'),
  deliverPolicy: choice(['All', 'Last', 'New', 'ByStartSequence', 'ByStartTime', 'LastPerSubject'])
    .default('All')
    .describe('Where a new consumer starts.'),
});

export const consumeProperties = () => ({
  ...subscribeProperties(),
  pollDuration: duration().prefault('PT2S').describe('Stop when no message arrived for this long.'),
  ...limitProperties(),
});

export interface Subscription {
  readonly subject: string;
  readonly durableId?: string | undefined;
  readonly since?: string | undefined;
  readonly batchSize: number;
  readonly deliverPolicy: 'All' | 'Last' | 'New' | 'ByStartSequence' | 'ByStartTime' | 'LastPerSubject';
}

export interface OpenConsumer {
  readonly consumer: Consumer;
  /** Differs for a consumer that was created again, so that it may deliver a message again on purpose. */
  readonly identity: string;
  close(): Promise<void>;
}

const durablePolicies = {
  All: 'all',
  Last: 'last',
  New: 'new',
  ByStartSequence: 'by_start_sequence',
  ByStartTime: 'by_start_time',
  LastPerSubject: 'last_per_subject',
} as const;

/**
 * Opens the durable consumer, creating it if missing; without a name, a consumer that is deleted at the end.
 */
export async function openConsumer(nats: Nats, input: Subscription): Promise<OpenConsumer> {
  const { jetstreamManager, JetStreamApiError } = await importModule<typeof JetStream>('@nats-io/jetstream');
  const manager = await jetstreamManager(nats);
  const stream = await manager.streams.find(input.subject).catch(() => {
    throw new TaskFailed(`No stream covers the subject "${input.subject}": create one first.`, {
      retry: false,
    });
  });
  const { durableId } = input;
  const found =
    durableId === undefined
      ? undefined
      : await manager.consumers.info(stream, durableId).catch((error: unknown) => {
          if (error instanceof JetStreamApiError && error.status === 404) return undefined;
          throw error;
        });
  const info = found ?? (await manager.consumers.add(stream, configOf(input)));
  const { created } = durableId === undefined ? await manager.streams.info(stream) : info;
  return {
    consumer: await manager.jetstream().consumers.get(stream, info.name),
    identity: `${stream}/${durableId ?? ''}/${created}`,
    close: async () => {
      if (durableId === undefined) await manager.consumers.delete(stream, info.name).catch(() => {});
    },
  };
}

function configOf({ subject, durableId, since, deliverPolicy }: Subscription): Partial<ConsumerConfig> {
  const policy = since !== undefined && deliverPolicy === 'All' ? 'ByStartTime' : deliverPolicy;
  const start = () => {
    if (policy === 'ByStartSequence') return { opt_start_seq: readSequence(since) };
    if (policy === 'ByStartTime') return { opt_start_time: readDate(since) };
    return {};
  };
  return {
    ack_policy: 'explicit',
    filter_subject: subject,
    deliver_policy: durablePolicies[policy],
    // Messages are acknowledged together, when their file is stored, so there may be many.
    max_ack_pending: -1,
    ...start(),
    ...(durableId === undefined
      ? { inactive_threshold: ephemeralIdleMs * 1_000_000 }
      : { durable_name: durableId }),
  };
}

/** The server deletes a consumer without a name that no client used for this long. */
const ephemeralIdleMs = 5 * 60_000;

function readSequence(since: string | undefined): number {
  const sequence = Number(since);
  if (Number.isInteger(sequence) && sequence > 0) return sequence;
  throw new TaskFailed(`"since" must be a sequence for ByStartSequence, got "${since ?? ''}".`, {
    retry: false,
  });
}

function readDate(since: string | undefined): string {
  const at = Date.parse(since ?? '');
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new TaskFailed(`"since" must be a date and time for ByStartTime, got "${since ?? ''}".`, {
    retry: false,
  });
}

export const toOutput = (message: JsMsg) => ({
  subject: message.subject,
  headers: fromHeaders(message.headers),
  data: message.string(),
  timestamp: new Date(message.timestamp),
});

/** The server redelivers a message after 30 seconds unless the consumer reports progress. */
const extendEveryMs = 10_000;
/** The shortest wait that the client library accepts. */
const shortestWaitMs = 1_000;

/** Takes messages one at a time and keeps them until all are acknowledged. */
export class Taken {
  readonly #consumer: Consumer;
  readonly #batchSize: number;
  readonly #context: TaskContext;
  readonly #held: JsMsg[] = [];
  #left: number;
  #batch: AsyncIterator<JsMsg> | undefined;
  #messages: ConsumerMessages | undefined;
  #extendedAt = Date.now();

  constructor(
    context: TaskContext,
    consumer: Consumer,
    { batchSize, maxRecords }: { readonly batchSize: number; readonly maxRecords?: number | undefined },
  ) {
    this.#context = context;
    this.#consumer = consumer;
    this.#batchSize = batchSize;
    this.#left = maxRecords ?? Number.POSITIVE_INFINITY;
  }

  async next(waitMs: number): Promise<JsMsg | undefined> {
    this.#extend();
    const message = (await this.#fromBatch()) ?? (await this.#fetch(waitMs));
    if (!message) return undefined;
    this.#left--;
    this.#held.push(message);
    return message;
  }

  async acknowledge(nats: Nats): Promise<void> {
    for (const message of this.#held.splice(0)) message.ack();
    await nats.flush();
  }

  async #fetch(waitMs: number): Promise<JsMsg | undefined> {
    this.#context.signal.throwIfAborted();
    this.#messages = await this.#consumer.fetch({
      max_messages: Math.min(this.#batchSize, this.#left),
      expires: Math.max(waitMs, shortestWaitMs),
    });
    this.#batch = this.#messages[Symbol.asyncIterator]();
    return this.#fromBatch();
  }

  async #fromBatch(): Promise<JsMsg | undefined> {
    const next = await this.#batch?.next();
    if (next && !next.done) return next.value;
    this.#batch = undefined;
    const failure = await this.#messages?.closed();
    if (failure instanceof Error) throw failure;
    return undefined;
  }

  #extend(): void {
    if (Date.now() - this.#extendedAt < extendEveryMs) return;
    this.#extendedAt = Date.now();
    for (const message of this.#held) message.working();
  }
}

import { MessageBuffer, storeMessages, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import { type AmqpInput, withAmqp, withChannel } from './client.ts';
import { toRow } from './message.ts';

export interface ConsumeInput extends AmqpInput {
  readonly queue: string;
  readonly serdeType: 'STRING' | 'JSON';
  readonly consumerTag: string;
  readonly autoAck: boolean;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

/** The number of messages that the broker may send ahead. */
const prefetch = 500;

export interface Consumed {
  readonly count: number;
  readonly uri?: string;
}

/** Stores messages, hands the result over, and acknowledges when that is done. */
export function consumeStored<T>(
  context: TaskContext,
  input: ConsumeInput,
  { storeEmpty, handOver }: { storeEmpty: boolean; handOver: (consumed: Consumed) => Promise<T> },
): Promise<T> {
  if (input.maxRecords === undefined && input.maxDuration === undefined)
    throw new TaskFailed('One of "maxRecords" and "maxDuration" must be given.', { retry: false });
  return withAmqp(context, input, (connection) =>
    withChannel(connection, async (channel, onFailure) => {
      const source = new QueueSource(channel, input);
      onFailure((error) => source.fail(error));
      const consumed = await storeMessages(context, {
        next: (waitMs) => source.next(waitMs),
        toRow: (message) => toRow(context, message, input.serdeType),
        storeEmpty,
        maxRecords: input.maxRecords,
        maxDuration: input.maxDuration,
      });
      context.metric({ name: 'consumed.records', type: 'counter', value: consumed.count });
      const result = await handOver(consumed);
      source.acknowledge();
      return result;
    }),
  );
}

/**
 * Takes messages of a queue. Each consumer gets a limited number of messages and is then replaced, so that
 * any number of messages can stay unacknowledged while the broker never sends more than fits in memory.
 */
class QueueSource {
  readonly #channel: ConfirmChannel;
  readonly #input: ConsumeInput;
  readonly #buffer = new MessageBuffer<ConsumeMessage>();
  #isConsuming = false;
  #expected = 0;
  #left: number;
  #last: ConsumeMessage | undefined;

  constructor(channel: ConfirmChannel, input: ConsumeInput) {
    this.#channel = channel;
    this.#input = input;
    this.#left = input.maxRecords ?? Number.POSITIVE_INFINITY;
  }

  fail(error: Error): void {
    this.#buffer.fail(error);
  }

  async next(waitMs: number): Promise<ConsumeMessage | undefined> {
    if (this.#expected === 0) await this.#consume();
    const message = await this.#buffer.next(waitMs);
    if (!message) return undefined;
    this.#expected--;
    this.#left--;
    if (this.#input.autoAck) this.#channel.ack(message);
    else this.#last = message;
    return message;
  }

  acknowledge(): void {
    if (this.#last) this.#channel.ack(this.#last, true);
  }

  async #consume(): Promise<void> {
    const { queue, consumerTag } = this.#input;
    if (this.#isConsuming) await this.#channel.cancel(consumerTag);
    this.#expected = Math.min(prefetch, this.#left);
    await this.#channel.prefetch(this.#expected);
    await this.#channel.consume(
      queue,
      (message) =>
        message
          ? this.#buffer.push(message)
          : this.#buffer.fail(new Error(`The broker ended the consumer: was the queue "${queue}" deleted?`)),
      { consumerTag },
    );
    this.#isConsuming = true;
  }
}

/** How many messages wait for their execution. */
const realtimePrefetch = 10;

/** Delivers every message of a queue until the task is stopped. */
export async function eachMessage(
  connection: ChannelModel,
  context: TaskContext,
  { queue, consumerTag, autoAck }: Omit<ConsumeInput, keyof AmqpInput>,
  handOver: (message: ConsumeMessage) => Promise<void>,
): Promise<void> {
  await withChannel(connection, async (channel, onFailure) => {
    const buffer = new MessageBuffer<ConsumeMessage>();
    onFailure((error) => buffer.fail(error));
    await channel.prefetch(realtimePrefetch);
    await channel.consume(
      queue,
      (message) =>
        message
          ? buffer.push(message)
          : buffer.fail(new Error(`The broker ended the consumer: was the queue "${queue}" deleted?`)),
      { consumerTag },
    );
    while (!context.signal.aborted) {
      const message = await buffer.next(60_000);
      if (!message) continue;
      if (autoAck) channel.ack(message);
      await handOver(message);
      if (!autoAck) channel.ack(message);
    }
  });
}

import { storeMessages, type TaskContext } from '@millrace/plugin-kit';
import type { Message } from 'rhea';
import { type Address, type Node, type Received, withBroker } from './broker.ts';

export interface ReceiveRequest<T> {
  readonly address: Address;
  readonly node: Node;
  readonly selector?: string | undefined;
  readonly maxMessages: number;
  /** Milliseconds. */
  readonly maxDuration?: number | undefined;
  readonly maxIdle?: number | undefined;
  readonly storeEmpty: boolean;
  toRow(message: Message): unknown;
  handOver(stored: { readonly count: number; readonly uri?: string }): Promise<T>;
}

/** The number of messages that the broker may send ahead. */
const ahead = 200;

/** Stores messages, hands the result over, and accepts them when that is done. */
export function receiveStored<T>(context: TaskContext, request: ReceiveRequest<T>): Promise<T> {
  return withBroker(context, request.address, async (broker) => {
    const { buffer, add } = broker.receive(request.node, request.selector);
    const held: Received[] = [];
    let asked = 0;
    const stored = await storeMessages(context, {
      next: async (waitMs) => {
        if (asked === held.length) {
          const more = Math.min(ahead, request.maxMessages - asked);
          asked += more;
          add(more);
        }
        const received = await buffer.next(waitMs);
        if (received) held.push(received);
        return received;
      },
      toRow: ({ message }) => request.toRow(message),
      storeEmpty: request.storeEmpty,
      maxRecords: request.maxMessages,
      maxDuration: request.maxDuration,
      maxIdle: request.maxIdle,
    });
    const result = await request.handOver(stored);
    for (const received of held) received.accept();
    await broker.flush();
    return result;
  });
}

/** How many messages wait for their execution. */
const realtimeAhead = 10;

/** Delivers every message until the task is stopped, and accepts it after `handOver`. */
export function receiveEach(
  context: TaskContext,
  request: Pick<ReceiveRequest<void>, 'address' | 'node' | 'selector'>,
  handOver: (message: Message) => Promise<void>,
): Promise<void> {
  return withBroker(context, request.address, async (broker) => {
    const { buffer, add } = broker.receive(request.node, request.selector);
    add(realtimeAhead);
    while (!context.signal.aborted) {
      const received = await buffer.next(60_000);
      if (!received) continue;
      await handOver(received.message);
      received.accept();
      add(1);
    }
  }).catch((error: unknown) => {
    if (!context.signal.aborted) throw error;
  });
}

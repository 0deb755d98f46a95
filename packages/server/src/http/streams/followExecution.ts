import { setTimeout as wait } from 'node:timers/promises';
import type { Execution } from '@millrace/contract';
import { presentExecution } from '@millrace/engine';
import type { FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { atPaceOfReader } from './atPaceOfReader.ts';
import { openEventStream } from './eventStream.ts';

const appearsWithinMs = 10_000;
const lookEveryMs = 500;

type Parts = Pick<Product, 'store' | 'watchers' | 'clock' | 'executor'>;

/**
 * Streams an execution: `start` at once, `progress` for every change that is on disk (of a large execution, for as many
 * as can be read), `end` with the last one. Watching begins before the first read, so that no change falls between the
 * two.
 */
export async function followExecution(executionId: string, reply: FastifyReply, parts: Parts): Promise<void> {
  const stream = openEventStream(reply);
  stream.send('start', { id: executionId, labels: [], deleted: false });
  const waiting: { execution: Execution; isOver: boolean }[] = [];
  let isLive = false;
  const show = atPaceOfReader(stream);
  const stopWatching = parts.watchers.watch(executionId, (change) => {
    if (isLive) show(change);
    else waiting.push(change);
  });
  const stopListening = parts.store.onChange(({ executionIds, hasGap }) => {
    // Changes of executions that this process holds are announced step by step; others are read when they are stored.
    const isConcerned = hasGap || executionIds.includes(executionId);
    if (isLive && isConcerned && !parts.executor.holds(executionId)) showStored();
  });
  let reading: Promise<void> = Promise.resolve();
  let isWanted = false;
  /** One read at a time, so that what is shown never goes back; changes during a read lead to one more. */
  const showStored = () => {
    if (isWanted) return;
    isWanted = true;
    reading = reading.then(async () => {
      isWanted = false;
      try {
        const current = stream.isOpen ? await read(executionId, parts) : undefined;
        if (current) show(current);
        else stream.end();
      } catch {
        // The follower connects again and starts from what is stored then.
        stream.end();
      }
    });
  };
  stream.onClose(() => {
    stopWatching();
    stopListening();
  });
  const first = await readWhenThere(
    () => read(executionId, parts),
    () => stream.isOpen,
  );
  if (!first) {
    // The status is long sent; a broken connection is what the browser reports as an error.
    reply.raw.destroy();
    return;
  }
  const known = stepsOf(first.execution);
  show(first);
  isLive = true;
  // What was announced while we read is already in what we read, unless it is newer.
  for (const change of waiting) {
    if (change.isOver || stepsOf(change.execution) > known) show(change);
  }
}

/** How far an execution has come: every change of a state adds to it. */
function stepsOf({ state, taskRunList = [] }: Execution): number {
  return taskRunList.reduce(
    (steps, taskRun) => steps + taskRun.state.histories.length,
    state.histories.length,
  );
}

/** An execution may be followed a moment before it is stored. */
export async function readWhenThere<T>(
  read: () => Promise<T | undefined>,
  isWanted: () => boolean,
): Promise<T | undefined> {
  for (let waited = 0; waited <= appearsWithinMs && isWanted(); waited += lookEveryMs) {
    const found = await read();
    if (found) return found;
    await wait(lookEveryMs);
  }
  return undefined;
}

async function read(executionId: string, { store, clock }: Parts) {
  const stored = await store.getExecution(executionId);
  if (!stored) return undefined;
  const { execution, taskRuns } = stored;
  return {
    execution: presentExecution(execution, taskRuns, clock()),
    isOver: execution.overAt !== undefined,
  };
}

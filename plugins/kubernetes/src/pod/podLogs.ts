import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../cluster/client.ts';
import { type PodPlace, podPath } from './podStatus.ts';

export interface FollowOptions {
  readonly container: string;
  readonly signal: AbortSignal;
  /** True once the container has ended: the stream is then complete. */
  readonly hasEnded: () => boolean;
  readonly take: (chunk: Uint8Array) => void | Promise<void>;
}

const pauseMs = 500;

/**
 * Streams the log of a container while it runs. A broken stream is reopened at the time of the last line, so
 * every line is requested with its timestamp.
 */
export async function followLogs(client: ApiClient, place: PodPlace, options: FollowOptions): Promise<void> {
  const { container, signal, hasEnded, take } = options;
  let last = '';
  for (;;) {
    const wasEnded = hasEnded();
    try {
      const body = await client.stream({
        path: `${podPath(place)}/log`,
        query: {
          container,
          follow: true,
          timestamps: true,
          // The server supports only whole seconds; lines that were already read are skipped below.
          ...(last !== '' && { sinceTime: `${last.slice(0, 19)}Z` }),
        },
        signal,
      });
      const newLines = lineTaker(last, take);
      try {
        for await (const chunk of body) await newLines.push(chunk);
        await newLines.end();
      } finally {
        last = newLines.last();
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // A container that does not run yet has no log, and a node may be restarted.
      if (wasEnded) throw error;
    }
    if (wasEnded) return;
    await delay(pauseMs, undefined, { signal });
  }
}

/** Splits the stream into lines, removes their timestamps, and skips lines up to a time. */
function lineTaker(after: string, take: FollowOptions['take']) {
  let last = after;
  let pending = Buffer.alloc(0);
  const takeLine = async (line: Buffer) => {
    const space = line.indexOf(0x20);
    const time = line.subarray(0, Math.max(space, 0)).toString('utf8');
    const isTimed = /^\d{4}-\d\d-\d\dT/.test(time);
    if (isTimed && toSortable(time) <= toSortable(after)) return;
    if (isTimed) last = time;
    await take(Buffer.concat([isTimed ? line.subarray(space + 1) : line, Buffer.from('\n')]));
  };
  return {
    last: () => last,
    push: async (chunk: Uint8Array) => {
      pending = Buffer.concat([pending, chunk]);
      let start = 0;
      for (let end = pending.indexOf(0x0a); end >= 0; end = pending.indexOf(0x0a, start)) {
        await takeLine(pending.subarray(start, end));
        start = end + 1;
      }
      pending = pending.subarray(start);
    },
    end: async () => {
      if (pending.length > 0) await takeLine(pending);
      pending = Buffer.alloc(0);
    },
  };
}

/** Times of different precision compare as text when their fractions have the same length. */
function toSortable(time: string): string {
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

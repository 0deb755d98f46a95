import { setTimeout as delay } from 'node:timers/promises';
import { TaskFailed } from '@millrace/plugin-kit';
import type { Google } from './client.ts';
import { flagAt, type Json, mapAt, numberAt, textAt } from './json.ts';

interface Polling {
  /** The pause between two polls; when absent it grows from a quarter of a second to five. */
  readonly intervalMs?: number | undefined;
  readonly maxMs?: number | undefined;
  /** The awaited event, for messages. */
  readonly what: string;
}

/** Polls until `ask` returns a value. */
export async function pollUntil<T>(
  { context }: Pick<Google, 'context'>,
  { intervalMs, maxMs, what }: Polling,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const startedAt = Date.now();
  for (let pauseMs = intervalMs ?? 250; ; pauseMs = intervalMs ?? Math.min(pauseMs * 1.5, 5000)) {
    const found = await ask();
    if (found !== undefined) return found;
    if (maxMs !== undefined && Date.now() - startedAt + pauseMs > maxMs)
      throw new TaskFailed(`${what} did not end within ${Math.round(maxMs / 1000)} s.`);
    await delay(pauseMs, undefined, { signal: context.signal });
  }
}

/** Waits for a long-running operation and returns its response. `url` is its address. */
export async function waitForOperation(google: Google, url: string, polling: Polling): Promise<Json> {
  return pollUntil(google, polling, async () => {
    const operation = await google.get(url);
    if (flagAt(operation, 'done') !== true) return undefined;
    const error = mapAt(operation, 'error');
    if (textAt(error, 'message') !== undefined)
      throw new TaskFailed(
        `${polling.what} failed: ${textAt(error, 'message')} (code ${numberAt(error, 'code') ?? '?'})`,
      );
    return mapAt(operation, 'response');
  });
}

import { expect } from 'vitest';
import type { FileContent } from '../context.ts';
import { MemoryFiles } from './memoryStores.ts';
import type { TestContext } from './testContext.ts';

/** A storage that takes the first bytes of a file and then no more, like a disk that hangs. */
class StalledFiles extends MemoryFiles {
  readonly #signal: () => AbortSignal;
  isStalled = false;

  constructor(signal: () => AbortSignal) {
    super();
    this.#signal = signal;
  }

  override async put(name: string, content: FileContent): Promise<string> {
    if (typeof content === 'string' || content instanceof Uint8Array) return super.put(name, content);
    for await (const _ of content) {
      this.isStalled = true;
      const signal = this.#signal();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      signal.throwIfAborted();
    }
    return super.put(name, '');
  }
}

/**
 * Proves that a task streams: its source produces rows without end and its storage takes only the first of them. Reading
 * everything first would never reach the storage, and a source that is read ahead of the storage would continue to
 * produce. Returns how much was produced when the source came to rest; the task is killed then.
 */
export async function producedForStalledStorage(
  context: TestContext,
  start: (context: TestContext) => Promise<unknown>,
  produced: () => number,
): Promise<number> {
  const files = new StalledFiles(() => context.signal);
  const ended = start(Object.assign(context, { files })).catch(() => {});
  await expect.poll(() => files.isStalled).toBe(true);
  let last = -1;
  await expect
    .poll(
      () => {
        const isStill = produced() === last;
        last = produced();
        return isStill;
      },
      { interval: 200 },
    )
    .toBe(true);
  context.kill();
  await ended;
  return last;
}

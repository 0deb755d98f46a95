import { expect } from 'vitest';
import type { FileContent } from '../context.ts';
import { MemoryFiles } from './memoryStores.ts';
import type { TestContext } from './testContext.ts';

/** A storage that takes the first bytes of a file and then no more, like a disk that hangs and turns out to be full. */
class StalledFiles extends MemoryFiles {
  isStalled = false;
  #fill = () => {};
  readonly #isFull = new Promise<void>((resolve) => {
    this.#fill = resolve;
  });

  override async put(name: string, content: FileContent): Promise<string> {
    if (typeof content === 'string' || content instanceof Uint8Array) return super.put(name, content);
    for await (const _ of content) {
      this.isStalled = true;
      await this.#isFull;
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
    return super.put(name, '');
  }

  fill(): void {
    this.#fill();
  }
}

/**
 * Proves that a task streams: its source produces rows without end and its storage takes only the first of them. Reading
 * everything first would never reach the storage, and a source that is read ahead of the storage would continue to
 * produce. Returns how much was produced when the source came to rest. Then the storage is full, and the task must end with
 * that error although its source has more.
 */
export async function producedForStalledStorage(
  context: TestContext,
  start: (context: TestContext) => Promise<unknown>,
  produced: () => number,
): Promise<number> {
  const files = new StalledFiles();
  const ended = start(Object.assign(context, { files })).then(
    () => 'success',
    (error: unknown) => String(error),
  );
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
  files.fill();
  expect(await ended).toContain('no space left on device');
  return last;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TaskContext, writeInside } from '@millrace/plugin-kit';

/** Files that a task needs on disk while it runs. */
export interface Scratch {
  /** Writes a file and returns its path. */
  write(content: AsyncIterable<Uint8Array>): Promise<string>;
}

/** Provides a folder that is always removed at the end. */
export async function withScratch<T>(
  context: TaskContext,
  run: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(await context.workingDirectory(), '.millrace-compress-'));
  let count = 0;
  try {
    return await run({ write: (content) => writeInside(folder, `file${++count}`, content) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

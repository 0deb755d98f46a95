import { appendFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskContext } from '../definition.ts';
import { TaskFailed } from '../failure.ts';
import { ownPrefix, readInside } from './insideFolder.ts';
import { readItems } from './items.ts';

export interface SplitChoice {
  /** Items per file. */
  readonly rows?: number | undefined;
  /** Deal the items out to this many files. */
  readonly partitions?: number | undefined;
  /** The maximum size of a file, such as `10MB`; a single larger item gets a separate file. */
  readonly bytes?: string | undefined;
  readonly separator: string;
  /** The maximum number of files; the task fails before it stores more. */
  readonly maxParts?: number | undefined;
}

/** Splits a stored file into several and returns their URIs in order. An empty file yields no files. */
export async function splitFile(context: TaskContext, uri: string, choice: SplitChoice): Promise<string[]> {
  const folder = await mkdtemp(join(await context.workingDirectory(), `${ownPrefix}split-`));
  const parts = new Parts(folder);
  const choose = chooserOf(choice);
  for await (const item of readItems(await context.files.read(uri), choice.separator)) {
    const bytes = Buffer.from(item + choice.separator);
    const part = choose(bytes.length);
    if (choice.maxParts !== undefined && part >= choice.maxParts) throw tooManyParts(choice.maxParts);
    await parts.add(part, bytes);
    context.signal.throwIfAborted();
  }
  await parts.flush();

  const uris: string[] = [];
  const extension = /\.[a-z0-9]{1,10}$/i.exec(uri)?.[0] ?? '.tmp';
  for (const name of parts.names)
    uris.push(await context.files.put(`${name}${extension}`, readInside(folder, name)));
  return uris;
}

const tooManyParts = (limit: number): TaskFailed =>
  new TaskFailed(
    `The file makes more than ${limit} batches, and an execution may have at most ${limit} iterations. ` +
      'Use larger batches, or raise "executions.maxIterations" in the configuration.',
    { retry: false },
  );

/** Returns a function that chooses the part for each item. */
function chooserOf({ rows, partitions, bytes }: SplitChoice): (size: number) => number {
  let count = -1;
  if (partitions !== undefined) return () => ++count % partitions;
  if (bytes === undefined) return () => Math.floor(++count / (rows ?? 1));
  const limit = parseSize(bytes);
  let filled = 0;
  return (size) => {
    const isFull = count < 0 || filled + size > limit;
    if (isFull) count += 1;
    filled = isFull ? size : filled + size;
    return count;
  };
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
};

/** Bytes of a size such as `512`, `10KB` or `1.5 MiB`; a thousand is 1024 here, as with files. */
export function parseSize(text: string): number {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*$/i.exec(text);
  const size = found ? Number(found[1]) * (units[(found[2] ?? '').toUpperCase()] ?? 1) : 0;
  if (size < 1) throw new TaskFailed(`"${text}" is no size; write for example 10MB.`, { retry: false });
  return Math.floor(size);
}

/** Files that grow at the same time, written in larger pieces. */
class Parts {
  readonly #folder: string;
  readonly #waiting = new Map<number, Buffer[]>();
  #waitingBytes = 0;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get names(): string[] {
    return Array.from({ length: this.#count }, (_, index) => nameOf(index));
  }

  async add(index: number, bytes: Buffer): Promise<void> {
    const list = this.#waiting.get(index) ?? [];
    list.push(bytes);
    this.#waiting.set(index, list);
    this.#count = Math.max(this.#count, index + 1);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > 4 * 1024 * 1024) await this.flush();
  }

  async flush(): Promise<void> {
    for (const [index, list] of this.#waiting)
      await appendFile(join(this.#folder, nameOf(index)), Buffer.concat(list));
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }
}

const nameOf = (index: number): string => `split-${String(index + 1).padStart(6, '0')}`;

import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';

/** Output below this is never suspicious. */
const harmlessBytes = 256 * 1024 * 1024;

/**
 * Stops a file that becomes far larger than it is. An administrator can change the limits in the configuration of the
 * type: `maxRatio`, `maxBytes` and `maxEntries`.
 */
export class Limits {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  #bytes = 0;
  #entries = 0;

  private constructor(maxBytes: number, maxEntries: number) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  static async of(context: TaskContext, type: string, from: string): Promise<Limits> {
    const { maxRatio = 500, maxBytes = Infinity, maxEntries = 100_000 } = context.configuration(type);
    const size = (await context.files.sizeOf(from)) ?? 0;
    const byRatio = Math.max(harmlessBytes, size * Number(maxRatio));
    return new Limits(Math.min(byRatio, Number(maxBytes)), Number(maxEntries));
  }

  countEntry(): void {
    this.#entries++;
    if (this.#entries > this.#maxEntries)
      throw new TaskFailed(`The archive has more than ${this.#maxEntries} entries ("maxEntries").`, {
        retry: false,
      });
  }

  /** Streams the content; fails when it exceeds the plausible size for its archive. */
  async *guard(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      signal.throwIfAborted();
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes)
        throw new TaskFailed(
          `The file decompresses to more than ${this.#maxBytes} bytes and is refused as a possible bomb. ` +
            'Raise "maxRatio" or "maxBytes" in the configuration of the type if it is genuine.',
          { retry: false },
        );
      yield chunk;
    }
  }
}

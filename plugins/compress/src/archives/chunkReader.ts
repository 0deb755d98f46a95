/** Reads chunks of any size in pieces of the size that a format needs. */
export class ChunkReader {
  readonly #content: AsyncIterator<Uint8Array>;
  #pending = Buffer.alloc(0);

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content[Symbol.asyncIterator]();
  }

  /** Reads exactly `length` bytes; undefined at the end of the content. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#pending.length < length) {
      const { done, value } = await this.#content.next();
      if (done) {
        if (this.#pending.length === 0) return undefined;
        throw new Error('the archive ends too early');
      }
      this.#pending = Buffer.concat([this.#pending, value]);
    }
    const bytes = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    return bytes;
  }

  async need(length: number): Promise<Buffer> {
    const bytes = length === 0 ? Buffer.alloc(0) : await this.take(length);
    if (!bytes) throw new Error('the archive ends too early');
    return bytes;
  }

  /** Streams the next bytes. The caller must skip unread bytes with `rest`. */
  part(length: number): { content: AsyncGenerator<Uint8Array>; rest(): Promise<void> } {
    let left = length;
    const next = async (): Promise<Uint8Array> => {
      const bytes = await this.need(Math.min(left, 64 * 1024));
      left -= bytes.length;
      return bytes;
    };
    async function* content(): AsyncGenerator<Uint8Array> {
      while (left > 0) yield await next();
    }
    return {
      content: content(),
      async rest() {
        while (left > 0) await next();
      },
    };
  }
}

interface Waiting<M> {
  readonly resolve: (message: M | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Buffers messages that a client library delivers by callback; the consumer takes them one at a time.
 * Configure prefetch or credit in the library, because the buffer itself has no limit.
 */
export class MessageBuffer<M> {
  readonly #messages: M[] = [];
  #waiting: Waiting<M> | undefined;
  #failure: Error | undefined;
  #discard: ((message: M) => void) | undefined;

  push(message: M): void {
    if (this.#discard) return this.#discard(message);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting.resolve(message);
    else this.#messages.push(message);
  }

  /** The connection is gone: every later call of `next` fails. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
    this.#waiting = undefined;
  }

  /** Discards all messages in the buffer and all that arrive later. */
  drain(discard: (message: M) => void): void {
    for (const message of this.#messages.splice(0)) discard(message);
    this.#discard = discard;
  }

  /** The next message; undefined when none arrives in time. Supports one caller at a time. */
  next(waitMs: number): Promise<M | undefined> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = undefined;
        resolve(undefined);
      }, waitMs);
      this.#waiting = {
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
    });
  }
}

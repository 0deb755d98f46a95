/** Why an attempt is interrupted; its abort signal carries it. */
export type InterruptionReason = 'kill' | 'timeout' | 'shutdown';

/**
 * The request to stop an attempt. The abort signal is created only when the task reads it, because creating
 * it costs more than running most tasks that never use it.
 */
export class Interruption {
  #reason: InterruptionReason | undefined;
  #controller: AbortController | undefined;
  readonly #listeners: (() => void)[] = [];

  get reason(): InterruptionReason | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason counts; later calls change nothing. */
  interrupt(reason: InterruptionReason): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners.splice(0)) listener();
  }

  onInterrupt(listener: () => void): void {
    if (this.#reason) listener();
    else this.#listeners.push(listener);
  }
}

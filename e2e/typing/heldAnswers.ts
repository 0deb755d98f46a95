declare global {
  interface Window {
    heldAnswers?: (() => void)[];
  }
}

/** Keeps what workers say in `heldAnswers` while there is such a list, as a busy worker would. Runs in the page. */
export function makeAnswersHoldable(): void {
  const { addEventListener } = Worker.prototype;
  Worker.prototype.addEventListener = function (
    this: Worker,
    type: string,
    listener: never,
    options?: never,
  ) {
    const heard = (event: Event) => {
      const answer = () => (listener as (event: Event) => void).call(this, event);
      if (window.heldAnswers) window.heldAnswers.push(answer);
      else answer();
    };
    addEventListener.call(this, type, type === 'message' ? heard : listener, options);
  } as typeof addEventListener;
  Object.defineProperty(Worker.prototype, 'onmessage', {
    set(this: Worker, listener: never) {
      this.addEventListener('message', listener);
    },
  });
}

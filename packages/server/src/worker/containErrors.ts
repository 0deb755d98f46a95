import { AsyncLocalStorage } from 'node:async_hooks';

/** How to fail the task whose code runs now. */
const running = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * The product's own types throw only inside their promise. They are left out because following callbacks slows every
 * promise of the process from its first use on.
 */
const containsItself = /^(?:core|scripts)\./;

/**
 * Runs a plugin so that an error which its client library throws in a callback, or a rejection that it does not handle,
 * fails its task instead of ending the server.
 */
export function containErrors<T>(type: string, work: () => Promise<T>): Promise<T> {
  if (containsItself.test(type)) return work();
  return new Promise((resolve, reject) => {
    running.run(reject, () => void work().then(resolve, reject));
  });
}

/** Fails the task that an uncaught error comes from. False when it comes from the server itself. */
export function failTaskOf(error: unknown): boolean {
  const fail = running.getStore();
  fail?.(error);
  return fail !== undefined;
}

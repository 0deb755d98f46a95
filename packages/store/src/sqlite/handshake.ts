/**
 * How a process ends while one of its threads is inside SQLite: ending the thread there aborts the process on some
 * drivers. Two shared cells: the thread says when it is inside, the main thread says when no new work may begin and
 * then waits, for a bounded time, until the thread is outside.
 */
const busy = 0;
const stop = 1;
const maxWaitMs = 5_000;

export const createHandshake = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

/** In the thread. False: the process is ending, do not begin. */
export function enter(cells: Int32Array): boolean {
  Atomics.store(cells, busy, 1);
  if (Atomics.load(cells, stop) === 0) return true;
  leave(cells);
  return false;
}

/** In the thread. */
export function leave(cells: Int32Array): void {
  Atomics.store(cells, busy, 0);
  Atomics.notify(cells, busy);
}

const watched = new Set<Int32Array>();

/** In the main thread, for the life of the thread; gives back the function that ends the watch. */
export function watchExit(cells: Int32Array): () => void {
  if (watched.size === 0) process.on('exit', stopAll);
  watched.add(cells);
  return () => {
    watched.delete(cells);
    if (watched.size === 0) process.off('exit', stopAll);
  };
}

function stopAll(): void {
  for (const cells of watched) Atomics.store(cells, stop, 1);
  for (const cells of watched) Atomics.wait(cells, busy, 1, maxWaitMs);
}

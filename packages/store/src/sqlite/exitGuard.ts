/**
 * Lets a process exit safely while one of its threads is inside SQLite: ending the thread there aborts the
 * process on some drivers. Two shared cells: the thread sets one while it is inside; the main thread sets the
 * other to stop new work, then waits, for a bounded time, until the thread is outside.
 */
const busy = 0;
const stop = 1;
const maxWaitMs = 5_000;

/** A new thread counts as inside until it has opened the database and calls `leave`. */
export function createExitGuard(): Int32Array {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  cells[busy] = 1;
  return cells;
}

/** Called in the thread. Returns false when the process is exiting and no work may start. */
export function enter(cells: Int32Array): boolean {
  Atomics.store(cells, busy, 1);
  if (Atomics.load(cells, stop) === 0) return true;
  leave(cells);
  return false;
}

/** Called in the thread. */
export function leave(cells: Int32Array): void {
  Atomics.store(cells, busy, 0);
  Atomics.notify(cells, busy);
}

const watched = new Set<Int32Array>();

/** Called in the main thread, for the lifetime of the thread; returns the function that ends the watch. */
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

/**
 * Shares one read between callers with the same arguments within one turn of the event loop. The read is sent
 * after the last of them called, so no caller gets an older result than with a separate read.
 */
export function coalesceReads<A extends readonly string[], R>(
  read: (...about: A) => Promise<R>,
): (...about: A) => Promise<R> {
  const asked = new Map<string, Promise<R>>();
  return (...about) => {
    const key = JSON.stringify(about);
    const shared = asked.get(key);
    if (shared !== undefined) return shared;
    const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asked.delete(key);
      return read(...about);
    });
    asked.set(key, reading);
    return reading;
  };
}

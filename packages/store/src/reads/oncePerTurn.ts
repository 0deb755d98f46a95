/**
 * Callers who ask for the same thing within one turn of the event loop share one read. It is sent after the last of
 * them has asked, so nobody gets anything older than with a read of their own.
 */
export function oncePerTurn<A extends readonly string[], R>(
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

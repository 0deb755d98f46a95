/** Processes at most `limit` items concurrently; the first failure stops the rest. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  let isFailed = false;
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined && !isFailed; item = queue.shift()) {
      await work(item).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(limit, 1), queue.length) }, worker));
}

export async function collect<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

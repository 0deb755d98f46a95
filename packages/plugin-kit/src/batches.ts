interface Limits<T> {
  readonly count: number;
  readonly bytes: number;
  readonly sizeOf: (item: T) => number;
}

/** Items in portions that a single request can hold. */
export async function* batchesOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  { count, bytes, sizeOf }: Limits<T>,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for await (const item of items) {
    const itemSize = sizeOf(item);
    if (batch.length > 0 && (batch.length >= count || size + itemSize > bytes)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(item);
    size += itemSize;
  }
  if (batch.length > 0) yield batch;
}

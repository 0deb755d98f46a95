const firstFetch = 100;
const targetBytes = 1_048_576;

/**
 * The number of rows to fetch next. Starts small and grows with the received rows, so that large rows do not
 * exhaust memory.
 */
export function fetchSizer(fetchSize: number) {
  let size = Math.min(fetchSize, firstFetch);
  return {
    next: (): number => size,
    measure(rows: readonly (readonly unknown[])[]): void {
      if (rows.length === 0) return;
      let bytes = 1;
      for (const row of rows)
        for (const cell of row)
          bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
      size = Math.max(1, Math.min(fetchSize, Math.floor(targetBytes / (bytes / rows.length))));
    },
  };
}

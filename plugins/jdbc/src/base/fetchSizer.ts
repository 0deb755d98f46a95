const firstFetch = 100;
const targetBytes = 1_048_576;

/**
 * How many rows to ask for next. Starts small and grows with the rows that came, so that a fetch of large rows does not
 * fill the memory.
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

export interface Match {
  /** Where the literals before it begin. */
  readonly from: number;
  readonly at: number;
  readonly distance: number;
  readonly length: number;
}

/** Repetitions of four bytes or more in a block, found with a table of hashes; the last bytes are never part of one. */
export function* findMatches(
  block: Uint8Array,
  maxDistance: number,
  untouchedEnd: number,
): Generator<Match, number> {
  const table = new Int32Array(1 << 14).fill(-1);
  const read = (at: number) =>
    (block[at] ?? 0) |
    ((block[at + 1] ?? 0) << 8) |
    ((block[at + 2] ?? 0) << 16) |
    ((block[at + 3] ?? 0) << 24);
  const limit = block.length - untouchedEnd;
  let from = 0;
  for (let at = 0; at + 4 <= limit; ) {
    const word = read(at);
    const hash = Math.imul(word, 0x9e37_79b1) >>> 18;
    const earlier = table[hash] ?? -1;
    table[hash] = at;
    if (earlier < 0 || at - earlier > maxDistance || read(earlier) !== word) {
      // The longer nothing repeats, the larger the steps.
      at += 1 + ((at - from) >> 6);
      continue;
    }
    let length = 4;
    while (at + length < limit && block[earlier + length] === block[at + length]) length++;
    yield { from, at, distance: at - earlier, length };
    at += length;
    from = at;
  }
  return from;
}

/**
 * The sorted start positions of all rotations of a text. Each round doubles the compared length, so that a
 * text of one repeated character costs no more than any other.
 */
export function sortRotations(text: Uint8Array): Uint32Array {
  const size = text.length;
  const order = new Uint32Array(size);
  const next = new Uint32Array(size);
  let rank = new Uint32Array(size);
  let nextRank = new Uint32Array(size);
  const counts = new Uint32Array(Math.max(256, size) + 1);

  for (const byte of text) counts[byte + 1] = (counts[byte + 1] ?? 0) + 1;
  for (let byte = 1; byte <= 256; byte++) counts[byte] = (counts[byte] ?? 0) + (counts[byte - 1] ?? 0);
  for (let at = 0; at < size; at++) {
    const byte = text[at] ?? 0;
    const place = counts[byte] ?? 0;
    counts[byte] = place + 1;
    order[place] = at;
  }
  let classes = rankBy(order, rank, (a, b) => text[a] === text[b]);

  for (let length = 1; classes < size && length < size; length *= 2) {
    // Ordered by the second half already: the rotation that starts `length` earlier has it there.
    for (let at = 0; at < size; at++) next[at] = ((order[at] ?? 0) + size - length) % size;
    counts.fill(0, 0, classes + 1);
    for (let at = 0; at < size; at++) {
      const own = (rank[at] ?? 0) + 1;
      counts[own] = (counts[own] ?? 0) + 1;
    }
    for (let own = 1; own <= classes; own++) counts[own] = (counts[own] ?? 0) + (counts[own - 1] ?? 0);
    for (let at = 0; at < size; at++) {
      const start = next[at] ?? 0;
      const own = rank[start] ?? 0;
      const place = counts[own] ?? 0;
      counts[own] = place + 1;
      order[place] = start;
    }
    const known = rank;
    classes = rankBy(
      order,
      nextRank,
      (a, b) => known[a] === known[b] && known[(a + length) % size] === known[(b + length) % size],
    );
    [rank, nextRank] = [nextRank, rank];
  }
  return order;
}

/** Numbers the rotations by their order; equal ones share a number. Returns how many numbers there are. */
function rankBy(order: Uint32Array, rank: Uint32Array, isEqual: (a: number, b: number) => boolean): number {
  let current = 0;
  for (let at = 0; at < order.length; at++) {
    const start = order[at] ?? 0;
    if (at > 0 && !isEqual(order[at - 1] ?? 0, start)) current++;
    rank[start] = current;
  }
  return order.length === 0 ? 0 : current + 1;
}

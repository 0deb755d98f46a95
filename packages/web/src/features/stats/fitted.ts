/** How often a window is narrowed: from days to hours, and from hours to minutes. */
const maxRounds = 2;
/** A window is narrowed when all entries lie in the last of this many parts. */
const parts = 8;

interface Window {
  readonly startDate: string;
}

interface Reading<Bucket> {
  readonly startOf: (bucket: Bucket) => string;
  readonly isEmpty: (bucket: Bucket) => boolean;
}

/**
 * Reads a window, and again from its first entry on while all entries lie at its end: thirty days with one bar say less
 * than the hours of that day.
 */
export async function fitted<Bucket, Asked extends Window>(
  window: Asked,
  read: (window: Asked) => Promise<readonly Bucket[]>,
  { startOf, isEmpty }: Reading<Bucket>,
): Promise<readonly Bucket[]> {
  let asked = window;
  let buckets = await read(asked);
  for (let round = 0; round < maxRounds; round++) {
    const first = buckets.findIndex((bucket) => !isEmpty(bucket));
    const bucket = buckets[first];
    if (bucket === undefined || first < buckets.length - Math.ceil(buckets.length / parts)) break;
    const startDate = startOf(bucket);
    // A window of one bucket cannot be narrowed.
    if (Date.parse(startDate) <= Date.parse(asked.startDate)) break;
    asked = { ...asked, startDate };
    buckets = await read(asked);
  }
  return buckets;
}

export const hasNoCounts = (counts: Readonly<Record<string, number>>): boolean =>
  Object.values(counts).every((count) => count === 0);

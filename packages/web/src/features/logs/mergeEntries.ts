import type { LogEntry } from '@millrace/contract';

/**
 * Joins what was listed with what a stream brings. A stream begins with the stored entries all over again and
 * may send one twice around the switch to live ones, yet equal lines can also be genuine: so lines are
 * counted, and only the surplus is new.
 */
export function mergeEntries(known: readonly LogEntry[], start: Iterable<LogEntry> = known) {
  const entries = [...known];
  let expected = countLines(start);
  return {
    entries,
    /** Adds the entry if it is new; says whether it was. */
    add(entry: LogEntry): boolean {
      const key = keyOf(entry);
      const left = expected.get(key) ?? 0;
      if (left > 0) {
        expected.set(key, left - 1);
        return false;
      }
      entries.push(entry);
      return true;
    },
    /** The stream begins again: everything seen so far will come once more. */
    restart(): void {
      expected = countLines(entries);
    },
  };
}

function countLines(entries: Iterable<LogEntry>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const keyOf = (entry: LogEntry): string =>
  `${entry.timestamp}|${entry.taskRunId ?? entry.triggerId ?? ''}|${entry.attemptNumber ?? ''}|${entry.level}|${entry.message ?? ''}`;

import type { OffsetChange } from '@millrace/contract';
import { findZone, offsetChanges } from '@millrace/engine';

/** The changes of the clocks of a zone between two instants. */
export function presentChanges(timeZone: string, from: number, to: number): OffsetChange[] {
  const zone = findZone(timeZone);
  if (!zone) return [];
  return offsetChanges(zone, from, to).map(({ at, beforeMs, afterMs }) => ({
    at: new Date(at).toISOString(),
    before: beforeMs / 60_000,
    after: afterMs / 60_000,
  }));
}

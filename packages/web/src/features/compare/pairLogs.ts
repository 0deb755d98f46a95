import type { LogEntry } from '@millrace/contract';
import { withoutIds } from '@millrace/engine';
import { diffLines, pairLines } from '../flows/index.ts';

/** Finding the shortest way between longer texts would take seconds; the end of a log says most. */
export const mostLines = 1_000;

/** The ids of each side, which texts may contain. */
export interface SideIds {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

export interface LogPair {
  readonly left?: LogEntry;
  readonly right?: LogEntry;
  readonly isSame: boolean;
}

/** The last lines of two logs beside each other: the same lines as pairs, the others where they stand. */
export function pairLogs(left: readonly LogEntry[], right: readonly LogEntry[], ids: SideIds): LogPair[] {
  const [before, after] = [left.slice(-mostLines), right.slice(-mostLines)];
  // Lines are compared by a number, so that a message of several lines counts as one.
  const numbers = new Map<string, number>();
  const numberOf =
    (own: readonly string[]) =>
    ({ level, message }: LogEntry): number => {
      const text = `${level} ${withoutTimes(withoutIds(message ?? '', own))}`;
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    };
  const lines = diffLines(
    before.map(numberOf(ids.left)).join('\n'),
    after.map(numberOf(ids.right)).join('\n'),
  );
  return pairLines(lines).flatMap((pair): LogPair[] => {
    const [a, b] = [before[(pair.left?.left ?? 0) - 1], after[(pair.right?.right ?? 0) - 1]];
    if (!a && !b) return [];
    return [{ ...(a && { left: a }), ...(b && { right: b }), isSame: pair.left?.kind === 'same' }];
  });
}

/** Dates, times and durations differ in every run. */
const withoutTimes = (message: string): string =>
  message
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, '⧖')
    .replace(/\b\d+([.,]\d+)?\s?(ms|s|seconds)\b/g, '⧖');

import { type LogEntry, type LogLevel, logLevels } from '@millrace/contract';
import type { ReactNode } from 'react';

export interface LogLine {
  readonly entry: LogEntry;
  /** Place in the whole log, so that a line keeps its identity when filters change. */
  readonly number: number;
  /** The first line of the message, without colour codes. */
  readonly head: string;
  /** What a search looks at, in lower case. */
  readonly searchText: string;
  readonly hasMore: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it removes.
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

export const stripEscapes = (text: string): string =>
  text.includes('\u001b') ? text.replace(escapes, '') : text;

export function readLine(entry: LogEntry, number: number): LogLine {
  const text = stripEscapes(entry.message ?? '').trimEnd();
  const end = text.indexOf('\n');
  return {
    entry,
    number,
    head: end < 0 ? text : text.slice(0, end),
    searchText: `${text} ${entry.taskId ?? entry.triggerId ?? ''}`.toLowerCase(),
    hasMore: end >= 0,
  };
}

export interface LineFilter {
  readonly minLevel: LogLevel;
  /** Counted from zero. */
  readonly attempt?: number | undefined;
  /** Lines that were written later are left out. */
  readonly untilMs?: number | undefined;
}

const rankOf: Readonly<Record<LogLevel, number>> = Object.fromEntries(
  logLevels.map((level, rank) => [level, rank]),
) as Record<LogLevel, number>;
// One entry per level, by construction.

export const isBelow = (level: LogLevel, other: LogLevel): boolean => rankOf[level] < rankOf[other];

export function filterLines(lines: readonly LogLine[], filter: LineFilter): readonly LogLine[] {
  const { minLevel, attempt, untilMs } = filter;
  if (minLevel === 'TRACE' && attempt === undefined && untilMs === undefined) return lines;
  return lines.filter(
    ({ entry }) =>
      !isBelow(entry.level, minLevel) &&
      (attempt === undefined || entry.attemptNumber === attempt) &&
      (untilMs === undefined || Date.parse(entry.timestamp) <= untilMs),
  );
}

/** The indexes of the lines that hold the text, whatever its case. */
export function findHits(items: readonly Pick<LogLine, 'searchText'>[], search: string): number[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return [];
  const hits: number[] = [];
  for (let index = 0; index < items.length; index += 1)
    if (items[index]!.searchText.includes(wanted)) hits.push(index);
  return hits;
}

/** The hit after or before a line, going round at the ends. */
export function nextHit(hits: readonly number[], from: number, step: 1 | -1): number | undefined {
  if (hits.length === 0) return undefined;
  return step === 1
    ? (hits.find((hit) => hit > from) ?? hits[0])
    : (hits.findLast((hit) => hit < from) ?? hits.at(-1));
}

/** The log as text, in the form of the server's download. */
export const asText = (lines: readonly LogLine[]): string =>
  lines
    .map(({ entry }) => `${entry.timestamp} ${entry.level} ${stripEscapes(entry.message ?? '')}`)
    .join('\n');

/** A part of the log under its own heading, such as the lines of one task run. */
export interface LogGroup {
  /** The task run whose lines it holds. */
  readonly id: string;
  readonly heading: ReactNode;
  /** Until the user opens or closes it. */
  readonly isOpenAtFirst: boolean;
}

export interface LogHeading {
  readonly group: LogGroup;
  readonly count: number;
  readonly isOpen: boolean;
  /** A search is for lines. */
  readonly searchText: '';
}

/** What a row of the list shows. */
export type LogItem = LogLine | LogHeading;

export const isHeading = (item: LogItem): item is LogHeading => 'group' in item;

/** The lines under the headings of their groups, in the order of the groups. Lines without a group come first. */
export function groupLines(
  lines: readonly LogLine[],
  groups: readonly LogGroup[],
  isOpen: (group: LogGroup) => boolean,
): LogItem[] {
  const byGroup = new Map<string, LogLine[]>(groups.map(({ id }) => [id, []]));
  const items: LogItem[] = [];
  for (const line of lines) (byGroup.get(line.entry.taskRunId ?? '') ?? items).push(line);
  for (const group of groups) {
    const own = byGroup.get(group.id) ?? [];
    const opened = isOpen(group);
    items.push({ group, count: own.length, isOpen: opened, searchText: '' });
    if (opened) for (const line of own) items.push(line);
  }
  return items;
}

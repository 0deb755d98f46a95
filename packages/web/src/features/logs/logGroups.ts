import type { ReactNode } from 'react';
import type { LogLine } from './logLine.ts';

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

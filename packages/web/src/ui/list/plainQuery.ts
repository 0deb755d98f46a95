import { z } from 'zod';
import { readSession, readStored, writeSession, writeStored } from '../../storage/storage.ts';
import { rangeIn, rangeParameters } from './dateRange.ts';

interface Usual {
  defaultSort: string;
  defaultRange?: string;
}

interface ListSearch {
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  size?: number | undefined;
  timeRange?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/**
 * What a list will ask for when its address has no conditions, known before anything of the list is loaded: the rows can
 * be on their way while the page is. Undefined when only the list itself can tell.
 */
export function plainQuery(pathname: string, search: ListSearch, { defaultSort, defaultRange }: Usual) {
  const { q, sort, page, size, timeRange, startDate, endDate, ...conditions } = search;
  const isPlain = Object.values(conditions).every((value) => value === undefined);
  // The list would soon ask for something else.
  if (!isPlain || readStored('defaultNamespace') || lastQueryOf(pathname)) return undefined;
  return {
    ...(q !== undefined && { q }),
    ...(defaultRange !== undefined &&
      rangeParameters(rangeIn({ timeRange, startDate, endDate }, defaultRange))),
    sort: sort ?? defaultSort,
    page: page ?? 1,
    size: pageSizeOf(size),
  };
}

const Query = z.record(z.string(), z.unknown());
const nameOf = (pathname: string): string => `list:${pathname}`;

/** What a list showed last in this tab of the browser. */
export const lastQueryOf = (pathname: string): Record<string, unknown> | undefined =>
  readSession(nameOf(pathname), Query);

export const rememberQuery = (pathname: string, query: Record<string, unknown> | undefined): void =>
  writeSession(nameOf(pathname), query);

export const pageSizes = [10, 25, 50, 100];
const usual = 25;

/** The page size of a list: the address first, then the last choice made on any list. */
export function pageSizeOf(fromAddress: number | undefined): number {
  const stored = Number(readStored('pageSize'));
  return fromAddress ?? (pageSizes.includes(stored) ? stored : usual);
}

export const rememberPageSize = (size: number): void => writeStored('pageSize', String(size));

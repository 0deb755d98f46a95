import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readStored } from '../../storage/storage.ts';
import {
  type Condition,
  type FilterField,
  readConditions,
  type SearchValues,
  writeConditions,
} from './condition.ts';
import { type DateRange, rangeIn, rangeParameters } from './dateRange.ts';
import { lastQueryOf, pageSizeOf, rememberPageSize, rememberQuery } from './plainQuery.ts';

export interface ListViewOptions {
  fields: readonly FilterField[];
  defaultSort: string;
  /** Given for lists that look back in time: how far, unless the address says otherwise. */
  defaultRange?: string;
  /** What the page around the list asks for already; sent with every call, never in the address. */
  fixed?: SearchValues;
  /** Conditions that hold unless the address says something else of their field. */
  defaults?: readonly Condition[];
}

/** What a list shows, as its address says it, and the ways to change that. */
export interface ListView {
  readonly fields: readonly FilterField[];
  readonly q: string | undefined;
  readonly sort: string;
  readonly page: number;
  readonly size: number;
  readonly conditions: readonly Condition[];
  readonly range: DateRange | undefined;
  /** Whether the user chose the range, and not the list. */
  readonly isRangeChosen: boolean;
  readonly isFiltered: boolean;
  /** The filters as parameters of a call, for a search and for an action on everything that it finds. */
  readonly filters: Record<string, unknown>;
  /** The filters with the order and the page. */
  readonly query: Record<string, unknown> & { sort: string; page: number; size: number };
  /** The part of the address that a saved search keeps. */
  readonly criteria: Record<string, unknown>;
  setText(q: string | undefined): void;
  setConditions(conditions: readonly Condition[]): void;
  setRange(range: DateRange): void;
  setSort(sort: string): void;
  setPage(page: number): void;
  /** Instead of the page that was asked for and does not exist; no step of the user's, so Back skips it. */
  correctPage(page: number): void;
  setSize(size: number): void;
  clear(): void;
  apply(criteria: Record<string, unknown>): void;
}

/**
 * The state of a list lives in the address, so that reload, back, forward and a shared link show the same. Whatever
 * narrows the list begins at its first page again.
 */
export function useListView(options: ListViewOptions): ListView {
  const { fields, defaultSort, defaultRange, fixed, defaults = [] } = options;
  const search: SearchValues = useSearch({ strict: false });
  const navigate = useNavigate();
  const q = textIn(search.q);
  const sort = textIn(search.sort) ?? defaultSort;
  const page = Number(search.page ?? 1);
  const size = pageSizeOf(search.size as number | undefined); // The route's schema read it as a number.
  const asked = readConditions(search, fields);
  const conditions = [...asked, ...defaults.filter(({ field }) => !asked.some((one) => one.field === field))];
  useOpeningQuery({
    search,
    isEmbedded: fixed !== undefined,
    hasNamespace: fields.some(({ name }) => name === 'namespace'),
  });
  const range = defaultRange === undefined ? undefined : rangeIn(search, defaultRange);
  const isRangeChosen =
    range?.kind === 'absolute' || (range !== undefined && range.duration !== defaultRange);

  const go = (next: Record<string, unknown>, how: { replace?: boolean } = {}) =>
    // `as`: the list is inside several routes; each route's schema drops what is not its own.
    void navigate({ to: '.', search: next as never, ...how });
  const pageParameter = (next: number) => ({ page: next === 1 ? undefined : next });
  const change = (part: Record<string, unknown>) => go({ ...search, page: undefined, ...part });
  // The usual range needs no place in the address.
  const dates = (next: DateRange) =>
    next.kind === 'relative' && next.duration === defaultRange
      ? rangeParameters({ kind: 'absolute' })
      : rangeParameters(next);
  const filters = {
    ...(q !== undefined && { q }),
    ...sent(fields, conditions),
    ...(range && rangeParameters(range)),
    ...fixed,
  };
  return {
    fields,
    q,
    sort,
    page,
    size,
    conditions,
    range,
    isRangeChosen,
    isFiltered: q !== undefined || asked.length > 0 || isRangeChosen,
    filters,
    query: { ...filters, sort, page, size },
    criteria: {
      ...(q !== undefined && { q }),
      ...writeConditions({}, fields, asked),
      ...(isRangeChosen && range && rangeParameters(range)),
    },
    setText: (next) => change({ q: next }),
    setConditions: (next) => go({ ...writeConditions(search, fields, next), page: undefined }),
    setRange: (next) => change(dates(next)),
    setSort: (next) => change({ sort: next }),
    setPage: (next) => change(pageParameter(next)),
    correctPage: (next) => go({ ...search, ...pageParameter(next) }, { replace: true }),
    setSize: (next) => {
      rememberPageSize(next);
      change({ size: next });
    },
    clear: () => go(withoutCriteria(search, fields)),
    apply: (criteria) => go({ ...withoutCriteria(search, fields), ...criteria }),
  };
}

const ownParameters = ['q', 'page', 'timeRange', 'startDate', 'endDate'];

function withoutCriteria(search: SearchValues, fields: readonly FilterField[]): Record<string, unknown> {
  const rest = Object.entries(search).filter(([name]) => !ownParameters.includes(name));
  return writeConditions(Object.fromEntries(rest), fields, []);
}

/** A call may know a field by another name than the address does. */
function sent(fields: readonly FilterField[], conditions: readonly Condition[]): Record<string, unknown> {
  const called = fields.map((field) => ({
    ...field,
    plain: { ...field.plain, parameter: field.plain.sentAs ?? field.plain.parameter },
  }));
  return writeConditions({}, called, conditions);
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

interface Opening {
  /** What the address says now. */
  search: Readonly<Record<string, unknown>>;
  /** A list inside another page is opened with that page, and keeps nothing. */
  isEmbedded: boolean;
  hasNamespace: boolean;
}

/**
 * A list that is opened without any wish shows what it showed last in this tab, or begins in the namespace that the
 * settings name. Going back or forward, reloading and a shared link come with their address, and that is what they show.
 */
function useOpeningQuery({ search, isEmbedded, hasNamespace }: Opening): void {
  const navigate = useNavigate();
  const router = useRouter();
  // Of the list's own match: while another page is on its way, the location is that page's already.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const entries = Object.entries(search).filter(([, value]) => value !== undefined);
  const query = JSON.stringify(Object.fromEntries(entries));
  const isBare = entries.length === 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only on opening; a user who clears the filters means it.
  useEffect(() => {
    if (isEmbedded || !isBare) return;
    const last = isNewEntry(router.state.location.state) ? lastQueryOf(pathname) : undefined;
    const namespace = hasNamespace ? readStored('defaultNamespace') : undefined;
    const wanted = last ?? (namespace ? { namespace } : undefined);
    // `as`: the list is inside several routes; each route's schema drops what is not its own.
    if (wanted) void navigate({ to: '.', search: wanted as never, replace: true });
  }, []);

  useEffect(() => {
    if (isEmbedded) return;
    markSeen(router.state.location.state);
    rememberQuery(pathname, isBare ? undefined : JSON.parse(query));
  }, [isEmbedded, isBare, pathname, query, router]);
}

interface EntryState {
  __TSR_key?: string;
  __TSR_index?: number;
}

const seen = new Set<string>();

/** Reached by a link of the app: neither the first entry of the tab nor one that has been shown before. */
const isNewEntry = ({ __TSR_key = '', __TSR_index = 0 }: EntryState): boolean =>
  __TSR_index > 0 && !seen.has(__TSR_key);

const markSeen = ({ __TSR_key }: EntryState): void => {
  if (__TSR_key) seen.add(__TSR_key);
};

/**
 * A page that lies behind the last one, because rows are gone since its link was made, becomes the last one: an empty
 * page among full ones would look like an empty list.
 */
export function useLastPage(
  { page, size, correctPage }: Pick<ListView, 'page' | 'size' | 'correctPage'>,
  data: { results: readonly unknown[]; total: number } | undefined,
): void {
  const isBehind = page > 1 && data?.results.length === 0 && data.total > 0;
  const last = Math.ceil((data?.total ?? 0) / size);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every rendering creates a new view.
  useEffect(() => {
    if (isBehind) correctPage(last);
  }, [isBehind, last]);
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { pageSizeOf, rememberPageSize } from '../pageSize.ts';
import {
  type Condition,
  type FilterField,
  readConditions,
  type SearchValues,
  writeConditions,
} from './condition.ts';
import { type DateRange, rangeIn, rangeParameters } from './dateRange.ts';
import { useOpeningQuery } from './useOpeningQuery.ts';

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

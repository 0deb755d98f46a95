import {
  type ExecutionCondition,
  executionList,
  type LabelCondition,
  whereOf,
} from '../filters/executionFilters.ts';
import { limitOf, orderBy } from '../filters/list.ts';
import { always, and, hideFromPlanner, raw, type Sql, sql } from '../filters/sql.ts';
import type { ExecutionQuery, ListedExecution, Page } from '../port/queries.ts';
import { decodeListedExecution, type ExecutionRow } from '../rows/executionRow.ts';
import type { Row } from '../rows/value.ts';
import { countExecutions, isCounted } from './countExecutions.ts';
import { countInTime, readTotal } from './countRows.ts';
import { executionConditions } from './executionConditions.ts';
import { executionColumns } from './executions.ts';
import type { Queries } from './queries.ts';
import { isEntryOf, smallestLabel } from './smallestLabel.ts';

/** Up to this number, rows are collected and sorted for every page. */
const fewRows = 5_000;
/** The rows that show whether matches are frequent. */
const sampledRows = 2_000;
/** Labels are compared by their size up to this number. */
const manyRows = 30_000;

/**
 * A page is read in one of two ways, which the number of matches decides. Neither database can estimate it, so it comes
 * from the roll-up, from the labels, or from a sample.
 *
 * - Many matches: rows are scanned in the order of the list until the page is full.
 * - Few matches: they are collected through the most selective index and sorted.
 */
export async function listExecutions(
  queries: Queries,
  query: ExecutionQuery,
): Promise<Page<ListedExecution>> {
  const order = orderOf(query);
  const { limit, offset } = limitOf(query);
  const conditions = await executionConditions(queries, query.filters);
  if (conditions.every(isCounted)) {
    const total = await countExecutions(queries, conditions);
    if (offset >= total) return { results: [], total };
    const isMany = total > fewRows && order.hasIndex;
    const rows = isMany
      ? inOrder(conditions, undefined, order)
      : sql`${collected(conditions, undefined)} ORDER BY ${order.by}`;
    return { results: decode(await readRows(queries, rows, order, { limit, offset })), total };
  }
  return findMatches(queries, conditions, order, { limit, offset });
}

/** A page of matches that the roll-up cannot count. */
async function findMatches(
  queries: Queries,
  conditions: readonly ExecutionCondition[],
  order: Order,
  page: Window,
): Promise<Page<ListedExecution>> {
  const { limit, offset } = page;
  const smallest = await smallestLabel(queries, conditions, fewRows);
  if (smallest !== undefined && smallest.size < fewRows)
    return collect(queries, conditions, smallest.label, order, page);
  const label = smallest?.label;
  const sample = order.hasIndex ? await count(queries, firstRows(conditions, label, order)) : 0;
  if (sample < limit)
    return collect(queries, conditions, await chooseDrivingLabel(queries, conditions), order, page);
  const more = await readRows(queries, inOrder(conditions, label, order), order, {
    limit: limit + 1,
    offset,
  });
  const results = decode(more.slice(0, limit));
  const known = more.length === 0 ? 0 : offset + more.length;
  if (more.length > 0 && more.length <= limit) return { results, total: known };
  const total = await countInTime(queries, collected(conditions, label), Math.max(sample, known));
  return { results, total };
}

/** All matches, counted and sorted: by an expression, because the index of the order would lead to other rows. */
async function collect(
  queries: Queries,
  conditions: readonly ExecutionCondition[],
  label: LabelCondition | undefined,
  order: Order,
  page: Window,
): Promise<Page<ListedExecution>> {
  const from = collected(conditions, label);
  const by = raw(order.by.text.replaceAll('executions.start_date', '(executions.start_date + 0)'));
  const counted = raw(', count(*) OVER () AS total');
  const rows = await readRows(queries, sql`${from} ORDER BY ${by}`, order, page, counted);
  const total = rows[0]?.total ?? (page.offset === 0 ? 0 : await count(queries, from));
  return { results: decode(rows), total: Number(total) };
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

interface Order {
  readonly by: Sql;
  readonly isByStart: boolean;
  /** An index covers the whole order. */
  readonly hasIndex: boolean;
}

const indexedOrder = /^(executions\.start_date|duration|end_date|executions\.id|namespace|flow_id|state) /;

function orderOf(query: ExecutionQuery): Order {
  const by = orderBy(executionList, query);
  const hasIndex = (query.sort?.length ?? 0) <= 1 && indexedOrder.test(by.text);
  return { by, isByStart: hasIndex && by.text.startsWith('executions.start_date '), hasIndex };
}

/** The most selective label; undefined when there is none, or when the conditions that the roll-up counts match less. */
async function chooseDrivingLabel(
  queries: Queries,
  conditions: readonly ExecutionCondition[],
): Promise<LabelCondition | undefined> {
  const smallest = await smallestLabel(queries, conditions, manyRows);
  const counted = conditions.filter(isCounted);
  if (smallest === undefined || counted.length === 0) return smallest?.label;
  return (await countExecutions(queries, counted)) < smallest.size ? undefined : smallest.label;
}

const perRowOf = (condition: ExecutionCondition): Sql =>
  'perRow' in condition && condition.perRow !== undefined ? condition.perRow : condition.where;

/** All matches as FROM and WHERE, starting with a label if there is one. */
function collected(conditions: readonly ExecutionCondition[], label: LabelCondition | undefined): Sql {
  if (label?.pairs.length === 1) return labelled(label, conditions, (each) => each.where);
  const rest = conditions.filter((each) => each !== label);
  const others = and(...rest.map((each) => (each.kind === 'label' ? each.perRow : each.where)));
  if (label === undefined) return sql`executions WHERE ${others}`;
  // With several pairs an execution can have the label twice.
  const ids = sql`SELECT d.execution_id FROM execution_labels d WHERE ${isEntryOf(label, conditions)}`;
  return sql`executions WHERE executions.id IN (${ids}) AND ${others}`;
}

/**
 * The executions of a label, or of its first entries. CROSS JOIN makes SQLite start there, and other labels are
 * compared before the row of the execution is read.
 */
function labelled(
  label: LabelCondition,
  conditions: readonly ExecutionCondition[],
  narrow: (condition: ExecutionCondition) => Sql,
  first?: Sql,
): Sql {
  const isEntry = isEntryOf(label, conditions);
  const others = and(...conditions.filter((condition) => condition !== label).map(narrow));
  const matches = others.text.replaceAll('l.execution_id = executions.id', 'l.execution_id = d.execution_id');
  const [from, where] =
    first === undefined
      ? [sql`execution_labels d`, isEntry]
      : [
          sql`(SELECT d.execution_id, d.start_date FROM execution_labels d WHERE ${isEntry} ${first}) d`,
          always,
        ];
  return sql`${from} CROSS JOIN executions
    WHERE ${where} AND executions.id = d.execution_id AND ${{ ...others, text: matches }}`;
}

/** A label whose index has the order of the list. */
const drivingLabel = (label: LabelCondition | undefined, order: Order): LabelCondition | undefined =>
  order.isByStart && label?.pairs.length === 1 ? label : undefined;

/** The matches in an order that an index has; conditions that would lead to another index are hidden from the planner. */
function inOrder(
  conditions: readonly ExecutionCondition[],
  label: LabelCondition | undefined,
  order: Order,
): Sql {
  const isPlain = (condition: ExecutionCondition): boolean =>
    order.isByStart && (condition.kind === 'start' || (condition.kind === 'rollUp' && condition.isExact));
  const narrow = (condition: ExecutionCondition): Sql =>
    isPlain(condition) ? condition.where : hideFromPlanner(perRowOf(condition));
  const driver = drivingLabel(label, order);
  if (driver !== undefined) {
    const by = raw(order.by.text.replaceAll('executions.start_date', 'd.start_date'));
    return sql`${labelled(driver, conditions, narrow)} ORDER BY ${by}`;
  }
  return sql`executions WHERE ${and(...conditions.map(narrow))} ORDER BY ${order.by}`;
}

const columns = ['seq', 'id', 'namespace', 'flow_id', 'state', 'start_date', 'end_date', 'duration'];
const ownColumns = raw([...columns, 'trigger_execution_id'].map((name) => `executions.${name}`).join(', '));

/** The matches among the first rows of the list: those of a label, or those whose index has the order of the list. */
function firstRows(
  conditions: readonly ExecutionCondition[],
  label: LabelCondition | undefined,
  order: Order,
): Sql {
  const driver = drivingLabel(label, order);
  if (driver !== undefined) {
    const direction = order.by.text.includes('DESC') ? 'DESC' : 'ASC';
    return labelled(
      driver,
      conditions,
      perRowOf,
      raw(`ORDER BY d.start_date ${direction} LIMIT ${sampledRows}`),
    );
  }
  const first = sql`SELECT ${ownColumns} FROM executions WHERE ${whereOf(indexedOf(conditions, order))}
    ORDER BY ${order.by} LIMIT ${raw(sampledRows)}`;
  return sql`(${first}) executions WHERE ${and(...conditions.map(perRowOf))}`;
}

/** The conditions for which an index has the order of the start date. */
function indexedOf(conditions: readonly ExecutionCondition[], order: Order): readonly ExecutionCondition[] {
  if (!order.isByStart) return [];
  const exact = conditions.flatMap((each) => (each.kind === 'rollUp' && each.isExact ? [each.field] : []));
  const hasIndex: Readonly<Record<string, boolean>> = {
    namespace: true,
    flowId: exact.includes('namespace'),
    state: !exact.includes('flowId'),
  };
  return conditions.filter(
    (each) =>
      each.kind === 'start' || (each.kind === 'rollUp' && each.isExact && hasIndex[each.field] === true),
  );
}

const count = (queries: Queries, from: Sql): Promise<number> =>
  readTotal(queries, sql`SELECT count(*) AS total FROM ${from}`);

/** The page is chosen on indexed columns; only its rows are read. */
async function readRows(
  queries: Queries,
  from: Sql,
  order: Order,
  { limit, offset }: Window,
  total?: Sql,
): Promise<readonly Row[]> {
  return queries.scan(
    sql`SELECT ${executionColumns}${raw(total === undefined ? '' : ', total')} FROM executions
      JOIN (SELECT executions.seq AS page_seq${total ?? raw('')} FROM ${from} LIMIT ${limit} OFFSET ${offset}) page
        ON executions.seq = page.page_seq
      ORDER BY ${order.by}`,
  );
}

// `as`: the columns are those of the statement.
const decode = (rows: readonly Row[]): ListedExecution[] =>
  rows.map((row) => ({ execution: decodeListedExecution(row as unknown as ExecutionRow) }));

import type { LabelCondition } from '../filters/executionFilters.ts';
import { join, never, placeholders, type Sql, sql } from '../filters/sql.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import { choosePage, type Order } from './choosePage.ts';
import { countInTime } from './countRows.ts';
import { findInOrder } from './findInOrder.ts';
import { orderedLists } from './orderedLists.ts';
import type { Queries } from './queries.ts';
import type { ResolvedCondition } from './resolveWords.ts';
import { labelledBy, smallestLabel } from './smallestLabel.ts';
import { fromOf, onlyLabels, perRowOf, totalOf, whereOf } from './total.ts';

/** Collecting or scanning this number of rows takes some milliseconds. */
const few = 2_000;
/** Above this count the label index is not selective, so another index drives the query. */
const manyLabelled = 30_000;
/** Scanning this number of rows is faster than collecting `manyLabelled` rows or more. */
const far = 200_000;

interface Window {
  readonly limit: number;
  readonly offset: number;
}

export interface Matches {
  /** The rows of the page, as a condition on them. */
  readonly found: Sql;
  /** May resolve after the page. */
  readonly total: Promise<number>;
}

/**
 * The page of a list that the roll-up cannot count: with conditions on labels, parents or patterns. Neither
 * database can estimate how many rows match, so the query depends on that as little as possible:
 *
 * - The index of a rare label returns all matches.
 * - When indexes cover all conditions in the order of the list, they are merged; see `orderedLists`.
 * - Otherwise rows are scanned in the order of the list until the page is full. With frequent matches that
 *   takes the same short time however many there are.
 * - Rare matches are collected, starting with the most selective known condition.
 */
export async function findMatches(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
  order: Order,
  page: Window,
): Promise<Matches> {
  const lists = orderedLists(conditions, order);
  const smallest = lists?.length === 1 ? undefined : await smallestLabel(queries, conditions, few);
  const label = smallest?.label;
  if (smallest !== undefined && smallest.size < few) {
    // SQLite would look up the other labels by value, although only a few rows need to be checked.
    const narrow = queries.dialect.name === 'sqlite' ? perRowOf : whereOf;
    return collect(queries, fromOf(conditions, label, narrow), order, page);
  }
  const inOrder = lists === undefined ? undefined : await findInOrder(queries, lists, order, page);
  if (inOrder !== undefined) return { found: oneOfKeys('executions.id', inOrder.ids), total: inOrder.total };
  const walk = order.hasIndex ? walkOf(conditions, label, order, few) : undefined;
  const found = (seqs: readonly number[], near: Walk): Matches => ({
    found: oneOfSeqs(seqs),
    total: countFrom(queries, conditions, near, label, page),
  });
  if (walk !== undefined && page.offset < few) {
    const seqs = await firstMatches(queries, walk, page);
    if (seqs !== undefined) return found(seqs, walk);
  }
  if (walk === undefined || (await countWalk(queries, walk)) < page.limit) {
    const lead = await chooseLead(queries, conditions);
    if (walk !== undefined && page.offset < few && lead.size >= manyLabelled) {
      // Many rows match, but not the first ones: for example, a namespace that does not use the label.
      const seqs = await firstMatches(queries, walkOf(conditions, label, order, far), page);
      if (seqs !== undefined) return found(seqs, walk);
    }
    return collect(queries, fromOf(conditions, lead.label), order, page);
  }
  // A late page with frequent matches: continue in the order of the list.
  const chosen = choosePage(conditions, { total: Number.POSITIVE_INFINITY, lead: singleOf(label) }, order);
  const rows = await queries.scan(`SELECT executions.seq FROM ${chosen.text} LIMIT ? OFFSET ?`, [
    ...chosen.params,
    page.limit,
    page.offset,
  ]);
  // After the last page, the number of rows before it is unknown.
  const known = { limit: rows.length, offset: rows.length === 0 ? 0 : page.offset };
  const total = countFrom(queries, conditions, walk, label, known);
  return { found: oneOfSeqs(rows.map(seqOf)), total };
}

const oneOfKeys = (column: string, keys: readonly SqlValue[]): Sql =>
  keys.length === 0 ? never : sql(`${column} IN (${placeholders(keys.length)})`, ...keys);
const oneOfSeqs = (seqs: readonly number[]): Sql => oneOfKeys('executions.seq', seqs);

const seqOf = (row: Row): number => Number(row.seq);
const singleOf = (label: LabelCondition | undefined): LabelCondition | undefined =>
  label?.pairs.length === 1 ? label : undefined;

/** Some rows in the order of the list, and the remaining conditions on each of them. */
interface Walk {
  readonly from: Sql;
  readonly matches: Sql;
  readonly order: string;
}

function walkOf(
  conditions: readonly ResolvedCondition[],
  label: LabelCondition | undefined,
  order: Order,
  count: number,
): Walk {
  const lead = order.isByStart ? singleOf(label) : undefined;
  return {
    from:
      lead === undefined
        ? rowsInOrder(conditions, order, count)
        : labelledRows(conditions, lead, order, count),
    matches: join(conditions.filter((condition) => condition !== lead).map(perRowOf), ' AND '),
    order: lead === undefined ? order.text : order.text.replace('executions.start_date', 'd.start_date'),
  };
}

/** The page, if the rows contain it and one more: they may not contain all rows of the last millisecond. */
async function firstMatches(
  queries: Queries,
  { from, matches, order }: Walk,
  { limit, offset }: Window,
): Promise<readonly number[] | undefined> {
  const rows = await queries.scan(
    `SELECT executions.seq, executions.start_date FROM ${from.text} AND ${matches.text}
     ORDER BY ${order} LIMIT ? OFFSET ?`,
    [...from.params, ...matches.params, limit + 1, offset],
  );
  const [last, next] = rows.slice(-2);
  if (rows.length <= limit || Number(last?.start_date) === Number(next?.start_date)) return undefined;
  return rows.slice(0, limit).map(seqOf);
}

async function countWalk(queries: Queries, { from, matches }: Walk): Promise<number> {
  const rows = await queries.scan(`SELECT count(*) AS total FROM ${from.text} AND ${matches.text}`, [
    ...from.params,
    ...matches.params,
  ]);
  return Number(rows[0]?.total ?? 0);
}

/** The exact count if it is known in time; otherwise a lower bound. */
async function countFrom(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
  walk: Walk,
  label: LabelCondition | undefined,
  { limit, offset }: Window,
): Promise<number> {
  const all = onlyLabels(conditions, label) ?? fromOf(conditions, label, perRowOf);
  const [some, known] = await Promise.all([
    countWalk(queries, walk),
    countInTime(queries, all, offset + limit),
  ]);
  return Math.max(some, known);
}

const columns = ['seq', 'id', 'namespace', 'flow_id', 'state', 'start_date', 'end_date', 'duration'];
const ownColumns = [...columns, 'trigger_execution_id'].map((name) => `executions.${name}`).join(', ');

/**
 * Applies conditions whose index also has the order of the list before the limit, so that every scanned row
 * meets them.
 */
function rowsInOrder(conditions: readonly ResolvedCondition[], order: Order, count: number): Sql {
  const exact = conditions.flatMap((each) => (each.kind === 'rollUp' && !each.spread ? [each.field] : []));
  const hasIndex: Readonly<Record<string, boolean>> = {
    namespace: true,
    flowId: exact.includes('namespace'),
    state: !exact.includes('flowId'),
  };
  const isLeading = (condition: ResolvedCondition): boolean =>
    condition.kind === 'start' ||
    (condition.kind === 'rollUp' && !condition.spread && hasIndex[condition.field] === true);
  const leading = order.isByStart ? conditions.filter(isLeading) : [];
  const where = join(leading.map(whereOf), ' AND ');
  return sql(
    `(SELECT ${ownColumns} FROM executions WHERE ${where.text} ORDER BY ${order.text} LIMIT ${count}) executions
     WHERE 1 = 1`,
    ...where.params,
  );
}

/** The first rows with a label, in the order of the list. */
function labelledRows(
  conditions: readonly ResolvedCondition[],
  lead: LabelCondition,
  order: Order,
  count: number,
): Sql {
  const labelled = labelledBy(lead, conditions);
  const direction = order.text.includes('DESC') ? 'DESC' : 'ASC';
  return sql(
    `(SELECT d.execution_id, d.start_date FROM ${labelled.text} ORDER BY d.start_date ${direction} LIMIT ${count}) d
     CROSS JOIN executions WHERE executions.id = d.execution_id`,
    ...labelled.params,
  );
}

/**
 * Chooses the index of a label, or the other conditions with a check of each row's labels. Also returns the
 * number of rows, counted up to `manyLabelled`.
 */
async function chooseLead(
  queries: Queries,
  conditions: readonly ResolvedCondition[],
): Promise<{ readonly label: LabelCondition | undefined; readonly size: number }> {
  const smallest = await smallestLabel(queries, conditions, manyLabelled);
  // Without a label condition there is no count.
  if (smallest === undefined) return { label: undefined, size: 0 };
  const others = conditions.filter(({ kind }) => kind === 'rollUp' || kind === 'start');
  if (others.length === 0) return smallest;
  const { total } = await totalOf(queries, others);
  return total < smallest.size ? { label: undefined, size: total } : smallest;
}

/** All matches, counted and sorted. */
async function collect(
  queries: Queries,
  from: Sql,
  order: Order,
  { limit, offset }: Window,
): Promise<Matches> {
  // Sorts by an expression to avoid the index: all matches are counted, so reading them in order gains
  // nothing.
  const by = order.text.replaceAll('executions.start_date', '(executions.start_date + 0)');
  const rows = await queries.scan(
    `SELECT executions.seq, count(*) OVER () AS total FROM ${from.text} ORDER BY ${by} LIMIT ? OFFSET ?`,
    [...from.params, limit, offset],
  );
  const total = Number(rows[0]?.total ?? 0);
  if (rows.length > 0 || offset === 0)
    return { found: oneOfSeqs(rows.map(seqOf)), total: Promise.resolve(total) };
  const counted = await queries.scan(`SELECT count(*) AS total FROM ${from.text}`, from.params);
  return { found: never, total: Promise.resolve(Number(counted[0]?.total ?? 0)) };
}

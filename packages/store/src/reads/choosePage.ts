import type { LabelCondition } from '../filters/executionFilters.ts';
import { hideFromPlanner, join, type Sql, sql } from '../filters/sql.ts';
import { eitherOf, type ResolvedCondition, type Words } from './resolveWords.ts';
import { fromOf, whereOf } from './total.ts';

/**
 * Above this number of matches, scanning back in time until the page is full is faster than sorting all
 * matches.
 */
const manyMatches = 5_000;
/** Up to this number of flows, the newest executions of each flow are read separately. */
const fewFlows = 40;
/** Later pages are rare, and would read this many executions of each flow. */
const nearRows = 500;
/** Orders with a dedicated index that contains no condition. */
const ownOrder = /^(duration|end_date|executions\.id|namespace|flow_id|state) /;

/** How a list is sorted. */
export interface Order {
  readonly text: string;
  readonly isByStart: boolean;
  /** An index covers the whole order. */
  readonly hasIndex: boolean;
}

export function orderOf(text: string, sorts: number): Order {
  const isByStart = sorts <= 1 && text.startsWith('executions.start_date ');
  return { text, isByStart, hasIndex: isByStart || (sorts <= 1 && ownOrder.test(text)) };
}

interface Sought {
  /** The number of matches. */
  readonly total: number;
  readonly lead: LabelCondition | undefined;
  /** The end of the page, counted from the first match; absent: unknown. */
  readonly end?: number;
}

/**
 * The FROM, WHERE and ORDER BY that select the rows of a page, on indexed columns only.
 *
 * A leading label has the order of the list in its own index. Otherwise the number of matches decides, which
 * the query planners cannot know: SQLite would collect a million rows because a namespace prefix has an
 * index.
 */
export function choosePage(
  conditions: readonly ResolvedCondition[],
  { total, lead, end = Number.POSITIVE_INFINITY }: Sought,
  order: Order,
): Sql {
  const many = total > manyMatches;
  const words = conditions.find((condition) => condition.kind === 'words');
  if (words !== undefined && order.isByStart && end <= nearRows && isOfFewFlows(words, conditions, many))
    return newestOfFlows(words, conditions, order, end);
  const byOrder = many && order.hasIndex && !order.isByStart;
  const from = fromOf(conditions, byOrder ? undefined : lead, (condition) =>
    byOrder ? hideFromPlanner(whereOf(condition)) : narrow(condition, many),
  );
  const by = lead === undefined ? order.text : order.text.replaceAll('executions.start_date', 'd.start_date');
  return sql(`${from.text} ORDER BY ${byOrder ? order.text : by}`, ...from.params);
}

const isOfFewFlows = (words: Words, conditions: readonly ResolvedCondition[], many: boolean): boolean =>
  !words.negated &&
  words.flows.length <= fewFlows &&
  (words.fewIds || !many) &&
  conditions.every((condition) => condition === words || condition.kind === 'start');

/**
 * When the words match whole flows, an index has the executions of each flow in the order of the list:
 * neither flows with many executions nor flows that have not run for a long time make a page slow.
 */
function newestOfFlows(
  { flows, byId }: Words,
  conditions: readonly ResolvedCondition[],
  order: Order,
  end: number,
): Sql {
  const starts = conditions.filter(({ kind }) => kind === 'start').map(whereOf);
  const newest = flows.map(([namespace, flowId], index) => {
    const { text, params } = join(
      [sql('namespace = ? AND flow_id = ?', namespace, flowId), ...starts],
      ' AND ',
    );
    return sql(
      `SELECT seq FROM (SELECT executions.seq FROM executions WHERE ${text} ORDER BY ${order.text} LIMIT ?) f${index}`,
      ...params,
      end,
    );
  });
  const others = join([byId, ...starts], ' AND ');
  const all = [
    ...newest,
    sql(`SELECT executions.seq FROM executions WHERE ${others.text}`, ...others.params),
  ];
  return sql(
    `executions WHERE executions.seq IN (${all.map(({ text }) => text).join(' UNION ')}) ORDER BY ${order.text}`,
    ...all.flatMap(({ params }) => params),
  );
}

/** With many matches, the planner must not use the index of an unselective condition; with few, it should. */
function narrow(condition: ResolvedCondition, many: boolean): Sql {
  if (condition.kind === 'rollUp' && condition.spread && many) return hideFromPlanner(condition.where);
  if (condition.kind !== 'words' || condition.negated) return whereOf(condition);
  if (many) return hideFromPlanner(eitherOf(condition));
  const { byFlow, byId } = condition;
  return sql(
    `executions.seq IN (SELECT executions.seq FROM executions WHERE ${byFlow.text}
       UNION SELECT executions.seq FROM executions WHERE ${byId.text})`,
    ...byFlow.params,
    ...byId.params,
  );
}

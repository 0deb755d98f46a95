import type { LabelCondition } from '../filters/executionFilters.ts';
import { hideFromPlanner, join, type Sql, sql } from '../filters/sql.ts';
import { eitherOf, type ResolvedCondition, type Words } from './resolveWords.ts';
import { fromOf, whereOf } from './total.ts';

/** From so many matches on, going back in time until a page is full is shorter than collecting and sorting them all. */
const manyMatches = 5_000;
/** Of so few flows the newest executions of each are looked up. */
const fewFlows = 40;
/** Pages beyond are seldom asked for, and would collect as many of each flow. */
const nearRows = 500;
/** Orders that have an index of their own, which no condition is part of. */
const ownOrder = /^(duration|end_date|executions\.id|namespace|flow_id|state) /;

/** How a list is sorted. */
export interface Order {
  readonly text: string;
  readonly isByStart: boolean;
  /** An index has the whole order. */
  readonly hasIndex: boolean;
}

export function orderOf(text: string, sorts: number): Order {
  const isByStart = sorts <= 1 && text.startsWith('executions.start_date ');
  return { text, isByStart, hasIndex: isByStart || (sorts <= 1 && ownOrder.test(text)) };
}

interface Sought {
  /** How many match. */
  readonly total: number;
  readonly lead: LabelCondition | undefined;
  /** Where the page ends, counted from the first match; absent: unknown. */
  readonly end?: number;
}

/**
 * The FROM, WHERE and ORDER BY that choose the rows of a page, on indexed columns alone.
 *
 * A label that leads has the order of the list in its own index. Otherwise the number of matches decides. The databases
 * cannot know it: SQLite would collect a million rows because a namespace prefix has an index.
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
 * Where words mean whole flows, an index has the executions of each in the order of the list: neither flows with many
 * executions nor those that have not run for long make a page slow.
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

/** With many matches, conditions that many values meet must not choose the index; with few, they should. */
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

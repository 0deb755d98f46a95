import type { LabelCondition } from '../filters/executionFilters.ts';
import { hideFromPlanner, type Sql, sql } from '../filters/sql.ts';
import { eitherOf, type ResolvedCondition } from './resolveWords.ts';
import { fromOf, whereOf } from './total.ts';

/** From so many matches on, going back in time until a page is full is shorter than collecting and sorting them all. */
const manyMatches = 5_000;
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

/**
 * The FROM, WHERE and ORDER BY that choose the rows of a page, on indexed columns alone.
 *
 * A label that leads has the order of the list in its own index. Otherwise the number of matches decides. The databases
 * cannot know it: SQLite would collect a million rows because a namespace prefix has an index.
 */
export function choosePage(
  conditions: readonly ResolvedCondition[],
  { total, lead }: { readonly total: number; readonly lead: LabelCondition | undefined },
  order: Order,
): Sql {
  const many = total > manyMatches;
  const byOrder = many && order.hasIndex && !order.isByStart;
  const from = fromOf(conditions, byOrder ? undefined : lead, (condition) =>
    byOrder ? hideFromPlanner(whereOf(condition)) : narrow(condition, many),
  );
  const by = lead === undefined ? order.text : order.text.replaceAll('executions.start_date', 'd.start_date');
  return sql(`${from.text} ORDER BY ${byOrder ? order.text : by}`, ...from.params);
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

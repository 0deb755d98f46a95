import { join, type Sql, sql } from '../filters/sql.ts';
import { eitherOf, type ResolvedCondition } from './resolveWords.ts';
import { whereOf } from './total.ts';

/** From so many matches on, going back in time until a page is full is shorter than collecting and sorting them all. */
const manyMatches = 5_000;

/**
 * The FROM, WHERE and ORDER BY that choose the rows of a page, on indexed columns alone.
 *
 * A label is found through its own index, which has the order of the list; CROSS JOIN makes SQLite start there,
 * PostgreSQL decides by itself. Otherwise the number of matches decides. The databases cannot know it: SQLite would
 * collect a million rows because a namespace prefix has an index.
 */
export function choosePage(conditions: readonly ResolvedCondition[], total: number, order: string): Sql {
  const label = conditions.find((condition) => condition.kind === 'label');
  const many = total > manyMatches;
  const others = join(
    conditions.filter((condition) => condition !== label).map((condition) => narrow(condition, many)),
    ' AND ',
  );
  if (label === undefined) return sql(`executions WHERE ${others.text} ORDER BY ${order}`, ...others.params);
  const byLabel = order.replaceAll('executions.start_date', 'd.start_date');
  return sql(
    `execution_labels d CROSS JOIN executions
     WHERE d.key = ? AND d.value = ? AND executions.id = d.execution_id AND ${others.text} ORDER BY ${byLabel}`,
    label.key,
    label.value,
    ...others.params,
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

/** `likely(…)`-like hints differ between the databases; a condition inside COALESCE is opaque to the planner of both. */
const hideFromPlanner = (where: Sql): Sql => sql(`coalesce(${where.text}, false)`, ...where.params);

import type { LabelCondition, RollUpCondition } from '../filters/executionFilters.ts';
import { join, type Sql, sql } from '../filters/sql.ts';
import { encodeText } from '../rows/text.ts';
import type { Order } from './choosePage.ts';
import type { ResolvedCondition } from './resolveWords.ts';
import { labelledBy } from './smallestLabel.ts';

/** Up to this number of combinations of one query per list, merging is fast. */
const maxWays = 12;

/**
 * Converts conditions to lists that an index returns in the order of the start date: the executions of a
 * label, of a namespace, of a state. The matches are the intersection of all lists. Undefined: a condition
 * has no such list, or another order is requested.
 */
export function orderedLists(
  conditions: readonly ResolvedCondition[],
  order: Order,
): readonly (readonly Sql[])[] | undefined {
  if (!order.isByStart) return undefined;
  const labels: LabelCondition[] = [];
  const named = new Map<string, readonly string[]>();
  for (const condition of conditions) {
    if (condition.kind === 'label') labels.push(condition);
    else if (condition.kind === 'rollUp') {
      if (condition.values === undefined || named.has(condition.field)) return undefined;
      named.set(condition.field, condition.values);
    } else if (condition.kind !== 'start') return undefined;
  }
  const starts = join(
    conditions.flatMap((condition) => (condition.kind === 'start' ? [condition.where] : [])),
    ' AND ',
  );
  const byColumns = indexesFor(named)?.map((columns) => executionsBy(columns, named, starts));
  if (byColumns === undefined) return undefined;
  const lists = [...labels.map((label) => labelled(label, conditions)), ...byColumns];
  const ways = lists.reduce((product, list) => product * list.length, 1);
  return lists.length > 0 && ways > 0 && ways <= maxWays ? lists : undefined;
}

const columnOf: Readonly<Record<string, string>> = {
  namespace: 'namespace',
  flowId: 'flow_id',
  state: 'state',
} satisfies Record<RollUpCondition['field'], string>;

/**
 * The indexes with these columns followed by the start date. A flow has one only together with its namespace.
 */
function indexesFor(named: ReadonlyMap<string, unknown>): string[][] | undefined {
  const has = (field: string): boolean => named.has(field);
  if ([...named.keys()].some((field) => columnOf[field] === undefined)) return undefined;
  if (has('flowId') && !has('namespace')) return undefined;
  const ofFlow = has('flowId') ? [['flowId', 'namespace']] : [];
  if (has('state')) return [...ofFlow, has('namespace') ? ['namespace', 'state'] : ['state']];
  return has('namespace') && !has('flowId') ? [['namespace']] : ofFlow;
}

/** One query for each combination of values: only then does the index have the order. */
function executionsBy(
  fields: readonly string[],
  named: ReadonlyMap<string, readonly string[]>,
  starts: Sql,
): Sql[] {
  const combinations = fields.reduce<Sql[]>(
    (found, field) =>
      found.flatMap((before) =>
        (named.get(field) ?? []).map((value) =>
          join([before, sql(`${columnOf[field]} = ?`, encodeText(value))], ' AND '),
        ),
      ),
    [starts],
  );
  return combinations.map(({ text, params }) =>
    sql(`SELECT executions.start_date AS at, executions.id FROM executions WHERE ${text}`, ...params),
  );
}

function labelled(label: LabelCondition, conditions: readonly ResolvedCondition[]): Sql[] {
  return label.pairs.map((pair) => {
    const { text, params } = labelledBy({ ...label, pairs: [pair] }, conditions);
    return sql(`SELECT d.start_date AS at, d.execution_id AS id FROM ${text}`, ...params);
  });
}

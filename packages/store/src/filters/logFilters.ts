import { logLevels } from '@millrace/contract';
import type { Filter } from '../port/filter.ts';
import { logTextColumns } from '../rows/columns.ts';
import { searchText } from '../rows/searchText.ts';
import type { Dialect } from './dialect.ts';
import { compileFilters, date, id, namespace, scope, text, words, wordsIn } from './fields.ts';
import { descending, type List, nullable } from './list.ts';
import { and, never, raw, type Sql } from './sql.ts';
import { listOf, textOf, wordOf } from './value.ts';

export function compileLogFilters(filters: readonly Filter[], dialect: Dialect): Sql {
  return and(...compileFilters(logList, filters, dialect));
}

/**
 * The required full-text filter of a search, if any: its words, and the names that other filters require (a
 * namespace, a flow), which are also part of the text and narrow the search.
 */
export function logWords(
  filters: readonly Filter[],
):
  | { readonly filter: Filter; readonly words: readonly string[]; readonly names: readonly string[] }
  | undefined {
  const found = filters.filter(({ field, operation }) => field === 'q' && operation === 'EQUALS');
  const [filter] = found;
  if (filter === undefined || found.length > 1) return undefined;
  const wanted = wordsIn(textOf(filter));
  if (wanted.length === 0) return undefined;
  const names = filters.flatMap((each) => (demandsName(each) ? [searchText(textOf(each))] : []));
  return { filter, words: wanted, names: names.filter((name) => name !== '') };
}

const demandsName = ({ field, operation }: Filter): boolean =>
  (operation === 'EQUALS' && ['namespace', 'flowId', 'executionId'].includes(field)) ||
  (field === 'namespace' && (operation === 'PREFIX' || operation === 'STARTS_WITH'));

/**
 * The number is part of the SQL text (it comes from a constant list), so that the planner can use the index
 * on warnings.
 */
function levelFilter(filter: Filter): Sql {
  if (filter.operation === 'IN') {
    const levels = listOf(filter).map((word) => logLevels.indexOf(wordOf(filter, word, logLevels)));
    return levels.length === 0 ? never : raw(`level IN (${levels.join(', ')})`);
  }
  const level = logLevels.indexOf(wordOf(filter, textOf(filter), logLevels));
  return raw(`level ${filter.operation === 'NOT_EQUALS' ? '<' : '>='} ${level}`);
}

export const logList: List = {
  name: 'logs',
  fields: {
    q: words(logTextColumns, (wanted, dialect) => dialect.logMatchesWords(wanted)),
    scope,
    namespace,
    flowId: text('flow_id'),
    triggerId: id('trigger_id'),
    executionId: id('execution_id'),
    startDate: date('at'),
    endDate: date('at'),
    level: { operations: ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN_OR_EQUAL_TO', 'IN'], compile: levelFilter },
  },
  sort: {
    timestamp: 'at',
    namespace: 'namespace',
    flowId: 'flow_id',
    taskId: nullable('task_id'),
    executionId: nullable('execution_id'),
    level: 'level',
  },
  defaultSort: descending('timestamp'),
  key: ['id'],
};

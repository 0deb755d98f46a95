import { logLevels } from '@millrace/contract';
import type { Filter } from '../port/filter.ts';
import { logTextColumns } from '../rows/columns.ts';
import { searchText, searchWords } from '../rows/searchText.ts';
import { dateColumn, textColumn } from './column.ts';
import type { Dialect } from './dialect.ts';
import { comparisons, compileFilters, type Field, ids, texts } from './fields.ts';
import { namespaceFilter, scopeFilter } from './namespace.ts';
import type { SortField } from './sort.ts';
import { join, never, type Sql, sql } from './sql.ts';
import { listOf, textOf, wordOf } from './value.ts';
import { wordsFilter } from './words.ts';

export function compileLogFilters(filters: readonly Filter[], dialect: Dialect): Sql {
  return join(compileFilters('logs', fieldsFor(dialect), filters), ' AND ');
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
  const query = textOf(filter);
  const words = query.trim() === '*' ? [] : searchWords(query);
  if (words.length === 0) return undefined;
  const names = filters.flatMap((each) => (demandsName(each) ? [searchText(textOf(each))] : []));
  return { filter, words, names: names.filter((name) => name !== '') };
}

const demandsName = ({ field, operation }: Filter): boolean =>
  (operation === 'EQUALS' && ['namespace', 'flowId', 'executionId'].includes(field)) ||
  (field === 'namespace' && (operation === 'PREFIX' || operation === 'STARTS_WITH'));

const fieldsFor = (dialect: Dialect): Readonly<Record<string, Field<Sql>>> => ({
  q: {
    operations: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
    compile: (filter) =>
      wordsFilter(filter, dialect, logTextColumns, (words) => dialect.logMatchesWords(words)),
  },
  scope: { operations: ['EQUALS', 'NOT_EQUALS'], compile: scopeFilter },
  namespace: { operations: texts, compile: (filter) => namespaceFilter(filter, dialect) },
  flowId: { operations: texts, compile: (filter) => textColumn('flow_id', filter, dialect) },
  triggerId: { operations: ids, compile: (filter) => textColumn('trigger_id', filter, dialect) },
  executionId: { operations: ids, compile: (filter) => textColumn('execution_id', filter, dialect) },
  startDate: { operations: comparisons, compile: (filter) => dateColumn('at', filter) },
  endDate: { operations: comparisons, compile: (filter) => dateColumn('at', filter) },
  level: { operations: ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN_OR_EQUAL_TO', 'IN'], compile: levelFilter },
});

/**
 * The number is part of the SQL text (it comes from a constant list), so that the planner can use the index
 * on warnings.
 */
function levelFilter(filter: Filter): Sql {
  if (filter.operation === 'IN') {
    const levels = listOf(filter).map((word) => logLevels.indexOf(wordOf(filter, word, logLevels)));
    return levels.length === 0 ? never : sql(`level IN (${levels.join(', ')})`);
  }
  const level = logLevels.indexOf(wordOf(filter, textOf(filter), logLevels));
  return sql(`level ${filter.operation === 'NOT_EQUALS' ? '<' : '>='} ${level}`);
}

export const logSortFields: Readonly<Record<string, SortField>> = {
  timestamp: { column: 'at' },
  namespace: { column: 'namespace' },
  flowId: { column: 'flow_id' },
  taskId: { column: 'task_id', nullable: true },
  executionId: { column: 'execution_id', nullable: true },
  level: { column: 'level' },
};

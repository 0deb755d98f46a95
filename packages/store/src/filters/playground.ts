import { playgroundLabel } from '@millrace/contract';
import { encodeText } from '../rows/text.ts';
import { type Sql, sql } from './sql.ts';

/** Playground executions are few, so their ids are read first, from the index of the labels. */
const ids = '(SELECT l.execution_id FROM execution_labels l WHERE l.key = ? AND l.value = ?)';
const params = [encodeText(playgroundLabel.key), encodeText(playgroundLabel.value)];

export const ofPlayground: Sql = sql(`executions.id IN ${ids}`, ...params);
/** Playground executions only try a part of a flow, so no statistics count them. */
export const notPlayground: Sql = sql(`executions.id NOT IN ${ids}`, ...params);

type RowsOfExecutions = 'logs' | 'metrics';

/** The log entries or metrics of playground executions. */
export const rowsOfPlayground = (table: RowsOfExecutions): Sql =>
  sql(`${table}.execution_id IN ${ids}`, ...params);

export const rowsNotOfPlayground = (table: RowsOfExecutions): Sql =>
  sql(`${table}.execution_id NOT IN ${ids}`, ...params);

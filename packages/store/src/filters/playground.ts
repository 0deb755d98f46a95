import { playgroundLabel } from '@millrace/contract';
import { encodeText } from '../rows/text.ts';
import { raw, type Sql, sql } from './sql.ts';

/** Playground executions are few, so their ids are read first, from the index of the labels. */
const ids = sql`(SELECT l.execution_id FROM execution_labels l
  WHERE l.key = ${encodeText(playgroundLabel.key)} AND l.value = ${encodeText(playgroundLabel.value)})`;

const idColumns = {
  executions: raw('executions.id'),
  logs: raw('logs.execution_id'),
  metrics: raw('metrics.execution_id'),
} as const;

export const ofPlayground = (table: keyof typeof idColumns): Sql => sql`${idColumns[table]} IN ${ids}`;

/** Playground executions only try a part of a flow, so no statistics count them, their logs or their metrics. */
export const notPlayground = (table: keyof typeof idColumns): Sql => sql`${idColumns[table]} NOT IN ${ids}`;

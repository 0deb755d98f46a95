import { AppError } from '@millrace/contract';
import { raw, type Sql, sql } from '../filters/sql.ts';
import { type AggregateSubject, aggregateFields } from '../port/aggregate.ts';
import { encodeText } from '../rows/text.ts';

export type FieldKind = 'text' | 'number' | 'seconds' | 'date' | 'level' | 'label';

export interface AggregateField {
  /** A column of `relations`; for a label the column is looked up by its key. */
  readonly column: string;
  readonly kind: FieldKind;
  /** The roll-up also has this field. */
  readonly rolledUp?: true;
}

type Fields<S extends AggregateSubject> = Readonly<
  Record<(typeof aggregateFields)[S][number], AggregateField>
>;

const text = (column: string): AggregateField => ({ column, kind: 'text' });
const flow = {
  NAMESPACE: { column: 'namespace', kind: 'text', rolledUp: true },
  FLOW_ID: { column: 'flow_id', kind: 'text', rolledUp: true },
} as const;

const executions: Fields<'executions'> = {
  ...flow,
  ID: text('id'),
  FLOW_REVISION: { column: 'flow_revision', kind: 'number' },
  STATE: { column: 'state', kind: 'text', rolledUp: true },
  DURATION: { column: 'duration', kind: 'seconds', rolledUp: true },
  LABELS: { column: '', kind: 'label' },
  START_DATE: { column: 'at', kind: 'date', rolledUp: true },
  END_DATE: { column: 'end_date', kind: 'date' },
  TRIGGER_EXECUTION_ID: text('trigger_execution_id'),
};

const logs: Fields<'logs'> = {
  ...flow,
  EXECUTION_ID: text('execution_id'),
  TASK_ID: text('task_id'),
  DATE: { column: 'at', kind: 'date', rolledUp: true },
  TASK_RUN_ID: text('task_run_id'),
  ATTEMPT_NUMBER: { column: 'attempt', kind: 'number' },
  TRIGGER_ID: text('trigger_id'),
  LEVEL: { column: 'level', kind: 'level', rolledUp: true },
  MESSAGE: text('message'),
};

const metrics: Fields<'metrics'> = {
  NAMESPACE: text('namespace'),
  FLOW_ID: text('flow_id'),
  TASK_ID: text('task_id'),
  EXECUTION_ID: text('execution_id'),
  TASK_RUN_ID: text('task_run_id'),
  TYPE: text('type'),
  NAME: text('name'),
  VALUE: { column: 'value', kind: 'number' },
  DATE: { column: 'at', kind: 'date' },
};

const bySubject = { executions, logs, metrics } as const;

export function fieldOf(subject: AggregateSubject, name: string): AggregateField {
  const fields: Readonly<Record<string, AggregateField>> = bySubject[subject];
  const found = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (found !== undefined) return found;
  throw new AppError(
    'illegal-argument',
    `${JSON.stringify(String(name))} is not a field of ${subject}; known are ${aggregateFields[subject].join(', ')}.`,
  );
}

/** The expression of a field; a label is looked up by its key. */
export function expressionOf(field: AggregateField, labelKey: string | undefined): Sql {
  if (field.kind !== 'label') return raw(field.column);
  if (labelKey === undefined) {
    throw new AppError(
      'illegal-argument',
      'The field LABELS needs a "labelKey" that says which label is meant.',
    );
  }
  return sql`(SELECT min(l.value) FROM execution_labels l
    WHERE l.execution_id = executions.id AND l.key = ${encodeText(labelKey)})`;
}

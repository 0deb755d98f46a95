import { AppError, logLevels } from '@millrace/contract';
import { startsWith } from '../filters/column.ts';
import type { Dialect } from '../filters/dialect.ts';
import { compilePattern } from '../filters/pattern.ts';
import { never, not, or, raw, type Sql, sql, values } from '../filters/sql.ts';
import type { AggregateCondition, AggregateSubject } from '../port/aggregate.ts';
import { encodeText } from '../rows/text.ts';
import type { SqlValue } from '../rows/value.ts';
import { type AggregateField, expressionOf, fieldOf } from './fields.ts';

type Comparison = Exclude<AggregateCondition, { type: 'OR' }>;

const comparisons: Readonly<Partial<Record<Comparison['type'], string>>> = {
  EQUAL_TO: '=',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL_TO: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL_TO: '<=',
};

/** One condition of a dashboard as SQL on the columns of its subject; user input is always a value. */
export function compileCondition(
  subject: AggregateSubject,
  condition: AggregateCondition,
  dialect: Dialect,
): Sql {
  if (condition.type === 'OR') {
    return or(...condition.conditions.map((each) => compileCondition(subject, each, dialect)));
  }
  const field = fieldOf(subject, condition.field);
  const on = expressionOf(field, condition.labelKey);
  const isText = field.kind === 'text' || field.kind === 'label';
  const value = (): SqlValue => comparedValue(condition, field);
  switch (condition.type) {
    case 'IS_NULL':
      return sql`${on} IS NULL`;
    case 'IS_NOT_NULL':
      return sql`${on} IS NOT NULL`;
    case 'IS_TRUE':
      return sql`${on} = ${isText ? 'true' : 1}`;
    case 'IS_FALSE':
      return sql`${on} = ${isText ? 'false' : 0}`;
    case 'NOT_EQUAL_TO':
      return sql`${on} IS DISTINCT FROM ${value()}`;
    case 'IN':
      return oneOf(condition, field, on);
    case 'NOT_IN':
      return or(sql`${on} IS NULL`, not(oneOf(condition, field, on)));
    case 'CONTAINS':
    case 'STARTS_WITH':
    case 'ENDS_WITH':
    case 'REGEX':
      if (!isText) throw refuse(condition, 'a field that holds text');
      return matchText(condition, on, dialect);
    default:
      return sql`${on} ${raw(comparisons[condition.type] ?? '=')} ${value()}`;
  }
}

/** The fields that a condition uses. */
export const fieldsIn = (condition: AggregateCondition): string[] =>
  condition.type === 'OR' ? condition.conditions.flatMap(fieldsIn) : [condition.field];

function oneOf(condition: Comparison, field: AggregateField, on: Sql): Sql {
  const list = Array.isArray(condition.value) ? condition.value : [condition.value];
  if (list.length === 0) return never;
  return sql`${on} IN (${values(list.map((value) => comparedValue({ ...condition, value }, field)))})`;
}

function matchText(condition: Comparison, on: Sql, dialect: Dialect): Sql {
  const { type, value } = condition;
  if (typeof value !== 'string') throw refuse(condition, 'one text');
  if (type === 'CONTAINS') return dialect.contains(on, value);
  if (type === 'ENDS_WITH') return dialect.endsWith(on, value);
  return type === 'STARTS_WITH'
    ? startsWith(on, value)
    : dialect.matches(on, compilePattern(value).pattern());
}

function comparedValue(condition: Comparison, field: AggregateField): SqlValue {
  const { value } = condition;
  if (value === undefined || typeof value === 'object') throw refuse(condition, 'one value');
  switch (field.kind) {
    case 'text':
    case 'label':
      return encodeText(String(value));
    case 'level': {
      const level = logLevels.findIndex((name) => name === String(value));
      if (level < 0) throw refuse(condition, `one of ${logLevels.join(', ')}, not ${JSON.stringify(value)}`);
      return level;
    }
    case 'date': {
      const at = typeof value === 'number' ? value : Date.parse(String(value));
      if (!Number.isFinite(at)) throw refuse(condition, `a date, not ${JSON.stringify(value)}`);
      return Math.trunc(at);
    }
    default: {
      const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
      if (!Number.isFinite(number)) throw refuse(condition, `a number, not ${JSON.stringify(value)}`);
      return field.kind === 'seconds' ? number * 1_000 : number;
    }
  }
}

const refuse = (condition: Comparison, expected: string): AppError =>
  new AppError(
    'illegal-argument',
    `The condition ${condition.type} on ${condition.field} expects ${expected}.`,
  );

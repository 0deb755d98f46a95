import { AppError, logLevels } from '@millrace/contract';
import type { Dialect } from '../filters/dialect.ts';
import { compilePattern } from '../filters/pattern.ts';
import { join, never, not, placeholders, type Sql, sql } from '../filters/sql.ts';
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
    return join(
      condition.conditions.map((each) => compileCondition(subject, each, dialect)),
      ' OR ',
    );
  }
  const field = fieldOf(subject, condition.field);
  const { text, params } = expressionOf(field, condition.labelKey);
  const on = (rest: string, ...values: readonly SqlValue[]): Sql =>
    sql(`${text} ${rest}`, ...params, ...values);
  const value = (): SqlValue => comparedValue(condition, field);
  switch (condition.type) {
    case 'IS_NULL':
      return on('IS NULL');
    case 'IS_NOT_NULL':
      return on('IS NOT NULL');
    case 'IS_TRUE':
      return on('= ?', field.kind === 'text' || field.kind === 'label' ? 'true' : 1);
    case 'IS_FALSE':
      return on('= ?', field.kind === 'text' || field.kind === 'label' ? 'false' : 0);
    case 'NOT_EQUAL_TO':
      return on('IS DISTINCT FROM ?', value());
    case 'IN':
      return oneOf(condition, field, text, params);
    case 'NOT_IN':
      return join([on('IS NULL'), not(oneOf(condition, field, text, params))], ' OR ');
    case 'CONTAINS':
    case 'STARTS_WITH':
    case 'ENDS_WITH':
    case 'REGEX':
      return matchText(condition, field, { text, params }, dialect);
    default:
      return on(`${comparisons[condition.type] ?? '='} ?`, value());
  }
}

/** The fields that a condition uses. */
export const fieldsIn = (condition: AggregateCondition): string[] =>
  condition.type === 'OR' ? condition.conditions.flatMap(fieldsIn) : [condition.field];

function oneOf(condition: Comparison, field: AggregateField, text: string, params: readonly SqlValue[]): Sql {
  const list = Array.isArray(condition.value) ? condition.value : [condition.value];
  if (list.length === 0) return never;
  const values = list.map((value) => comparedValue({ ...condition, value }, field));
  return sql(`${text} IN (${placeholders(values.length)})`, ...params, ...values);
}

function matchText(condition: Comparison, field: AggregateField, on: Sql, dialect: Dialect): Sql {
  if (field.kind !== 'text' && field.kind !== 'label') throw refuse(condition, 'a field that holds text');
  const { value } = condition;
  if (typeof value !== 'string') throw refuse(condition, 'one text');
  // The dialects use the expression once, followed by their own values.
  const made =
    condition.type === 'CONTAINS'
      ? dialect.contains(on.text, value)
      : condition.type === 'ENDS_WITH'
        ? dialect.endsWith(on.text, value)
        : condition.type === 'STARTS_WITH'
          ? sql(`substr(${on.text}, 1, ?) = ?`, [...value].length, encodeText(value))
          : dialect.matches(on.text, compilePattern(value).pattern());
  return inOrder(made, on);
}

/** Puts the values of the expression in the order of its text: before or after those of the comparison. */
function inOrder(made: Sql, on: Sql): Sql {
  if (on.params.length === 0) return made;
  const before = made.text.slice(0, made.text.indexOf(on.text)).split('?').length - 1;
  return sql(made.text, ...made.params.slice(0, before), ...on.params, ...made.params.slice(before));
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

import { AppError } from '@millrace/contract';
import { compilePattern } from '../filters/pattern.ts';
import type { AggregateCondition } from '../port/aggregate.ts';

/** A row that did not come from the database. */
export type PlainRow = Readonly<Record<string, unknown>>;

type Comparison = Exclude<AggregateCondition, { type: 'OR' }>;

/** Evaluates one condition of a dashboard on a row in memory, by the same rules as in the database. */
export function matchesCondition(row: PlainRow, condition: AggregateCondition): boolean {
  if (condition.type === 'OR') return condition.conditions.some((each) => matchesCondition(row, each));
  const value = row[condition.field] ?? null;
  switch (condition.type) {
    case 'IS_NULL':
      return value === null;
    case 'IS_NOT_NULL':
      return value !== null;
    case 'NOT_EQUAL_TO':
      return value === null || !isSame(value, condition.value);
    case 'NOT_IN':
      return value === null || !listOf(condition).some((each) => isSame(value, each));
    default:
      return value !== null && compares(value, condition);
  }
}

function compares(value: NonNullable<unknown>, condition: Comparison): boolean {
  const wanted = condition.value;
  switch (condition.type) {
    case 'EQUAL_TO':
      return isSame(value, wanted);
    case 'IN':
      return listOf(condition).some((each) => isSame(value, each));
    case 'IS_TRUE':
      return value === true || value === 'true' || value === 1;
    case 'IS_FALSE':
      return value === false || value === 'false' || value === 0;
    case 'CONTAINS':
      return textOf(value).includes(textOf(wanted));
    case 'STARTS_WITH':
      return textOf(value).startsWith(textOf(wanted));
    case 'ENDS_WITH':
      return textOf(value).endsWith(textOf(wanted));
    case 'REGEX':
      return compilePattern(textOf(wanted)).matcher(textOf(value)).find();
    case 'GREATER_THAN':
      return difference(value, condition) > 0;
    case 'GREATER_THAN_OR_EQUAL_TO':
      return difference(value, condition) >= 0;
    case 'LESS_THAN':
      return difference(value, condition) < 0;
    case 'LESS_THAN_OR_EQUAL_TO':
      return difference(value, condition) <= 0;
    default:
      return false;
  }
}

const listOf = ({ value }: Comparison): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function isSame(value: unknown, wanted: unknown): boolean {
  if (value instanceof Date) return value.getTime() === dateOf(wanted);
  return textOf(value) === textOf(wanted);
}

function difference(value: NonNullable<unknown>, { field, type, value: wanted }: Comparison): number {
  if (value instanceof Date) return value.getTime() - dateOf(wanted);
  if (typeof value === 'number') {
    const number = Number(wanted);
    if (Number.isFinite(number)) return value - number;
    throw new AppError(
      'illegal-argument',
      `The condition ${type} on ${field} expects a number, not ${JSON.stringify(wanted)}.`,
    );
  }
  const [text, other] = [textOf(value), textOf(wanted)];
  return text < other ? -1 : Number(text > other);
}

function dateOf(value: unknown): number {
  const at = typeof value === 'number' ? value : Date.parse(String(value));
  if (Number.isFinite(at)) return at;
  throw new AppError('illegal-argument', `${JSON.stringify(value)} is not a date.`);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(value));

import { AppError } from '@millrace/contract';
import type { Filter } from '../port/filter.ts';

/** Reads a filter's value; a value of the wrong kind is rejected with an error message. */
export function textOf(filter: Filter): string {
  const { value } = filter;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0];
  throw refuse(filter, 'one text');
}

const maxListLength = 10_000;

export function listOf(filter: Filter): readonly string[] {
  const { value } = filter;
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    if (value.length > maxListLength) throw refuse(filter, `a list of at most ${maxListLength} texts`);
    return value;
  }
  throw refuse(filter, 'a list of texts');
}

export function dateOf(filter: Filter): number {
  const { value } = filter;
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (!Number.isFinite(at)) throw refuse(filter, 'a date');
  return Math.trunc(at);
}

/** Every key with its text; one with a list comes once for each text in it. */
export function entriesOf(filter: Filter): readonly (readonly [string, string])[] {
  const { value } = filter;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value).flatMap(([key, texts]) =>
      [texts].flat().map((text) => [key, text] as const),
    );
    if (entries.length > maxListLength) throw refuse(filter, `at most ${maxListLength} texts`);
    if (entries.every((entry): entry is readonly [string, string] => typeof entry[1] === 'string'))
      return entries;
  }
  throw refuse(filter, 'a map of texts');
}

/** One of a fixed list of words. */
export function wordOf<T extends string>(filter: Filter, value: string, allowed: readonly T[]): T {
  const found = allowed.find((word) => word === value);
  if (found === undefined) throw refuse(filter, `one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
  return found;
}

export function refuse(filter: Filter, expected: string): AppError {
  return new AppError('illegal-argument', `The filter ${nameOf(filter)} expects ${expected}.`);
}

export function refuseOperation(filter: Filter): AppError {
  return new AppError('illegal-argument', `The filter ${nameOf(filter)} is not supported.`);
}

const nameOf = (filter: Filter): string =>
  `${JSON.stringify(String(filter.field))} ${JSON.stringify(String(filter.operation))}`;

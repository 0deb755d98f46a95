import { readDuration } from '@millrace/engine';
import { isEmpty } from '../source/edit.ts';
import type { Field } from './field.ts';
import { numberOf, textOf } from './schema.ts';

/** What is wrong with a value, as the key of a text and what it is about. */
export type Problem =
  | { readonly kind: 'required' }
  | { readonly kind: 'duration' }
  | { readonly kind: 'invalid'; readonly reason?: Reason };

export interface Reason {
  readonly rule:
    | 'number'
    | 'integer'
    | 'minimum'
    | 'maximum'
    | 'above'
    | 'below'
    | 'multiple'
    | 'pattern'
    | 'choice'
    | 'short'
    | 'long'
    | 'dateTime'
    | 'few'
    | 'many';
  readonly limit?: string | number;
}

/** Nothing is there: not the empty text, map or list either. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || isEmpty(value);

/** An expression is only known once it is rendered. */
export const isExpression = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('{{');

export function checkValue(field: Field, value: unknown, isRequired: boolean): Problem | undefined {
  if (isMissing(value)) return isRequired ? { kind: 'required' } : undefined;
  if (isExpression(value)) return undefined;
  if (field.kind === 'duration') {
    return readDuration(value) !== undefined ? undefined : { kind: 'duration' };
  }
  const reason = reasonOf(field, value);
  return reason && { kind: 'invalid', reason };
}

function reasonOf(field: Field, value: unknown): Reason | undefined {
  switch (field.kind) {
    case 'number':
      return numberReason(field, value);
    case 'enum':
      return field.values.includes(value) ? undefined : { rule: 'choice' };
    case 'string':
    case 'namespace':
    case 'flowId':
      return typeof value === 'object' ? undefined : textReason(field, String(value));
    case 'dateTime':
      return Number.isNaN(Date.parse(String(value))) ? { rule: 'dateTime' } : undefined;
    case 'list':
    case 'blocks':
      return listReason(field, value);
    default:
      return undefined;
  }
}

function numberReason({ schema }: Field, value: unknown): Reason | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return { rule: 'number' };
  if (schema.type === 'integer' && !Number.isInteger(value)) return { rule: 'integer' };
  const minimum = numberOf(schema.minimum);
  const maximum = numberOf(schema.maximum);
  const above = numberOf(schema.exclusiveMinimum);
  const below = numberOf(schema.exclusiveMaximum);
  const step = numberOf(schema.multipleOf) ?? numberOf(schema.step);
  if (minimum !== undefined && value < minimum) return { rule: 'minimum', limit: minimum };
  if (maximum !== undefined && value > maximum) return { rule: 'maximum', limit: maximum };
  if (above !== undefined && value <= above) return { rule: 'above', limit: above };
  if (below !== undefined && value >= below) return { rule: 'below', limit: below };
  // Fractions are not exact: what is a hair beside a step is on it.
  const steps = step ? value / step : 0;
  if (step && Math.abs(steps - Math.round(steps)) > 1e-9) return { rule: 'multiple', limit: step };
  return undefined;
}

function textReason({ schema }: Field, value: string): Reason | undefined {
  const pattern = textOf(schema.pattern) ?? textOf(schema.regex);
  const shortest = numberOf(schema.minLength);
  const longest = numberOf(schema.maxLength);
  if (pattern !== undefined && !matches(pattern, value)) return { rule: 'pattern', limit: pattern };
  if (shortest !== undefined && value.length < shortest) return { rule: 'short', limit: shortest };
  if (longest !== undefined && value.length > longest) return { rule: 'long', limit: longest };
  return undefined;
}

function listReason({ schema }: Field, value: unknown): Reason | undefined {
  if (!Array.isArray(value)) return undefined;
  const fewest = numberOf(schema.minItems);
  const most = numberOf(schema.maxItems);
  if (fewest !== undefined && value.length < fewest) return { rule: 'few', limit: fewest };
  if (most !== undefined && value.length > most) return { rule: 'many', limit: most };
  return undefined;
}

/** A pattern that no browser understands forbids nothing. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

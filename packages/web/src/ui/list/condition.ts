import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

/**
 * What a list is filtered by, one field at a time. In an address a condition is written as a plain parameter where one
 * means the same (`state=FAILED`), and by its full name otherwise (`filters[state][NOT_IN]=FAILED,KILLED`). BothThemes forms
 * are read, whichever client wrote the link.
 */
export interface Condition {
  readonly field: string;
  readonly operation: string;
  readonly values: readonly string[];
}

/** How a list lets one of its fields be asked. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** What can be asked of the field; the first is taken unless another is chosen. */
  readonly operations: readonly string[];
  /** The plain parameter, the operation that it stands for, and what calls name it when they name it differently. */
  readonly plain: { readonly parameter: string; readonly operation: string; readonly sentAs?: string };
  /** `pair`: each value reads `key:value`. */
  readonly kind: 'choice' | 'text' | 'pair';
  /** For `choice`: what is offered. */
  readonly options?: readonly FilterOption[];
  /** A choice that also takes what is not offered. */
  readonly takesOthers?: boolean;
  /** Several values with any operation; otherwise only the list operations take several. */
  readonly isMultiple?: boolean;
  /** Always has a value: it can be changed, not taken away. */
  readonly isAlwaysSet?: boolean;
  /** Shown in the bar even while nothing is asked of it. */
  readonly isProminent?: boolean;
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
  /** How the option looks in the list; its label otherwise. */
  readonly content?: ReactNode;
}

export type SearchValues = Readonly<Record<string, unknown>>;

export const takesSeveral = (field: FilterField, operation: string): boolean =>
  field.isMultiple === true || field.kind === 'pair' || (field.kind === 'choice' && operation.endsWith('IN'));

const nestedName = /^filters\[([^\]]+)\]\[([^\]]+)\](?:\[([^\]]+)\])?$/;

/** The conditions in an address, in the order of the fields. Names that the list does not know are left alone. */
export function readConditions(search: SearchValues, fields: readonly FilterField[]): Condition[] {
  return fields.flatMap((field) => {
    const nested = Object.entries(search).flatMap(([name, value]) => {
      const [, nestedField, operation, key] = nestedName.exec(name) ?? [];
      if (nestedField !== field.name || operation === undefined) return [];
      return [{ operation, values: readNested(textsOf(value), operation, key) }];
    });
    // Where both styles name a field, the full name counts: so does the server.
    const found =
      nested.length > 0
        ? mergeByOperation(nested)
        : [{ operation: field.plain.operation, values: textsOf(search[field.plain.parameter]) }];
    return found
      .filter(({ values }) => values.length > 0)
      .map(({ operation, values }) => ({ field: field.name, operation, values }));
  });
}

/** The part of an address that says these conditions; what the fields said before is taken back. */
export function writeConditions(
  search: SearchValues,
  fields: readonly FilterField[],
  conditions: readonly Condition[],
): Record<string, unknown> {
  const written: Record<string, unknown> = Object.fromEntries(
    Object.entries(search).filter(([name]) => !fields.some((field) => isParameterOf(name, field))),
  );
  for (const { field: name, operation, values } of conditions) {
    const field = fields.find((one) => one.name === name);
    if (!field || values.length === 0) continue;
    const hasSeveral = conditions.filter((one) => one.field === name).length > 1;
    if (operation === field.plain.operation && !hasSeveral) {
      written[field.plain.parameter] = takesSeveral(field, operation) ? [...values] : values[0];
      continue;
    }
    if (field.kind === 'pair') {
      for (const [key, value] of values.map(splitPair)) {
        written[`filters[${name}][${operation}][${key}]`] = value;
      }
    } else written[`filters[${name}][${operation}]`] = values.join(',');
  }
  return written;
}

export function splitPair(text: string): [key: string, value: string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** `team:data`: something on both sides of the first colon, no white space in the key. */
export const isPair = (text: string): boolean => /^[^\s:]+:\s*\S/.test(text.trim());

const isParameterOf = (name: string, field: FilterField): boolean =>
  name === field.plain.parameter || nestedName.exec(name)?.[1] === field.name;

function readNested(values: readonly string[], operation: string, key: string | undefined): string[] {
  if (key !== undefined) return values.map((value) => `${key}:${value}`);
  if (!operation.endsWith('IN')) return [...values];
  return values
    .flatMap((value) => value.replace(/^\[|\]$/g, '').split(','))
    .map((value) => value.trim())
    .filter(Boolean);
}

function mergeByOperation(found: readonly { operation: string; values: readonly string[] }[]) {
  const merged = new Map<string, string[]>();
  for (const { operation, values } of found)
    merged.set(operation, [...(merged.get(operation) ?? []), ...values]);
  return [...merged].map(([operation, values]) => ({ operation, values }));
}

const textsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null || one === '' ? [] : [String(one)]));

const known = [
  'EQUALS',
  'NOT_EQUALS',
  'IN',
  'NOT_IN',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'PREFIX',
  'REGEX',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN_OR_EQUAL_TO',
] as const;

/** An operation in words; one that a newer server invents keeps its own name. */
export function operationName(t: TFunction, operation: string): string {
  const name = known.find((one) => one === operation);
  return name ? t(`operator.${name}`) : operation;
}

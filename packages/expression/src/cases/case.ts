import {
  parseDuration,
  parseInstant,
  parseLocalDate,
  parseLocalDateTime,
  parseZoned,
} from '../dates/parseIso.ts';
import type { Host, Variables } from '../index.ts';

/** The expected result of a template: its text, or one of the other outcomes. */
export type Expected =
  | string
  | { readonly typed: unknown }
  | { readonly recursive: string }
  | { readonly missing: string }
  | { readonly fails: string };

export type Case = readonly [template: string, variables: unknown, expected: Expected];

/** A host without data and with a fixed clock. */
export const bareHost: Host = {
  now: () => 1_709_993_045_123,
  random: () => 0.5,
  id: () => '5Tz1cKzpKdOVYYTZ1AvGCJ',
};

/** Puts real dates in place of their markers: `{ $instant: '2024-…' }`. */
export function materialise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(materialise);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [key, text] = entries[0] ?? [];
  const make = key === undefined ? undefined : markers[key];
  if (make && entries.length === 1) return make(text);
  return Object.fromEntries(entries.map(([name, item]) => [name, materialise(item)]));
}

export function variablesOf(value: unknown): Variables {
  return materialise(value) as Variables; // every case gives a map
}

const markers: { readonly [marker: string]: (value: unknown) => unknown } = {
  $long: (value) => value,
  $instant: (value) => parseInstant(String(value)) ?? failOn(value),
  $zdt: (value) => parseZoned(String(value)) ?? failOn(value),
  $ld: (value) => parseLocalDate(String(value)) ?? failOn(value),
  $ldt: (value) => parseLocalDateTime(String(value)) ?? failOn(value),
  $dur: (value) => parseDuration(String(value)) ?? failOn(value),
};

function failOn(value: unknown): never {
  throw new Error(`Not a time: ${value}`);
}

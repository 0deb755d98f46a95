import type { Input } from '@millrace/contract';

/** The result of reading a value: the parsed value, or the reason why it is invalid. */
export type Parsed = { readonly value: unknown } | { readonly reason: string };

/**
 * How one type of input reads a value, which is text from a form or already structured, and which of its
 * own properties the value must then satisfy.
 */
export type InputRule = (value: unknown, input: Input) => Parsed;

/** The text form of anything: how a structured value looks to a type that expects text. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? String(value);
}

export const expected = (type: string): Parsed => ({ reason: `Expected \`${type}\`` });

/** A bound as written in the flow; anything but a text or a number is no bound. */
export const boundOf = (input: Input, name: 'min' | 'max' | 'after' | 'before'): string | undefined => {
  const bound = input[name];
  return typeof bound === 'string' || typeof bound === 'number' ? String(bound) : undefined;
};

/** Bounds are inclusive. They are compared as numbers, which `measure` makes of a bound's text. */
export function withinBounds(
  value: number,
  input: Input,
  measure: (bound: string) => number | undefined,
  names: readonly ['min', 'max'] | readonly ['after', 'before'],
): string | undefined {
  const [lowName, highName] = names;
  const words = lowName === 'min' ? (['more than', 'less than'] as const) : (['after', 'before'] as const);
  const low = boundOf(input, lowName);
  const high = boundOf(input, highName);
  const lowest = low === undefined ? undefined : measure(low);
  const highest = high === undefined ? undefined : measure(high);
  if (lowest !== undefined && value < lowest) return `it must be ${words[0]} \`${low}\``;
  if (highest !== undefined && value > highest) return `it must be ${words[1]} \`${high}\``;
  return undefined;
}

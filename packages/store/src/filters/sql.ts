import type { SqlValue } from '../rows/value.ts';

/**
 * A piece of SQL and its values. The text consists of constants of this package only; user input is always a
 * value for a `?`. (It is converted to PostgreSQL's `$1` when the statement runs.)
 */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

/** Makes a statement or a piece of one: an embedded piece becomes part of the text, any other value a parameter. */
export function sql(texts: TemplateStringsArray, ...embedded: readonly (Sql | SqlValue)[]): Sql {
  let text = texts[0] ?? '';
  const params: SqlValue[] = [];
  for (const [index, part] of embedded.entries()) {
    const isPiece = typeof part === 'object' && part !== null;
    if (isPiece) params.push(...part.params);
    else params.push(part);
    text += (isPiece ? part.text : '?') + (texts[index + 1] ?? '');
  }
  return { text, params };
}

/** A constant of this package as SQL: never user input. */
export const raw = (text: string | number): Sql => ({ text: String(text), params: [] });

export const always = raw('1 = 1');
export const never = raw('1 = 0');

export const joined = (parts: readonly Sql[], separator: string): Sql => ({
  text: parts.map(({ text }) => text).join(separator),
  params: parts.flatMap(({ params }) => params),
});

export const and = (...parts: readonly Sql[]): Sql => combined(parts, ' AND ') ?? always;
export const or = (...parts: readonly Sql[]): Sql => combined(parts, ' OR ') ?? never;

const combined = (parts: readonly Sql[], separator: string): Sql | undefined =>
  parts.length > 1 ? sql`(${joined(parts, separator)})` : parts[0];

export const not = (part: Sql): Sql => sql`NOT (${part})`;

/** The values of an `IN (…)`. */
export const values = (list: readonly SqlValue[]): Sql => ({
  text: new Array<string>(list.length).fill('?').join(', '),
  params: list,
});

/** `likely(…)`-like hints differ between the databases; a condition inside COALESCE is opaque to the planner of both. */
export const hideFromPlanner = (where: Sql): Sql => sql`coalesce(${where}, false)`;

import type { SqlValue } from '../rows/value.ts';

/**
 * A piece of SQL and its values. The text consists of constants of this package only; user input is always a
 * value for a `?`. (It is converted to PostgreSQL's `$1` when the statement runs.)
 */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

export const sql = (text: string, ...params: readonly SqlValue[]): Sql => ({ text, params });

export const always = sql('1 = 1');
export const never = sql('1 = 0');

export function join(parts: readonly Sql[], separator: ' AND ' | ' OR '): Sql {
  if (parts.length === 0) return separator === ' AND ' ? always : never;
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  return {
    text: `(${parts.map((part) => part.text).join(separator)})`,
    params: parts.flatMap((part) => part.params),
  };
}

export const not = (part: Sql): Sql => ({ text: `NOT (${part.text})`, params: part.params });

export const placeholders = (count: number): string => new Array<string>(count).fill('?').join(', ');

/** `likely(…)`-like hints differ between the databases; a condition inside COALESCE is opaque to the planner of both. */
export const hideFromPlanner = (where: Sql): Sql => sql(`coalesce(${where.text}, false)`, ...where.params);

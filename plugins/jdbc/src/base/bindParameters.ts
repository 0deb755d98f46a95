import { lexSql, type SqlSyntax } from './lexSql.ts';

export interface BoundSql {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Replaces `:name` with the placeholder of the database, in order. A name without a value stays unchanged,
 * because a colon has other meanings too, such as a JSON field in Snowflake.
 */
export function bindParameters(
  sql: string,
  parameters: Readonly<Record<string, unknown>> | undefined,
  syntax: SqlSyntax,
  placeholder: (position: number) => string,
): BoundSql {
  if (parameters === undefined || Object.keys(parameters).length === 0) return { sql, values: [] };
  const values: unknown[] = [];
  let text = '';
  for (const token of lexSql(sql, syntax)) {
    const name = token.text.slice(1);
    if (token.kind === 'parameter' && Object.hasOwn(parameters, name)) {
      values.push(parameters[name] ?? null);
      text += placeholder(values.length);
    } else text += token.text;
  }
  return { sql: text, values };
}

/** Replaces each `?` of a batch statement with the placeholder of the database, and counts them. */
export function bindPositions(
  sql: string,
  syntax: SqlSyntax,
  placeholder: (position: number) => string,
): { readonly sql: string; readonly count: number } {
  let count = 0;
  let text = '';
  for (const token of lexSql(sql, syntax))
    text += token.kind === 'mark' && token.text === '?' ? placeholder(++count) : token.text;
  return { sql: text, count };
}

import { lexSql, type SqlSyntax } from './lexSql.ts';
import type { Batch } from './session.ts';

interface Insert {
  readonly head: string;
  readonly tuple: string;
  readonly tail: string;
}

/** Runs a statement with its values and returns the number of changed rows. */
type Update = (sql: string, values: readonly unknown[]) => Promise<number>;

export interface InsertLimits {
  readonly syntax: SqlSyntax;
  readonly placeholder: (position: number) => string;
  /** The most values that one statement can have. */
  readonly maxValues: number;
}

/** One statement inserts many rows where it can, because a round trip for each row is slow. */
export async function insertRows(
  { sql, rows }: Batch,
  limits: InsertLimits,
  update: Update,
): Promise<number> {
  const insert = rows.length > 1 ? splitInsert(sql, limits) : undefined;
  const width = rows[0]?.length ?? 0;
  let changed = 0;
  if (!insert || width === 0) {
    for (const values of rows) changed += await update(sql, values);
    return changed;
  }
  const perStatement = Math.max(1, Math.floor(limits.maxValues / width));
  for (let from = 0; from < rows.length; from += perStatement) {
    const part = rows.slice(from, from + perStatement);
    changed += await update(manyRows(insert, part.length, width, limits), part.flat());
  }
  return changed;
}

function manyRows(
  insert: Insert,
  count: number,
  width: number,
  { placeholder, syntax }: InsertLimits,
): string {
  const marks = new Set(Array.from({ length: width }, (_, index) => placeholder(index + 1)));
  const parts = [...lexTuple(insert.tuple, syntax)];
  let position = 0;
  const tuples = Array.from({ length: count }, () =>
    parts.map((part) => (marks.has(part) ? placeholder(++position) : part)).join(''),
  );
  return `${insert.head}${tuples.join(', ')}${insert.tail}`;
}

function* lexTuple(tuple: string, syntax: SqlSyntax): Generator<string> {
  let pending = '';
  for (const { text } of lexSql(tuple, syntax)) {
    // `$1` is two tokens.
    if (text === '$' || text === '@' || text === ':') {
      pending = text;
      continue;
    }
    yield pending + text;
    pending = '';
  }
  yield pending;
}

/**
 * Parses `INSERT … VALUES (…)` with only placeholders and plain values in its single tuple. With `ON CONFLICT
 * DO UPDATE` rows are not combined, because one statement must not update the same row twice.
 */
function splitInsert(sql: string, { syntax }: InsertLimits): Insert | undefined {
  const tokens = [...lexSql(sql, syntax)];
  const first = tokens.find(({ kind }) => kind === 'word')?.text.toUpperCase();
  const at = tokens.findIndex(({ kind, text }) => kind === 'word' && text.toUpperCase() === 'VALUES');
  if (first !== 'INSERT' || at < 0) return undefined;
  const open = tokens.findIndex(({ text }, index) => index > at && text === '(');
  let depth = 0;
  const close = tokens.findIndex(({ text }, index) => {
    if (index < open) return false;
    if (text === '(') depth++;
    if (text === ')') depth--;
    return depth === 0;
  });
  if (open < 0 || close < 0) return undefined;
  const join = (from: number, to?: number) =>
    tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join('');
  const tail = join(close + 1);
  if (!/^\s*(ON\s+CONFLICT\s+DO\s+NOTHING)?\s*;?\s*$/i.test(tail)) return undefined;
  return { head: join(0, open), tuple: join(open, close + 1), tail };
}

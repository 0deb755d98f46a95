/** The differences of a database's SQL that matter for finding statements and parameters. */
export interface SqlSyntax {
  /** A backslash escapes the next character of a text (MySQL, ClickHouse). */
  readonly backslash?: boolean;
  /** `[name]` quotes a name (SQL Server, SQLite). */
  readonly brackets?: boolean;
  /** `$tag$ … $tag$` quotes a text (PostgreSQL, DuckDB, Snowflake). */
  readonly dollars?: boolean;
  /** `#` starts a comment (MySQL). */
  readonly hashComments?: boolean;
  /** Blocks are PL/SQL: they keep their last semicolon, and declarations precede BEGIN. */
  readonly plsql?: boolean;
}

export interface SqlToken {
  readonly kind: 'word' | 'space' | 'comment' | 'quoted' | 'parameter' | 'mark';
  readonly text: string;
}

/** The parts of a SQL text; joined they are the text again. */
export function* lexSql(sql: string, syntax: SqlSyntax): Generator<SqlToken> {
  for (let at = 0; at < sql.length; ) {
    const token = readToken(sql, at, syntax);
    yield token;
    at += token.text.length;
  }
}

const space = /\s+/y;
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const number = /\d[\w.]*/y;
const parameter = /:[A-Za-z_]\w*/y;
const dollarTag = /\$(?:[A-Za-z_]\w*)?\$/y;

function readToken(sql: string, at: number, syntax: SqlSyntax): SqlToken {
  const char = sql[at] ?? '';
  const next = sql[at + 1] ?? '';
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  const blank = take(space);
  if (blank !== undefined) return { kind: 'space', text: blank };
  if ((char === '-' && next === '-') || (char === '#' && syntax.hashComments))
    return { kind: 'comment', text: until(sql, at, '\n', at) };
  if (char === '/' && next === '*') return { kind: 'comment', text: blockComment(sql, at) };
  const escapes = syntax.backslash === true || (/[eE]/.test(char) && next === "'");
  if (/[eE]/.test(char) && next === "'")
    return { kind: 'quoted', text: char + quoted(sql, at + 1, "'", escapes) };
  if (char === "'" || char === '"' || char === '`')
    return { kind: 'quoted', text: quoted(sql, at, char, syntax.backslash === true && char !== '`') };
  if (char === '[' && syntax.brackets) return { kind: 'quoted', text: until(sql, at, ']', at) };
  const tag = syntax.dollars ? take(dollarTag) : undefined;
  if (tag !== undefined) return { kind: 'quoted', text: until(sql, at, tag, at + tag.length) };
  const name = take(word) ?? take(number);
  if (name !== undefined) return { kind: 'word', text: name };
  // `::` is a cast, and `a:b` reads a field of JSON.
  if (char === ':' && next === ':') return { kind: 'mark', text: '::' };
  const named = take(parameter);
  if (named !== undefined) return { kind: 'parameter', text: named };
  return { kind: 'mark', text: String.fromCodePoint(sql.codePointAt(at) ?? 0) };
}

/** The text up to and including the end mark, or all of the rest. */
function until(sql: string, start: number, end: string, from: number): string {
  const found = sql.indexOf(end, from);
  return found < 0 ? sql.slice(start) : sql.slice(start, found + end.length);
}

function quoted(sql: string, start: number, quote: string, escapes: boolean): string {
  for (let at = start + 1; at < sql.length; at++) {
    if (escapes && sql[at] === '\\') at++;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return sql.slice(start, at + 1);
      at++;
    }
  }
  return sql.slice(start);
}

/** Comments nest, as in PostgreSQL; other databases reject a second opening anyway. */
function blockComment(sql: string, start: number): string {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const pair = sql.slice(at, at + 2);
    if (pair === '/*') depth++;
    else if (pair === '*/') depth--;
    else continue;
    at++;
    if (depth === 0) return sql.slice(start, at + 1);
  }
  return sql.slice(start);
}

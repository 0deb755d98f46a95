import { lexSql, type SqlSyntax, type SqlToken } from './lexSql.ts';

/** The statements of a script, without the semicolons between them; parts with only comments are skipped. */
export function splitStatements(sql: string, syntax: SqlSyntax): string[] {
  const statements: string[] = [];
  let current = new StatementReader(syntax);
  for (const token of lexSql(sql, syntax)) {
    if (token.text === ';' && current.canEnd) {
      statements.push(current.end());
      current = new StatementReader(syntax);
    } else current.add(token);
  }
  statements.push(current.end());
  return statements.filter((statement) => statement !== '');
}

const routine = new Set(['PROCEDURE', 'FUNCTION', 'TRIGGER', 'EVENT', 'PACKAGE']);
/** `END IF` closes something that was not counted. */
const uncounted = new Set(['IF', 'LOOP', 'WHILE', 'REPEAT', 'FOR']);
const transactionWords = new Set([
  'TRANSACTION',
  'TRAN',
  'WORK',
  'ISOLATION',
  'READ',
  'DEFERRED',
  'IMMEDIATE',
  'EXCLUSIVE',
]);

/** Collects one statement and detects whether a semicolon ends it: inside BEGIN … END it does not. */
class StatementReader {
  readonly #syntax: SqlSyntax;
  #text = '';
  #hasContent = false;
  #words: string[] = [];
  #kind: 'plain' | 'block' | 'routine' = 'plain';
  #depth = 0;
  #hasBegun = false;
  #hasBody = false;
  #last = '';

  constructor(syntax: SqlSyntax) {
    this.#syntax = syntax;
  }

  get canEnd(): boolean {
    // `BEGIN;` starts a transaction.
    if (this.#kind === 'block' && this.#words.length === 1 && this.#words[0] === 'BEGIN') return true;
    if (this.#kind === 'plain') return true;
    if (this.#depth > 0) return false;
    const waitsForBegin = this.#kind === 'block' || (this.#syntax.plsql === true && this.#hasBody);
    return this.#hasBegun || !waitsForBegin;
  }

  add(token: SqlToken): void {
    this.#text += token.text;
    if (token.kind === 'space' || token.kind === 'comment') return;
    this.#hasContent = true;
    if (token.kind === 'quoted' && /^\$/.test(token.text)) this.#hasBody = false;
    if (token.kind === 'word') this.#addWord(token.text.toUpperCase());
    else this.#last = '';
  }

  end(): string {
    if (!this.#hasContent) return '';
    const text = this.#text.trim();
    return this.#syntax.plsql && this.#hasBegun ? `${text};` : text;
  }

  #addWord(word: string): void {
    if (this.#words.length < 12) this.#words.push(word);
    if (this.#words.length === 1) this.#kind = word === 'BEGIN' || word === 'DECLARE' ? 'block' : 'plain';
    if (this.#words[0] === 'BEGIN' && this.#words.length === 2 && transactionWords.has(word)) {
      this.#kind = 'plain';
      this.#depth = 0;
    }
    if (this.#kind === 'plain' && this.#words[0] === 'CREATE' && this.#words.length < 12 && routine.has(word))
      this.#kind = 'routine';
    if (this.#kind === 'plain') return;
    if (this.#kind === 'routine' && (word === 'IS' || word === 'AS')) this.#hasBody = true;
    this.#countBlocks(word);
    this.#last = word;
  }

  #countBlocks(word: string): void {
    if (this.#last === 'END') {
      if (uncounted.has(word)) this.#depth++;
      if (word === 'CASE') return;
    }
    if (word === 'BEGIN' || word === 'CASE') {
      this.#depth++;
      if (word === 'BEGIN') this.#hasBegun = true;
    } else if (word === 'END') this.#depth = Math.max(0, this.#depth - 1);
  }
}

/** True for a script that controls its transactions itself. */
export const startsTransaction = (statement: string): boolean =>
  /^\s*(BEGIN(\s+(TRANSACTION|TRAN|WORK|IMMEDIATE|DEFERRED|EXCLUSIVE))?|START\s+TRANSACTION)\s*;?\s*$/i.test(
    statement,
  );

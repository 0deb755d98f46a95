import { Decimal } from '@millrace/expression';
import { TaskFailed } from '@millrace/plugin-kit';

export type Node =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'path'; readonly steps: readonly PathStep[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node };

export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'each' };

const token =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_$][\w$]*)|(\|\||&&|==|!=|>=|<=|[-+*/!<>().,[\]]))/y;

interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'mark' | 'end';
  readonly text: string;
  readonly at: number;
}

/** From the weakest to the strongest. */
const precedence = [['||'], ['&&'], ['==', '!='], ['>', '>=', '<', '<='], ['+', '-'], ['*', '/']];
const maxDepth = 200;

/** Reads an expression over the fields of a record, such as `price * quantity > 100`. */
export function parseExpression(source: string): Node {
  return new Parser(source).parse();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parse(): Node {
    const node = this.#binary(0);
    if (this.#next.kind !== 'end') throw this.#unexpected();
    return node;
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', at: this.#source.length };
  }

  #binary(level: number): Node {
    const operators = precedence[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    while (this.#next.kind === 'mark' && operators.includes(this.#next.text)) {
      const operator = this.#next.text;
      this.#at++;
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    }
    return left;
  }

  #unary(): Node {
    const { kind, text } = this.#next;
    if (kind !== 'mark' || (text !== '!' && text !== '-')) return this.#primary();
    this.#at++;
    if (++this.#depth > maxDepth) throw wrong(this.#source, `it nests deeper than ${maxDepth} levels`);
    const operand = this.#unary();
    this.#depth--;
    return { kind: 'unary', operator: text, operand };
  }

  #primary(): Node {
    const { kind, text } = this.#next;
    if (kind === 'end') throw this.#unexpected();
    if (kind === 'mark' && text !== '(') throw this.#unexpected();
    this.#at++;
    if (kind === 'number') return { kind: 'literal', value: numberOf(text) };
    if (kind === 'text') return { kind: 'literal', value: unquote(text) };
    if (kind === 'mark') {
      if (++this.#depth > maxDepth) throw wrong(this.#source, `it nests deeper than ${maxDepth} levels`);
      const node = this.#binary(0);
      this.#depth--;
      this.#expect(')');
      return node;
    }
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
    if (text === 'null') return { kind: 'literal', value: null };
    return this.#take('(') ? this.#call(text) : this.#path(text);
  }

  #call(name: string): Node {
    const args: Node[] = [];
    if (!this.#take(')')) {
      do args.push(this.#binary(0));
      while (this.#take(','));
      this.#expect(')');
    }
    return { kind: 'call', name: name.toLowerCase(), args };
  }

  #path(first: string): Node {
    const steps: PathStep[] = [{ kind: 'field', name: first }];
    for (;;) {
      if (this.#take('.')) {
        const { kind, text } = this.#next;
        if (kind !== 'word') throw this.#unexpected();
        this.#at++;
        steps.push({ kind: 'field', name: text });
      } else if (this.#take('[')) {
        const { kind, text } = this.#next;
        if (kind === 'number' && /^\d+$/.test(text)) {
          this.#at++;
          steps.push({ kind: 'index', index: Number(text) });
        } else if (kind === 'text') {
          this.#at++;
          steps.push({ kind: 'field', name: unquote(text) });
        } else steps.push({ kind: 'each' });
        this.#expect(']');
      } else return { kind: 'path', steps };
    }
  }

  #take(mark: string): boolean {
    if (this.#next.kind !== 'mark' || this.#next.text !== mark) return false;
    this.#at++;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#take(mark))
      throw wrong(this.#source, `"${mark}" was expected at position ${this.#next.at + 1}`);
  }

  #unexpected(): TaskFailed {
    const { kind, text, at } = this.#next;
    return wrong(
      this.#source,
      kind === 'end' ? 'it ends too early' : `"${text}" at position ${at + 1} was not expected`,
    );
  }
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const end = source.trimEnd().length;
  token.lastIndex = 0;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const found = token.exec(source);
    if (!found) throw wrong(source, `"${source.slice(at).trim()[0]}" at position ${at + 1} was not expected`);
    const [, number, text, word, mark] = found;
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (text !== undefined) tokens.push({ kind: 'text', text, at });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    else tokens.push({ kind: 'mark', text: mark ?? '', at });
  }
  return tokens;
}

const wrong = (source: string, problem: string): TaskFailed =>
  new TaskFailed(`The expression "${source}" is invalid: ${problem}.`, { retry: false });

function numberOf(text: string): unknown {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return Decimal.parse(text) ?? Number(text);
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

const unquote = (text: string): string =>
  text.slice(1, -1).replace(/\\(.)/gs, (_, char: string) => escapes.get(char) ?? char);

import { ExpressionError } from '../error.ts';
import { double, integer } from '../numbers/number.ts';
import { type JqToken, lexJq } from './lexer.ts';
import type { Definition, Node, Pattern } from './nodes.ts';
import { combine, levels, literal } from './precedence.ts';

const identity: Node = { type: 'identity' };
const keywords = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or __loc__'.split(' '),
);
export function parseJq(source: string): Node {
  return new JqParser(lexJq(source)).parseAll();
}

/** The definitions of a library: `def …; def …;` without a program after them. */
export function parseDefinitions(source: string): Definition[] {
  return new JqParser(lexJq(source)).parseLibrary();
}

class JqParser {
  private readonly tokens: JqToken[];
  private position = 0;

  constructor(tokens: readonly JqToken[]) {
    this.tokens = [...tokens];
  }

  parseAll(): Node {
    const node = this.current.type === 'end' ? identity : this.parsePipe();
    if (this.current.type !== 'end') throw this.unexpected();
    return node;
  }

  parseLibrary(): Definition[] {
    const definitions: Definition[] = [];
    while (this.isName('def')) definitions.push(this.parseDefinition());
    if (this.current.type !== 'end') throw this.unexpected();
    return definitions;
  }

  private parsePipe(allowsComma = true): Node {
    if (this.isName('def')) {
      const definition = this.parseDefinition();
      return { type: 'def', definition, body: this.parsePipe(allowsComma) };
    }
    if (this.isName('label')) {
      this.next();
      const name = this.expect('variable').value;
      this.expectSymbol('|');
      return { type: 'label', name, body: this.parsePipe(allowsComma) };
    }
    const left = allowsComma ? this.parseComma() : this.parseBinary(0);
    if (!this.accept('|')) return left;
    return { type: 'pipe', left, right: this.parsePipe(allowsComma) };
  }

  private parseComma(): Node {
    let left = this.parseBinary(0);
    while (this.accept(',')) left = { type: 'comma', left, right: this.parseBinary(0) };
    return left;
  }

  private parseBinary(level: number): Node {
    const rule = levels[level];
    if (!rule) return this.parseUnary();
    let left = this.parseBinary(level + 1);
    for (;;) {
      const operator = this.operatorOf(rule.operators);
      if (operator === null) return left;
      this.next();
      const right = this.parseBinary(rule.groups === 'right' ? level : level + 1);
      left = combine(operator, left, right);
      if (rule.groups === 'none' && this.operatorOf(rule.operators) !== null) throw this.unexpected();
    }
  }

  private operatorOf(operators: readonly string[]): string | null {
    const { type, value } = this.current;
    return (type === 'symbol' || type === 'name') && operators.includes(value) ? value : null;
  }

  private parseUnary(): Node {
    if (this.accept('-')) return { type: 'negate', operand: this.parsePostfix() };
    return this.parsePostfix();
  }

  private parsePostfix(): Node {
    let term = this.parseTerm();
    for (;;) {
      if (this.isSymbol('?//')) this.splitAlternative();
      if (this.accept('?')) term = { type: 'try', body: term, handler: null };
      else if (this.current.type === 'field')
        term = { type: 'index', target: term, key: literal(this.next().value.slice(1)) };
      else if (this.isSymbol('.') && this.peek(1).type === 'text') {
        this.next();
        term = { type: 'index', target: term, key: this.parseText(null) };
      } else if (this.isSymbol('.') && this.peek(1).value === '[') this.next();
      else if (this.isSymbol('[')) term = this.parseBracket(term);
      else if (this.isName('as')) return this.parseAs(term);
      else return term;
    }
  }

  /** `.a?//1` reads as one token meant for patterns, but outside of them it is `.a? // 1`. */
  private splitAlternative(): void {
    this.tokens.splice(this.position, 1, { type: 'symbol', value: '?' }, { type: 'symbol', value: '//' });
  }

  private parseAs(source: Node): Node {
    this.next();
    const patterns = [this.parsePattern()];
    while (this.accept('?//')) patterns.push(this.parsePattern());
    this.expectSymbol('|');
    return { type: 'as', source, patterns, body: this.parsePipe() };
  }

  private parseBracket(target: Node): Node {
    this.expectSymbol('[');
    if (this.accept(']')) return { type: 'iterate', target };
    if (this.accept(':')) {
      const to = this.parsePipe();
      this.expectSymbol(']');
      return { type: 'slice', target, from: null, to };
    }
    const key = this.parsePipe();
    if (!this.accept(':')) {
      this.expectSymbol(']');
      return { type: 'index', target, key };
    }
    const to = this.isSymbol(']') ? null : this.parsePipe();
    this.expectSymbol(']');
    return { type: 'slice', target, from: key, to };
  }

  private parseTerm(): Node {
    const token = this.current;
    switch (token.type) {
      case 'number':
        this.next();
        return literal(
          /[.eE]/.test(token.value) ? double(Number(token.value)) : integer(BigInt(token.value)),
        );
      case 'text':
        return this.parseText(null);
      case 'format':
        this.next();
        return this.current.type === 'text'
          ? this.parseText(token.value)
          : { type: 'format', name: token.value };
      case 'variable':
        this.next();
        return { type: 'variable', name: token.value };
      case 'field':
        this.next();
        return { type: 'index', target: identity, key: literal(token.value.slice(1)) };
      case 'name':
        return this.parseNamed(token.value);
    }
    if (this.accept('..')) return { type: 'call', name: 'recurse', args: [] };
    if (this.isSymbol('.')) {
      this.next();
      if (this.current.type === 'text') return { type: 'index', target: identity, key: this.parseText(null) };
      return identity;
    }
    if (this.accept('(')) {
      const inner = this.parsePipe();
      this.expectSymbol(')');
      return inner;
    }
    if (this.accept('[')) {
      if (this.accept(']')) return { type: 'array', body: null };
      const body = this.parsePipe();
      this.expectSymbol(']');
      return { type: 'array', body };
    }
    if (this.isSymbol('{')) return this.parseObject();
    throw this.unexpected();
  }

  private parseNamed(name: string): Node {
    switch (name) {
      case 'if':
        this.next();
        return this.parseIf();
      case 'try': {
        this.next();
        const body = this.parsePostfixTry();
        if (!this.isName('catch')) return { type: 'try', body, handler: null };
        this.next();
        return { type: 'try', body, handler: this.parsePostfixTry() };
      }
      case 'reduce':
      case 'foreach':
        this.next();
        return this.parseFold(name);
      case 'def': {
        const definition = this.parseDefinition();
        return { type: 'def', definition, body: this.parsePipe() };
      }
      case 'break':
        if (this.peek(1).type !== 'variable') break;
        this.next();
        return { type: 'break', name: this.next().value };
    }
    if (keywords.has(name)) throw this.unexpected();
    this.next();
    const args: Node[] = [];
    if (this.accept('(')) {
      do args.push(this.parsePipe());
      while (this.accept(';'));
      this.expectSymbol(')');
    }
    return { type: 'call', name, args };
  }

  /** The operand of `try`: one term with its postfixes, but not an `as` binding. */
  private parsePostfixTry(): Node {
    return this.accept('-') ? { type: 'negate', operand: this.parsePostfix() } : this.parsePostfix();
  }

  private parseIf(): Node {
    const condition = this.parsePipe();
    this.expectName('then');
    const then = this.parsePipe();
    if (this.isName('elif')) {
      this.next();
      return { type: 'if', condition, then, otherwise: this.parseIf() };
    }
    let otherwise: Node | null = null;
    if (this.isName('else')) {
      this.next();
      otherwise = this.parsePipe();
    }
    this.expectName('end');
    return { type: 'if', condition, then, otherwise };
  }

  private parseFold(type: 'reduce' | 'foreach'): Node {
    let source = this.parseTerm();
    while (!this.isName('as')) {
      if (this.current.type === 'field')
        source = { type: 'index', target: source, key: literal(this.next().value.slice(1)) };
      else if (this.isSymbol('.') && this.peek(1).value === '[') this.next();
      else if (this.isSymbol('[')) source = this.parseBracket(source);
      else if (this.accept('?')) source = { type: 'try', body: source, handler: null };
      else throw this.unexpected();
    }
    this.next();
    const pattern = this.parsePattern();
    this.expectSymbol('(');
    const start = this.parsePipe();
    this.expectSymbol(';');
    const update = this.parsePipe();
    const extract = type === 'foreach' && this.accept(';') ? this.parsePipe() : null;
    this.expectSymbol(')');
    return type === 'reduce'
      ? { type, source, pattern, start, update }
      : { type, source, pattern, start, update, extract };
  }

  private parseObject(): Node {
    this.expectSymbol('{');
    const entries: [Node, Node][] = [];
    while (!this.isSymbol('}')) {
      if (entries.length > 0) this.expectSymbol(',');
      entries.push(this.parseEntry());
    }
    this.next();
    return { type: 'object', entries };
  }

  private parseEntry(): [Node, Node] {
    const token = this.current;
    if (token.type === 'variable') {
      this.next();
      return [literal(token.value.slice(1)), { type: 'variable', name: token.value }];
    }
    let key: Node;
    if (this.accept('(')) {
      key = this.parsePipe();
      this.expectSymbol(')');
      this.expectSymbol(':');
      return [key, this.parsePipe(false)];
    }
    if (token.type === 'name' || token.type === 'number') key = literal(this.next().value);
    else if (token.type === 'text') key = this.parseText(null);
    else if (token.type === 'format') {
      this.next();
      key = this.current.type === 'text' ? this.parseText(token.value) : literal(token.value);
    } else throw this.unexpected();
    if (this.accept(':')) return [key, this.parsePipe(false)];
    return [key, { type: 'index', target: identity, key }];
  }

  private parsePattern(): Pattern {
    if (this.current.type === 'variable') return { type: 'variable', name: this.next().value };
    if (this.accept('[')) {
      const items: Pattern[] = [];
      do items.push(this.parsePattern());
      while (this.accept(','));
      this.expectSymbol(']');
      return { type: 'array', items };
    }
    this.expectSymbol('{');
    const entries: { key: Node; variable: string | null; value: Pattern | null }[] = [];
    do entries.push(this.parsePatternEntry());
    while (this.accept(','));
    this.expectSymbol('}');
    return { type: 'object', entries };
  }

  private parsePatternEntry(): { key: Node; variable: string | null; value: Pattern | null } {
    const token = this.next();
    let key: Node = literal(token.value);
    let variable: string | null = null;
    if (token.type === 'variable') {
      variable = token.value;
      key = literal(token.value.slice(1));
    } else if (token.type === 'text') {
      this.position--;
      key = this.parseText(null);
    } else if (token.value === '(') {
      key = this.parsePipe();
      this.expectSymbol(')');
    } else if (token.type !== 'name') throw this.unexpected();
    if (variable !== null && !this.isSymbol(':')) return { key, variable, value: null };
    this.expectSymbol(':');
    return { key, variable, value: this.parsePattern() };
  }

  private parseDefinition(): Definition {
    this.expectName('def');
    const name = this.expect('name').value;
    const parameters: string[] = [];
    if (this.accept('(')) {
      do parameters.push(this.next().value);
      while (this.accept(';'));
      this.expectSymbol(')');
    }
    this.expectSymbol(':');
    const body = this.parsePipe();
    this.expectSymbol(';');
    return { name, parameters, body };
  }

  private parseText(format: string | null): Node {
    const { parts = [] } = this.expect('text');
    if (parts.length === 1 && typeof parts[0] === 'string') return literal(parts[0]);
    const nodes = parts.map((part) => (typeof part === 'string' ? part : new JqParser(part).parseAll()));
    return { type: 'text', format, parts: nodes };
  }

  private get current(): JqToken {
    return this.peek(0);
  }

  private peek(distance: number): JqToken {
    return this.tokens[this.position + distance] ?? { type: 'end', value: '' };
  }

  private next(): JqToken {
    const token = this.current;
    this.position++;
    return token;
  }

  private isSymbol(value: string): boolean {
    return this.current.type === 'symbol' && this.current.value === value;
  }

  private isName(value: string): boolean {
    return this.current.type === 'name' && this.current.value === value;
  }

  private accept(value: string): boolean {
    if (!this.isSymbol(value)) return false;
    this.position++;
    return true;
  }

  private expectSymbol(value: string): void {
    if (!this.accept(value)) throw this.unexpected();
  }

  private expectName(value: string): void {
    if (!this.isName(value)) throw this.unexpected();
    this.position++;
  }

  private expect(type: JqToken['type']): JqToken {
    if (this.current.type !== type) throw this.unexpected();
    return this.next();
  }

  private unexpected(): ExpressionError {
    const { type, value } = this.current;
    return new ExpressionError(`Invalid jq: unexpected ${type === 'end' ? 'end of program' : `'${value}'`}`);
  }
}

import { ExpressionError } from '../error.ts';
import { double, integer } from '../numbers/number.ts';
import type { Arguments, BinaryOperator, Expression } from './nodes.ts';
import type { Token } from './token.ts';
import { TokenStream } from './tokenStream.ts';

const unaryPrecedence = 500;
const filterPrecedence = 100;
const testPrecedence = 20;

const binaryOperators = new Map<string, { precedence: number; operator: BinaryOperator }>(
  (
    [
      [120, '??', '???', '..', 'isIn'],
      [110, '~'],
      [60, '*', '/', '%'],
      [40, '+', '-'],
      [30, '==', '!=', '>', '<', '>=', '<='],
      [20, 'contains'],
      [15, 'and'],
      [10, 'or'],
    ] as const
  ).flatMap(([precedence, ...operators]) =>
    operators.map((operator) => [operator, { precedence, operator: operator as BinaryOperator }] as const),
  ),
);
binaryOperators.set('equals', { precedence: 30, operator: '==' });

const keywords = new Map<string, unknown>([
  ['true', true],
  ['TRUE', true],
  ['false', false],
  ['FALSE', false],
  ['null', null],
  ['NULL', null],
  ['none', null],
  ['NONE', null],
]);

export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

/** Parses one full expression, ternary included (precedence climbing; all binary operators are left-associative). */
export function parseExpression(stream: TokenStream): Expression {
  const condition = parseOperators(stream, 0);
  if (!stream.accept('punctuation', '?')) return condition;
  const then = parseExpression(stream);
  stream.expect('punctuation', ':');
  return { type: 'ternary', condition, then, otherwise: parseExpression(stream) };
}

export function parseArguments(stream: TokenStream): Arguments {
  const positional: Expression[] = [];
  const named: Arguments['named'][number][] = [];
  if (!stream.accept('punctuation', '(')) return { positional, named };
  while (!stream.is('punctuation', ')')) {
    if (positional.length + named.length > 0) stream.expect('punctuation', ',');
    if (stream.is('name') && stream.peek(1).type === 'punctuation' && stream.peek(1).value === '=') {
      const { value: name, start, end } = stream.next();
      stream.next();
      named.push({ name, start, end, value: parseExpression(stream) });
    } else if (named.length > 0) {
      throw stream.unexpected(': positional arguments come before named ones');
    } else {
      positional.push(parseExpression(stream));
    }
  }
  stream.next();
  return { positional, named };
}

function parseOperators(stream: TokenStream, minimum: number): Expression {
  let left = parseOperand(stream);
  for (;;) {
    const token = stream.current;
    if (token.type !== 'operator') return left;
    const { line } = token;
    if (token.value === '|') {
      if (filterPrecedence < minimum) return left;
      stream.next();
      const { value: name, start, end } = stream.expect('name');
      left = { type: 'filter', input: left, name, args: parseArguments(stream), line, start, end };
    } else if (token.value === 'is') {
      if (testPrecedence < minimum) return left;
      stream.next();
      const negated = stream.accept('operator', 'not');
      const { value: name, start, end } = stream.expect('name');
      const args = parseArguments(stream);
      left = { type: 'test', input: left, name, args, negated, line, start, end };
    } else {
      const known = binaryOperators.get(token.value);
      if (!known || known.precedence < minimum) return left;
      stream.next();
      const right = parseOperators(stream, known.precedence + 1);
      left = { type: 'binary', operator: known.operator, left, right, line };
    }
  }
}

function parseOperand(stream: TokenStream): Expression {
  const token = stream.current;
  if (token.type === 'operator' && (token.value === 'not' || token.value === '-' || token.value === '+')) {
    stream.next();
    return { type: 'unary', operator: token.value, operand: parseOperators(stream, unaryPrecedence) };
  }
  // Literal lists and maps take no postfix: `[1,2][0]` is an error by design of the language.
  if (token.type === 'punctuation' && token.value === '[') return parseList(stream);
  if (token.type === 'punctuation' && token.value === '{') return parseMap(stream);
  return parsePostfix(stream, parsePrimary(stream));
}

function parsePrimary(stream: TokenStream): Expression {
  const token = stream.next();
  const { start, end } = token;
  switch (token.type) {
    case 'string':
      return { type: 'literal', value: token.value, start, end };
    case 'number':
      return { type: 'literal', value: parseNumber(token), start, end };
    case 'interpolated':
      return { type: 'interpolation', parts: (token.parts ?? []).map(parsePart) };
    case 'name': {
      const { value: name, line } = token;
      if (keywords.has(name)) return { type: 'literal', value: keywords.get(name), start, end };
      if (!stream.is('punctuation', '(')) return { type: 'variable', name, line, start, end };
      return { type: 'call', name, args: parseArguments(stream), line, start, end };
    }
    case 'punctuation':
      if (token.value === '(') {
        const inner = parseExpression(stream);
        stream.expect('punctuation', ')');
        return inner;
      }
  }
  const found =
    token.type === 'close' || token.type === 'end' ? 'end of expression' : `token "${token.value}"`;
  throw new ExpressionError(`Unexpected ${found}, expected a value`, 'syntax', {
    line: token.line,
    offset: start,
  });
}

function parsePostfix(stream: TokenStream, start: Expression): Expression {
  let target = start;
  for (;;) {
    const { line } = stream.current;
    if (stream.accept('punctuation', '.')) {
      const { value: name, start, end } = stream.expect('name');
      target = stream.is('punctuation', '(')
        ? { type: 'method', target, name, args: parseArguments(stream), line }
        : { type: 'attribute', target, key: { type: 'literal', value: name, start, end }, line, start, end };
    } else if (stream.accept('punctuation', '[')) {
      const { start } = stream.current;
      const key = parseExpression(stream);
      target = { type: 'attribute', target, key, line, start, end: stream.previous.end };
      stream.expect('punctuation', ']');
    } else {
      return target;
    }
  }
}

function parseList(stream: TokenStream): Expression {
  stream.next();
  const items: Expression[] = [];
  while (!stream.is('punctuation', ']')) {
    if (items.length > 0) stream.expect('punctuation', ',');
    items.push(parseExpression(stream));
  }
  stream.next();
  return { type: 'list', items };
}

function parseMap(stream: TokenStream): Expression {
  stream.next();
  const entries: [Expression, Expression][] = [];
  while (!stream.is('punctuation', '}')) {
    if (entries.length > 0) stream.expect('punctuation', ',');
    const key = parseExpression(stream);
    stream.expect('punctuation', ':');
    entries.push([key, parseExpression(stream)]);
  }
  stream.next();
  return { type: 'map', entries };
}

function parsePart(part: string | readonly Token[]): string | Expression {
  if (typeof part === 'string') return part;
  const stream = new TokenStream(part);
  const expression = parseExpression(stream);
  stream.expect('end');
  return expression;
}

function parseNumber(token: Token): unknown {
  if (token.value.includes('.')) return double(Number(token.value));
  const value = BigInt(token.value);
  if (BigInt.asIntN(64, value) !== value) {
    throw new ExpressionError(`The number ${token.value} does not fit 64 bits`, 'syntax', {
      line: token.line,
    });
  }
  return integer(value);
}

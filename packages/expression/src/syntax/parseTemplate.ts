import { ExpressionError } from '../error.ts';
import { lexTemplate } from './lexTemplate.ts';
import type { AppliedFilter, Expression, Parameter, Statement } from './nodes.ts';
import { isKeyword, parseArguments, parseExpression } from './parseExpression.ts';
import { TokenStream } from './tokenStream.ts';

/** Parses a whole template into statements; throws a syntax error with its line. */
export function parseTemplate(source: string): Statement[] {
  const stream = new TokenStream(lexTemplate(source));
  const body = parseBody(stream, []);
  stream.expect('end');
  return body;
}

/** Reads statements up to a tag named in `ends`, which is left unread after its `{%`. */
function parseBody(stream: TokenStream, ends: readonly string[]): Statement[] {
  const body: Statement[] = [];
  for (;;) {
    if (stream.is('end')) {
      if (ends.length === 0) return body;
      const { line, start: offset } = stream.current;
      const message = `Unexpected end of template, expected the tag "${ends.at(-1)}"`;
      throw new ExpressionError(message, 'syntax', { line, offset });
    }
    const token = stream.next();
    if (token.type === 'text') body.push({ type: 'text', text: token.value });
    else if (token.value === '{{') {
      const value = parseExpression(stream);
      const { end } = stream.expect('close', '}}');
      body.push({ type: 'print', value, line: token.line, start: token.start, end });
    } else {
      if (stream.is('name') && ends.includes(stream.current.value)) return body;
      body.push(parseTag(stream, token.line));
    }
  }
}

function parseTag(stream: TokenStream, line: number): Statement {
  const { value: tag, start: offset } = stream.expect('name');
  switch (tag) {
    case 'if':
      return parseIf(stream);
    case 'for':
      return parseFor(stream, line);
    case 'set': {
      const name = parseTarget(stream);
      stream.expect('punctuation', '=');
      const value = parseExpression(stream);
      closeTag(stream);
      return { type: 'set', name, value, line };
    }
    case 'macro':
      return parseMacro(stream);
    case 'block':
      return parseBlock(stream);
    case 'filter': {
      const filters = parseFilters(stream);
      closeTag(stream);
      return { type: 'filter', filters, body: parseUntilEnd(stream, 'endfilter'), line };
    }
  }
  throw new ExpressionError(`Unexpected tag name "${tag}"`, 'syntax', { line, offset });
}

function parseIf(stream: TokenStream): Statement {
  const branches: { condition: Expression; body: Statement[]; line: number }[] = [];
  let otherwise: Statement[] = [];
  for (;;) {
    const { line } = stream.current;
    const condition = parseExpression(stream);
    closeTag(stream);
    branches.push({ condition, body: parseBody(stream, ['elseif', 'else', 'endif']), line });
    const { value: tag } = stream.next();
    if (tag === 'elseif') continue;
    closeTag(stream);
    if (tag === 'else') otherwise = parseUntilEnd(stream, 'endif');
    return { type: 'if', branches, otherwise };
  }
}

function parseFor(stream: TokenStream, line: number): Statement {
  const name = parseTarget(stream);
  stream.expect('name', 'in');
  const source = parseExpression(stream);
  closeTag(stream);
  const body = parseBody(stream, ['else', 'endfor']);
  const { value: tag } = stream.next();
  closeTag(stream);
  const otherwise = tag === 'else' ? parseUntilEnd(stream, 'endfor') : [];
  return { type: 'for', name, source, body, otherwise, line };
}

function parseMacro(stream: TokenStream): Statement {
  const { value: name } = stream.expect('name');
  const parameters: Parameter[] = [];
  stream.expect('punctuation', '(');
  while (!stream.is('punctuation', ')')) {
    if (parameters.length > 0) stream.expect('punctuation', ',');
    const parameter = parseTarget(stream);
    const fallback = stream.accept('punctuation', '=') ? parseExpression(stream) : null;
    parameters.push({ name: parameter, fallback });
  }
  stream.next();
  closeTag(stream);
  return { type: 'macro', name, parameters, body: parseUntilEnd(stream, 'endmacro') };
}

function parseBlock(stream: TokenStream): Statement {
  const { value: name } = stream.is('string') ? stream.next() : stream.expect('name');
  closeTag(stream);
  const body = parseBody(stream, ['endblock']);
  stream.next();
  // A closing tag may repeat the name of its block.
  if (stream.is('name', name) || stream.is('string', name)) stream.next();
  closeTag(stream);
  return { type: 'block', name, body };
}

function parseFilters(stream: TokenStream): AppliedFilter[] {
  const filters: AppliedFilter[] = [];
  do {
    const { value: name, start, end } = stream.expect('name');
    filters.push({ name, start, end, args: parseArguments(stream) });
  } while (stream.accept('operator', '|'));
  return filters;
}

function parseTarget(stream: TokenStream): string {
  if (stream.is('name') && isKeyword(stream.current.value))
    throw stream.unexpected(': a keyword cannot be assigned');
  return stream.expect('name').value;
}

function parseUntilEnd(stream: TokenStream, end: string): Statement[] {
  const body = parseBody(stream, [end]);
  stream.next();
  closeTag(stream);
  return body;
}

function closeTag(stream: TokenStream): void {
  stream.expect('close', '%}');
}

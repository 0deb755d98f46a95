import { ExpressionError } from '../error.ts';
import { ExpressionLexer } from './lexExpression.ts';
import type { Token } from './token.ts';

const rawOpen = /\{%-?\s*raw\s*-?%\}/y;
const rawClose = /\{%-?\s*endraw\s*-?%\}/g;
const verbatimOpen = /\{%-?\s*verbatim\s*-?%\}\s*/y;
const verbatimClose = /\{%-?\s*endverbatim\s*-?%\}/g;

/** Cuts a template into literal text and the tokens of its prints and tags. */
export function lexTemplate(source: string): Token[] {
  const tokens: Token[] = [];
  const expressions = new ExpressionLexer(source, tokens);
  let position = 0;
  let text = '';
  let trimNext = false;

  const addText = (piece: string) => {
    text += trimNext ? piece.trimStart() : piece;
    if (trimNext && piece.trim() !== '') trimNext = false;
  };
  const flushText = () => {
    if (text !== '') {
      const line = expressions.lineAt(position);
      tokens.push({ type: 'text', value: text, line, start: position, end: position });
    }
    text = '';
  };

  while (position < source.length) {
    const brace = nextDelimiter(source, position);
    addText(source.slice(position, brace));
    if (brace === source.length) break;
    position = brace;
    const literal = readLiteralSection(source, position);
    if (literal) {
      // Literal text is never trimmed: the author wants it as written.
      trimNext = false;
      text += literal.text;
      position = literal.end;
      continue;
    }
    const mark = source[position + 1] ?? '';
    if (source[position + 2] === '-' && /\s/.test(source[position + 3] ?? '')) text = text.trimEnd();
    if (mark === '#') {
      const end = source.indexOf('#}', position + 2);
      if (end < 0)
        throw new ExpressionError('Unclosed comment', 'syntax', {
          line: expressions.lineAt(position),
          offset: position,
        });
      trimNext = source[end - 1] === '-' && end - 1 > position + 1;
      position = end + 2;
      continue;
    }
    flushText();
    const close = mark === '{' ? '}}' : '%}';
    const result = expressions.lex(position, close);
    position = result.end;
    trimNext = result.trims;
  }
  flushText();
  const { length } = source;
  tokens.push({ type: 'end', value: '', line: expressions.lineAt(length), start: length, end: length });
  return tokens;
}

function nextDelimiter(source: string, from: number): number {
  for (let brace = source.indexOf('{', from); brace >= 0; brace = source.indexOf('{', brace + 1)) {
    const mark = source[brace + 1];
    if (mark === '{' || mark === '%' || mark === '#') return brace;
  }
  return source.length;
}

/** `raw` keeps its tags, for the outermost rendering to strip; `verbatim` loses them at once. */
function readLiteralSection(source: string, start: number): { text: string; end: number } | null {
  const raw = readBetween(source, start, rawOpen, rawClose);
  if (raw) return { text: source.slice(start, raw.end), end: raw.end };
  return readBetween(source, start, verbatimOpen, verbatimClose);
}

function readBetween(
  source: string,
  start: number,
  open: RegExp,
  close: RegExp,
): { text: string; end: number } | null {
  open.lastIndex = start;
  if (!open.test(source)) return null;
  close.lastIndex = open.lastIndex;
  const end = close.exec(source);
  if (!end) {
    const line = source.slice(0, start).split('\n').length;
    throw new ExpressionError('Unexpected end of template in a literal section', 'syntax', {
      line,
      offset: start,
    });
  }
  return { text: source.slice(open.lastIndex, end.index), end: close.lastIndex };
}

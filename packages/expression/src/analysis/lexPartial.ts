import { ExpressionError } from '../error.ts';
import { ExpressionLexer } from '../syntax/lexExpression.ts';
import type { Token } from '../syntax/token.ts';

/** The inside of an expression that is still being typed, up to the cursor. */
export interface PartialExpression {
  /** The complete tokens, without the opening delimiter. */
  readonly tokens: readonly Token[];
  /** The text that is open at the cursor: `secret("A`. */
  readonly openText?: { readonly start: number; readonly text: string };
}

/** The expression or tag that is open at the end of the text; undefined outside of one. */
export function lexPartial(before: string): PartialExpression | undefined {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start < 0) return undefined;
  const tokens: Token[] = [];
  const close = before[start + 1] === '{' ? '}}' : '%}';
  try {
    new ExpressionLexer(before, tokens).lex(start, close);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const [, ...inside] = tokens;
    const isText = /^Unclosed ["']["']["']$/.test(error.message) && error.offset !== undefined;
    if (!isText) return error.message.startsWith('Unclosed') ? { tokens: inside } : undefined;
    const from = error.offset ?? 0;
    return { tokens: inside, openText: { start: from, text: before.slice(from + 1) } };
  }
}

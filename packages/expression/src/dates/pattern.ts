import { ExpressionError } from '../error.ts';
import { GenerationCache } from '../generationCache.ts';

/** A date pattern in pieces: literal text, a letter repeated, or a section that may be absent when parsing. */
export type PatternPart =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'field'; readonly letter: string; readonly count: number; readonly pad: number }
  | { readonly type: 'optional'; readonly parts: readonly PatternPart[] };

const cache = new GenerationCache<string, readonly PatternPart[]>(200);

/** The widths each letter allows, as in Java. */
const allowed: { readonly [letter: string]: (count: number) => boolean } = {
  ...forEach('GQqMLE', (count) => count <= 5),
  ...forEach('yuY', (count) => count <= 19),
  ...forEach('wdhKkHms', (count) => count <= 2),
  ...forEach('WFa', (count) => count === 1),
  ...forEach('D', (count) => count <= 3),
  ...forEach('e', (count) => count <= 5),
  ...forEach('c', (count) => count !== 2 && count <= 5),
  ...forEach('S', (count) => count <= 9),
  ...forEach('AnN', (count) => count <= 19),
  ...forEach('V', (count) => count === 2),
  ...forEach('z', (count) => count <= 4),
  ...forEach('O', (count) => count === 1 || count === 4),
  ...forEach('XxZ', (count) => count <= 5),
};

/** Reads a Java date pattern; unknown letters and wrong widths are errors. */
export function parsePattern(pattern: string): readonly PatternPart[] {
  const known = cache.get(pattern);
  if (known) return known;
  const stack: PatternPart[][] = [[]];
  const add = (part: PatternPart) => stack.at(-1)?.push(part);
  const scanner = /'([^']*(?:''[^']*)*)'|([A-Za-z])\2*|\[|\]|[^A-Za-z'[\]]+|'/g;
  let pad = 0;
  for (const [piece, quoted, letter] of pattern.matchAll(scanner)) {
    if (quoted !== undefined)
      add({ type: 'literal', text: piece === "''" ? "'" : quoted.replaceAll("''", "'") });
    else if (letter === 'p') pad = piece.length;
    else if (letter !== undefined) {
      checkField(pattern, letter, piece.length);
      add({ type: 'field', letter, count: piece.length, pad });
      pad = 0;
    } else if (piece === '[') stack.push([]);
    else if (piece === ']') {
      const parts = stack.pop() ?? [];
      if (stack.length === 0) throw new ExpressionError(`Invalid date pattern '${pattern}': ']' without '['`);
      add({ type: 'optional', parts });
    } else if (/['{}#]/.test(piece)) {
      throw new ExpressionError(`Invalid date pattern '${pattern}': unexpected ${piece}`);
    } else add({ type: 'literal', text: piece });
  }
  // Java closes a section that is still open at the end.
  while (stack.length > 1) {
    const parts = stack.pop() ?? [];
    add({ type: 'optional', parts });
  }
  const parts = stack[0] ?? [];
  cache.set(pattern, parts);
  return parts;
}

function checkField(pattern: string, letter: string, count: number): void {
  const fits = allowed[letter];
  if (!fits) throw new ExpressionError(`Invalid date pattern '${pattern}': unknown letter ${letter}`);
  if (!fits(count))
    throw new ExpressionError(`Invalid date pattern '${pattern}': too many letters ${letter}`);
}

function forEach(letters: string, fits: (count: number) => boolean): { [letter: string]: typeof fits } {
  return Object.fromEntries([...letters].map((letter) => [letter, fits]));
}

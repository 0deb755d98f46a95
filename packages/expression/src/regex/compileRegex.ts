import { RE2JS, RE2JSException } from 're2js';
import { ExpressionError } from '../error.ts';
import { GenerationCache } from '../generationCache.ts';
import type { Session } from '../session.ts';

const compiled = new GenerationCache<string, RE2JS>(500);
const maxPattern = 10_000;

/** Names Java has for POSIX classes; RE2 spells them differently. */
const posix = new Map(
  [
    'Alpha',
    'Digit',
    'Alnum',
    'Upper',
    'Lower',
    'Punct',
    'Space',
    'Blank',
    'XDigit',
    'Cntrl',
    'Graph',
    'Print',
  ].map((name) => [name, `[:${name.toLowerCase()}:]`]),
);

/** Java's `\R`: any line break, the two characters of Windows as one. */
const lineBreak = '(?:\\r\\n|[\\n\\x0b\\x0c\\r\\x{85}\\x{2028}\\x{2029}])';

/** A pattern for a linear-time engine: no look-around, no back-references, and no way to make it slow. */
export function compileRegex(pattern: string, flags = 0): RE2JS {
  const key = `${flags}/${pattern}`;
  const known = compiled.get(key);
  if (known) return known;
  if (pattern.length > maxPattern)
    throw new ExpressionError(`The pattern is longer than ${maxPattern} characters`, 'limit');
  try {
    const regex = RE2JS.compile(translate(pattern), flags);
    compiled.set(key, regex);
    return regex;
  } catch (cause) {
    if (cause instanceof RE2JSException) {
      throw new ExpressionError(`Invalid pattern '${pattern}': ${cause.message}`, 'error', { cause });
    }
    throw cause;
  }
}

/** The cost of each match beyond reading the text. */
export const matchCost = 8;

/** A matcher on a text. Its cost, text length times program size, is charged in advance. */
export function matcherOf(
  pattern: string,
  text: string,
  session: Session,
  flags = 0,
): ReturnType<RE2JS['matcher']> {
  const regex = compileRegex(pattern, flags);
  session.charge(Math.ceil((text.length * regex.programSize()) / 8));
  return regex.matcher(text);
}

function translate(pattern: string): string {
  if (!pattern.includes('\\')) return pattern;
  let inClass = false;
  return pattern.replace(/\\p\{(\w+)\}|\\h|\\.|\[|\]/gs, (piece: string, name?: string) => {
    if (piece === '[') inClass = true;
    else if (piece === ']') inClass = false;
    else if (piece === '\\R' && !inClass) return lineBreak;
    const set = piece === '\\h' ? '[:blank:]' : posix.get(name ?? '');
    if (set === undefined) return piece;
    return inClass ? set : `[${set}]`;
  });
}

import { ExpressionError } from '../error.ts';
import type { Session } from '../session.ts';
import { matchCost, matcherOf } from './compileRegex.ts';

type Matcher = ReturnType<typeof matcherOf>;

/** Replaces every match; in the replacement `$1` and `${name}` are groups and a backslash takes the next character. */
export function replaceMatches(text: string, pattern: string, replacement: string, session: Session): string {
  const matcher = matcherOf(pattern, text, session);
  const pieces = parseReplacement(replacement);
  let out = '';
  let position = 0;
  while (matcher.find()) {
    session.charge(matchCost);
    out += text.slice(position, matcher.start());
    for (const piece of pieces)
      out += typeof piece === 'string' ? piece : (readGroup(matcher, piece.group) ?? '');
    session.checkText(out.length);
    position = matcher.end();
  }
  return out + text.slice(position);
}

/** Plain replacement of every occurrence; the size of the result is known before it is built. */
export function replaceLiteral(text: string, search: string, replacement: string, session: Session): string {
  const count = countOccurrences(text, search);
  session.charge(Math.ceil(text.length / 64) + count);
  session.checkText(text.length + count * (replacement.length - search.length));
  return count === 0 ? text : text.replaceAll(search, replacement.replaceAll('$', '$$$$'));
}

function countOccurrences(text: string, search: string): number {
  if (search === '') return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) count++;
  return count;
}

function parseReplacement(replacement: string): (string | { group: number | string })[] {
  const pieces: (string | { group: number | string })[] = [];
  const scanner = /\\([\s\S])|\$(\d)|\$\{([A-Za-z][A-Za-z0-9]*)\}|([^\\$]+)|([\\$])/g;
  for (const [, escaped, index, name, literal, stray] of replacement.matchAll(scanner)) {
    if (stray !== undefined)
      throw new ExpressionError(`Illegal replacement '${replacement}': a lone '${stray}'`);
    if (index !== undefined) pieces.push({ group: Number(index) });
    else if (name !== undefined) pieces.push({ group: name });
    else pieces.push(escaped ?? literal ?? '');
  }
  return pieces;
}

export function readGroup(matcher: Matcher, group: number | string): string | null {
  if (typeof group === 'number' && (group < 0 || group > matcher.groupCount())) {
    throw new ExpressionError(`The pattern has no group ${group}`);
  }
  return matcher.group(group);
}

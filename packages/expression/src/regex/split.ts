import type { Session } from '../session.ts';
import { matchCost, matcherOf } from './compileRegex.ts';

const plain = /^[^\\.[\]{}()*+?^$|]+$/;

/** Java's split: a limit above 0 bounds the parts, 0 drops trailing empty parts, below 0 keeps them. */
export function splitText(text: string, pattern: string, limit: number, session: Session): string[] {
  session.charge(1 + Math.ceil(text.length / 64));
  const parts: string[] = [];
  let position = 0;
  for (const [start, end] of findSeparators(text, pattern, session)) {
    if (limit > 0 && parts.length === limit - 1) break;
    // An empty match at the very start separates nothing.
    if (end === 0) continue;
    parts.push(text.slice(position, start));
    session.checkItems(parts.length);
    position = end;
  }
  if (parts.length === 0) return [text];
  parts.push(text.slice(position));
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  return parts;
}

function* findSeparators(text: string, pattern: string, session: Session): Generator<[number, number]> {
  const literal = plain.test(pattern) ? pattern : /^\\[^A-Za-z0-9]$/.test(pattern) ? pattern.slice(1) : null;
  if (literal !== null) {
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) {
      yield [at, at + literal.length];
    }
    return;
  }
  const matcher = matcherOf(pattern, text, session);
  while (matcher.find()) {
    session.charge(matchCost);
    yield [matcher.start(), matcher.end()];
  }
}

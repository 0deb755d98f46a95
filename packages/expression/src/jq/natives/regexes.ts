import { RE2JS } from 're2js';
import { compileRegex, matchCost, matcherOf } from '../../regex/compileRegex.ts';
import type { Session } from '../../session.ts';
import { type PlainMap, put } from '../../values/kind.ts';
import type { Items } from '../scope.ts';
import { describe, JqError } from '../values.ts';
import { type Natives, withTwoArguments } from './native.ts';

interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly {
    readonly text: string | null;
    readonly start: number;
    readonly name: string | null;
  }[];
}

/** Functions by regular expression, in linear time. */
export const regexNatives: Natives = {
  'test/2': withTwoArguments(
    (value, pattern, flags, session) => findMatches(value, pattern, flags, session, 1).length > 0,
  ),
  'match/2': function* run(machine, [pattern, flags], { value }): Items {
    if (!pattern || !flags) return;
    for (const mode of machine.values(flags, value)) {
      for (const regex of machine.values(pattern, value)) {
        const text = requireText(value);
        for (const match of findMatches(text, regex, mode, machine.session))
          yield { value: describeMatch(text, match), path: null };
      }
    }
  },
  'split/2': withTwoArguments((value, pattern, flags, session) => {
    const text = requireText(value);
    const parts: string[] = [];
    let position = 0;
    for (const match of findMatches(text, pattern, `g${flags ?? ''}`, session)) {
      parts.push(text.slice(position, match.start));
      position = match.end;
    }
    return [...parts, text.slice(position)];
  }),
  'sub/3': function* run(machine, [pattern, replacement, flags], { value }): Items {
    if (!pattern || !replacement || !flags) return;
    const text = requireText(value);
    for (const mode of machine.values(flags, value)) {
      for (const regex of machine.values(pattern, value)) {
        let out = '';
        let position = 0;
        for (const match of findMatches(text, regex, mode, machine.session)) {
          out += text.slice(position, match.start);
          const [inserted] = machine.values(replacement, capturesOf(match));
          if (typeof inserted !== 'string')
            throw new JqError(`${describe(inserted ?? null)} cannot be added to a string`);
          out += inserted;
          position = match.end;
          machine.session.checkText(out.length);
        }
        yield { value: out + text.slice(position), path: null };
      }
    }
  },
};

/** The pattern may be `[pattern, flags]`; `g` asks for all matches, other flags change how they match. */
function findMatches(
  value: unknown,
  pattern: unknown,
  flags: unknown,
  session: Session,
  most = Number.POSITIVE_INFINITY,
): Match[] {
  const text = requireText(value);
  const [source, mode] = Array.isArray(pattern)
    ? [pattern[0], `${pattern[1] ?? ''}${flags ?? ''}`]
    : [pattern, flags ?? ''];
  if (typeof source !== 'string' || typeof mode !== 'string')
    throw new JqError(`${describe(source)} cannot be matched, as it is not a string`);
  const bits = flagsOf(mode);
  const body = mode.includes('x')
    ? source.replace(/\\[\s\S]|\s+|#[^\n]*/g, (piece) => (piece.startsWith('\\') ? piece : ''))
    : source;
  const names = new Map(
    Object.entries(compileRegex(body, bits).namedGroups()).map(([name, index]) => [index, name]),
  );
  const matcher = matcherOf(body, text, session, bits);
  const matches: Match[] = [];
  while (matches.length < most && matcher.find()) {
    session.checkItems(matches.length);
    session.charge(matchCost);
    if (mode.includes('n') && matcher.start() === matcher.end()) continue;
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => ({
      text: matcher.group(index + 1),
      start: matcher.start(index + 1),
      name: names.get(index + 1) ?? null,
    }));
    matches.push({ start: matcher.start(), end: matcher.end(), groups });
    if (!mode.includes('g')) break;
  }
  return matches;
}

function flagsOf(mode: string): number {
  const unknown = /[^gimnpslx]/.exec(mode);
  if (unknown) throw new JqError(`${mode} is not a valid modifier string`);
  return (mode.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) | (/[sp]/.test(mode) ? RE2JS.DOTALL : 0);
}

function describeMatch(text: string, match: Match): PlainMap {
  const offset = (unit: number) => (unit < 0 ? -1 : [...text.slice(0, unit)].length);
  const matched = text.slice(match.start, match.end);
  return {
    offset: offset(match.start),
    length: [...matched].length,
    string: matched,
    captures: match.groups.map((group) => ({
      offset: offset(group.text === null ? -1 : group.start),
      length: group.text === null ? 0 : [...group.text].length,
      string: group.text,
      name: group.name,
    })),
  };
}

function capturesOf(match: Match): PlainMap {
  const map: PlainMap = {};
  for (const group of match.groups) if (group.name !== null) put(map, group.name, group.text);
  return map;
}

function requireText(value: unknown): string {
  if (typeof value !== 'string')
    throw new JqError(`${describe(value)} cannot be matched, as it is not a string`);
  return value;
}

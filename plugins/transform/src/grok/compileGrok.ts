import { TaskFailed } from '@millrace/plugin-kit';
import { standardPatterns } from './patterns.ts';

export interface Capture {
  readonly name: string;
  /** How the text is read: `%{NUMBER:size:int}`. */
  readonly type: string | undefined;
  /** False for `%{NUMBER}`, which is captured under the pattern's name unless `namedCapturesOnly` is set. */
  readonly isNamed: boolean;
}

export interface CompiledGrok {
  readonly source: string;
  /** By the name of the group in the regular expression. */
  readonly captures: ReadonlyMap<string, Capture>;
}

const reference = /%\{(\w+)(?::([\w.@[\]-]+))?(?::(\w+))?\}|\(\?<([A-Za-z]\w*)>/g;
const maxDepth = 50;
const maxLength = 200_000;

/** A grok pattern as a regular expression of JavaScript. */
export function compileGrok(pattern: string, definitions: Readonly<Record<string, string>>): CompiledGrok {
  const captures = new Map<string, Capture>();
  const source = expand(pattern, 0);
  try {
    new RegExp(source, 's');
  } catch (error) {
    throw wrong(pattern, error instanceof Error ? error.message : String(error));
  }
  return { source, captures };

  function expand(text: string, depth: number): string {
    if (depth > maxDepth)
      throw wrong(pattern, `it refers to other patterns more than ${maxDepth} levels deep`);
    const expanded = toJavaScript(text).replace(
      reference,
      (_, name?: string, field?: string, type?: string, group?: string) => {
        if (group !== undefined) return `(?<${capture({ name: group, type: undefined, isNamed: true })}>`;
        const inner = Object.hasOwn(definitions, name ?? '') ? definitions[name ?? ''] : standard(name ?? '');
        if (inner === undefined) throw wrong(pattern, `the pattern "${name}" is unknown`);
        const id = capture({ name: field ?? name ?? '', type, isNamed: field !== undefined });
        return `(?<${id}>${expand(inner, depth + 1)})`;
      },
    );
    if (expanded.length > maxLength) throw wrong(pattern, 'it becomes too long');
    return expanded;
  }

  function capture(found: Capture): string {
    const id = `g${captures.size}`;
    captures.set(id, found);
    return id;
  }
}

const standard = (name: string): string | undefined =>
  Object.hasOwn(standardPatterns, name) ? standardPatterns[name] : undefined;

/** Replaces syntax that JavaScript lacks: atomic groups and possessive quantifiers become plain ones. */
const toJavaScript = (text: string): string =>
  text
    .replaceAll('(?>', '(?:')
    .replace(/(?<!\\)([*+?}])\+/g, '$1')
    .replace(/\[\[:(\w+):\]\]/g, (_, name: string) => posix.get(name) ?? '\\w');

const posix = new Map([
  ['alnum', '[A-Za-z0-9]'],
  ['alpha', '[A-Za-z]'],
  ['digit', '\\d'],
  ['space', '\\s'],
  ['xdigit', '[0-9A-Fa-f]'],
  ['punct', '[!-/:-@\\[-`{-~]'],
]);

const wrong = (pattern: string, problem: string): TaskFailed =>
  new TaskFailed(`The grok pattern "${pattern}" is invalid: ${problem}.`, { retry: false });

export interface GrokChoice {
  readonly namedCapturesOnly: boolean;
  readonly keepEmptyCaptures: boolean;
  readonly breakOnFirstMatch: boolean;
}

/** The matches of the patterns in a text, by capture name. */
export function toFields(
  compiled: readonly CompiledGrok[],
  found: readonly (Readonly<Record<string, string | undefined>> | null)[],
  { namedCapturesOnly, keepEmptyCaptures, breakOnFirstMatch }: GrokChoice,
): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [index, groups] of found.entries()) {
    if (!groups) continue;
    for (const [id, { name, type, isNamed }] of compiled[index]?.captures ?? []) {
      const text = groups[id];
      if (namedCapturesOnly && !isNamed) continue;
      if (text === undefined || text === '') {
        if (keepEmptyCaptures && !fields.has(name)) fields.set(name, text ?? null);
        continue;
      }
      // Of several captures with one name the first that has something counts.
      if (fields.get(name) === undefined || fields.get(name) === '' || fields.get(name) === null)
        fields.set(name, convert(text, type));
    }
    if (breakOnFirstMatch) break;
  }
  return Object.fromEntries(fields);
}

function convert(text: string, type: string | undefined): unknown {
  switch (type) {
    case 'int':
    case 'integer':
    case 'long':
      return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
    case 'float':
    case 'double':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}

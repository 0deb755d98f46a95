import type { z } from 'zod';

type Path = readonly PropertyKey[];

export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return here;
}

/** `['tasks', 0, 'id']` reads `tasks[0].id`. */
export function joinPath(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
}

const names: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

/** A sentence that quotes the value and states the expectation. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown): string {
  const value = valueAt(root, issue.path);
  if (value === undefined || value === null) return 'must not be null';
  return `${expectation(issue)} but received ${show(value)}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  // The schema's own message is more precise.
  if (issue.message.startsWith('must')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${names[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((v) => JSON.stringify(v)).join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'array' || issue.origin === 'string') {
        return issue.minimum === 1 ? 'must not be empty' : `must hold at least ${issue.minimum}`;
      }
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array' || issue.origin === 'string') return `must hold at most ${issue.maximum}`;
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_union':
      return `must be ${[...new Set(issue.errors.flatMap(wantedAtRoot))].join(' or ') || 'another value'}`;
    default:
      return `must be valid (${issue.message})`;
  }
}

const wantedAtRoot = (branch: readonly z.core.$ZodIssue[]): string[] =>
  branch.flatMap((issue) =>
    issue.path.length === 0 && issue.code === 'invalid_type' ? [names[issue.expected] ?? issue.expected] : [],
  );

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

import { RE2JS } from 're2js';

/** A pattern for JavaScript's engine, which can take exponential time; run it only with a time limit. */
export interface BacktrackingPattern {
  readonly source: string;
  readonly flags: string;
}

export type Pattern =
  | { matches(text: string): boolean }
  | { readonly backtracking: BacktrackingPattern }
  | { readonly error: string };

const known = new Map<string, Pattern>();

/**
 * A user's regular expression, matched against the whole text. Most are matched in time linear in its length; those
 * with look-around or back-references, which Java allows, need an engine that backtracks.
 */
export function compilePattern(source: string): Pattern {
  let pattern = known.get(source);
  if (!pattern) {
    pattern = compile(source);
    if (known.size > 1000) known.clear();
    known.set(source, pattern);
  }
  return pattern;
}

function compile(source: string): Pattern {
  if (source.length > 5000) return { error: 'it is longer than 5000 characters' };
  try {
    const compiled = RE2JS.compile(source);
    return { matches: (text) => compiled.matches(text) };
  } catch (error) {
    const backtracking = needsBacktracking.test(source) ? toJavaScript(source) : undefined;
    return backtracking
      ? { backtracking }
      : { error: error instanceof Error ? error.message : String(error) };
  }
}

const needsBacktracking = /\(\?<?[=!]|\\[1-9]|\\k</;

const posix: Readonly<Record<string, string>> = {
  Alpha: 'a-zA-Z',
  Digit: '0-9',
  Alnum: 'a-zA-Z0-9',
  Upper: 'A-Z',
  Lower: 'a-z',
  Punct: '!-\\/:-@\\[-`{-~',
  Space: '\\s',
};

/** The same pattern as JavaScript writes it; undefined when it has no such form. */
function toJavaScript(source: string): BacktrackingPattern | undefined {
  const [, words = '', rest = source] = /^\(\?([ims]+)\)(.*)$/s.exec(source) ?? [];
  let inClass = false;
  const body = rest.replace(/\\p\{(\w+)\}|\\.|\[|\]/gs, (piece: string, name?: string) => {
    if (piece === '[') inClass = true;
    else if (piece === ']') inClass = false;
    else if (piece === '\\A') return '^';
    else if (piece === '\\z' || piece === '\\Z') return '$';
    const set = name === undefined ? undefined : posix[name];
    if (set === undefined) return piece;
    return inClass ? set : `[${set}]`;
  });
  const whole = `^(?:${body})$`;
  for (const flags of [`${words}u`, words]) {
    try {
      new RegExp(whole, flags);
      return { source: whole, flags };
    } catch {
      // Some escapes are only valid without the flag for Unicode.
    }
  }
  return undefined;
}

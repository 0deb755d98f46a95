import { RE2JS } from 're2js';

export type Pattern = { matches(text: string): boolean } | { readonly error: string };

const known = new Map<string, Pattern>();

/** A user's regular expression, matched against the whole text in time linear in its length. */
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
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Globs over relative paths with `/`: `*` and `?` stay inside a name, `**` crosses folders (also within a
 * name, as in `**.txt`), `[a-z]` and `{a,b}` work as usual. Matching takes at most pattern × path steps for
 * every pattern; an equivalent regular expression could backtrack exponentially.
 */
export function createGlobMatcher(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) => expand(trimStart(pattern))).map(toSegments);
  return (path) => {
    const names = trimStart(path).split('/');
    return globs.some((segments) => matchSegments(segments, names));
  };
}

const maxAlternatives = 1000;

const trimStart = (path: string): string => path.replace(/^(glob:)?(\.?\/)*/, '');

/**
 * `a{b,c}` becomes `ab` and `ac`, innermost braces first; `a**b` becomes `a*b` and a variant with folders in
 * between.
 */
function expand(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const choices = bracesIn(next) ?? starsIn(next);
    if (choices) open.push(...choices);
    else done.push(next);
    if (done.length + open.length > maxAlternatives)
      throw new Error(`The glob "${pattern}" has too many alternatives.`);
  }
  return done;
}

function bracesIn(glob: string): string[] | undefined {
  const found = /\{([^{}]*)\}/.exec(glob);
  if (!found) return undefined;
  const [before, after] = [glob.slice(0, found.index), glob.slice(found.index + found[0].length)];
  return (found[1] ?? '').split(',').map((choice) => before + choice + after);
}

/** The first `**` that shares its name with something else. */
function starsIn(glob: string): string[] | undefined {
  const segments = glob.split('/');
  const at = segments.findIndex((segment) => segment !== '**' && segment.includes('**'));
  if (at < 0) return undefined;
  return ['*', '*/**/*'].map((stars) =>
    segments.with(at, (segments[at] ?? '').replace(/\*{2,}/, stars)).join('/'),
  );
}

type Step =
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'one'; fits(char: string): boolean };
type Segment = '**' | readonly Step[];

const toSegments = (glob: string): Segment[] =>
  glob.split('/').map((segment) => (segment === '**' ? '**' : toSteps(segment)));

function toSteps(segment: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < segment.length; at++) {
    const char = segment[at] ?? '';
    const end = char === '[' ? segment.indexOf(']', at + 2) : -1;
    if (char === '*') {
      if (steps.at(-1)?.kind !== 'star') steps.push({ kind: 'star' });
    } else if (char === '?') steps.push({ kind: 'any' });
    else if (end > 0) {
      steps.push({ kind: 'one', fits: toCharacterClass(segment.slice(at + 1, end)) });
      at = end;
    } else {
      const literal = char === '\\' ? (segment[++at] ?? char) : char;
      steps.push({ kind: 'one', fits: (other) => other === literal });
    }
  }
  return steps;
}

function toCharacterClass(text: string): (char: string) => boolean {
  const isNegated = text.startsWith('!') || text.startsWith('^');
  const ranges = [...(isNegated ? text.slice(1) : text).matchAll(/(.)-(.)|(.)/gs)].map(
    ([, from, to, single]) => [from ?? single ?? '', to ?? single ?? ''] as const,
  );
  return (char) => ranges.some(([from, to]) => char >= from && char <= to) !== isNegated;
}

const matchSegments = (segments: readonly Segment[], names: readonly string[]): boolean =>
  matchSequence(
    segments,
    names,
    (segment) => segment === '**',
    (segment, name) => segment !== '**' && matchName(segment, name),
  );

const matchName = (steps: readonly Step[], name: string): boolean =>
  matchSequence(
    steps,
    [...name],
    (step) => step.kind === 'star',
    (step, char) => step.kind === 'any' || (step.kind === 'one' && step.fits(char)),
  );

/**
 * Matches steps against items, where a star matches any number of items. Tracks the set of possible steps.
 */
function matchSequence<S, I>(
  steps: readonly S[],
  items: readonly I[],
  isStar: (step: S) => boolean,
  fits: (step: S, item: I) => boolean,
): boolean {
  let reachable = skipStars(new Set([0]), steps, isStar);
  for (const item of items) {
    const next = new Set<number>();
    for (const at of reachable) {
      const step = steps[at];
      if (step === undefined) continue;
      if (isStar(step)) next.add(at);
      else if (fits(step, item)) next.add(at + 1);
    }
    reachable = skipStars(next, steps, isStar);
    if (reachable.size === 0) return false;
  }
  return reachable.has(steps.length);
}

function skipStars<S>(
  reachable: Set<number>,
  steps: readonly S[],
  isStar: (step: S) => boolean,
): Set<number> {
  for (const at of reachable) {
    const step = steps[at];
    if (step !== undefined && isStar(step)) reachable.add(at + 1);
  }
  return reachable;
}

import type { Renames } from './renameReferences.ts';

/** A task, trigger, input or output, compared by its content. */
export interface Candidate {
  readonly id: string;
  /** Without the id and without the tasks inside. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The ids of the tasks inside: they tell one container from another. */
  readonly children: readonly string[];
}

/** Two parts of one type are the same part when half of their content is equal, as git decides for files. */
const SIMILAR = 0.5;
/** A part whose type changed, too, needs more in common. */
const SIMILAR_OF_OTHER_TYPE = 0.75;
/** Above this number of pairs only equal content and equal places count: every pair is compared. */
const MAX_PAIRS = 250_000;

/**
 * New ids by old ones: a part that is gone and one that is new are one renamed part when they have the same content,
 * else when their contents are similar, else when a part of the same type is at the same place.
 */
export function matchRenamed<Part extends Candidate>(
  gone: readonly Part[],
  came: readonly Part[],
  isAtSamePlace: (before: Part, after: Part, renames: Renames) => boolean,
): Renames {
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  const match = (before: Part, after: Part) => {
    if (renames.has(before.id) || taken.has(after.id)) return;
    renames.set(before.id, after.id);
    taken.add(after.id);
  };
  if (gone.length * came.length <= MAX_PAIRS)
    for (const { before, after } of similarPairs(gone, came)) match(before, after);
  for (const after of came) {
    const before = gone.find(
      (one) =>
        !renames.has(one.id) &&
        one.properties.type === after.properties.type &&
        isAtSamePlace(one, after, renames),
    );
    if (before) match(before, after);
  }
  return renames;
}

/** The most similar pairs first; equally similar ones in the order of the flow. */
function similarPairs<Part extends Candidate>(gone: readonly Part[], came: readonly Part[]) {
  const old = gone.map((part) => ({ part, content: contentOf(part) }));
  const fresh = came.map((part) => ({ part, content: contentOf(part) }));
  const pairs: { before: Part; after: Part; score: number }[] = [];
  for (const { part: after, content } of fresh)
    for (const { part: before, content: known } of old) {
      const score = similarity(known, content);
      const isSameType = before.properties.type === after.properties.type;
      if (score >= (isSameType ? SIMILAR : SIMILAR_OF_OTHER_TYPE))
        pairs.push({ before, after, score: isSameType ? score + 1 : score });
    }
  return pairs.toSorted((a, b) => b.score - a.score);
}

interface Content {
  /** How often each word stands at a property; the weight of a word is its length. */
  readonly words: ReadonlyMap<string, { readonly count: number; readonly weight: number }>;
  readonly total: number;
}

const word = /[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}]/gu;

/** The words of all values with their properties. Names of properties say nothing: every Log has a message. */
function contentOf({ properties, children }: Candidate): Content {
  const words = new Map<string, { count: number; weight: number }>();
  let total = 0;
  const add = (path: string, text: string) => {
    for (const [found] of text.matchAll(word)) {
      const key = `${path}\n${found}`;
      words.set(key, { count: (words.get(key)?.count ?? 0) + 1, weight: found.length });
      total += found.length;
    }
  };
  const walk = (path: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(path, item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) walk(`${path}.${name}`, item);
    else if (value !== undefined && value !== null) add(path, String(value));
  };
  const { type: _, ...others } = properties;
  walk('', others);
  walk('tasks', children);
  return { words, total };
}

/** 0 for nothing in common (also when both are empty), 1 for the same words. */
function similarity(a: Content, b: Content): number {
  const [small, large] = a.words.size <= b.words.size ? [a, b] : [b, a];
  if (small.total === 0) return 0;
  let common = 0;
  for (const [key, { count, weight }] of small.words)
    common += Math.min(count, large.words.get(key)?.count ?? 0) * weight;
  return (2 * common) / (small.total + large.total);
}

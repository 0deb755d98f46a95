/** A type that the palette offers. */
export interface OfferedType {
  readonly type: string;
  readonly title: string;
}

export interface RankedTypes {
  readonly recent: readonly OfferedType[];
  readonly others: readonly OfferedType[];
}

/** More entries than this are reached by typing, not by scrolling. */
const MAX_SHOWN = 120;

/** The types that fit the words: the recently used first, then by how well the name fits. */
export function rankTypes(
  types: ReadonlyMap<string, string>,
  search: string,
  recentTypes: readonly string[],
): RankedTypes {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = [...types].flatMap(([type, title]) => {
    const score = scoreOf(type.toLowerCase(), title.toLowerCase(), words);
    return score === undefined ? [] : [{ type, title, score }];
  });
  const isRecent = new Map(recentTypes.map((type, index) => [type, index]));
  const recent = offered
    .filter(({ type }) => isRecent.has(type))
    .sort((a, b) => (isRecent.get(a.type) ?? 0) - (isRecent.get(b.type) ?? 0));
  const others = offered
    .filter(({ type }) => !isRecent.has(type))
    .sort((a, b) => a.score - b.score || a.type.localeCompare(b.type));
  return { recent: recent.map(bare), others: others.slice(0, MAX_SHOWN).map(bare) };
}

const bare = ({ type, title }: OfferedType): OfferedType => ({ type, title });

/** Lower is better; undefined when a word is in neither the name nor the title. */
function scoreOf(type: string, title: string, words: readonly string[]): number | undefined {
  const name = type.slice(type.lastIndexOf('.') + 1);
  // "http" means the HTTP tasks rather than a type whose name begins with it.
  const groups = type.split('.').slice(0, -1);
  let score = 0;
  for (const word of words) {
    if (name === word) score += 0;
    else if (groups.includes(word)) score += 0.75;
    else if (name.startsWith(word)) score += 1;
    else if (name.includes(word)) score += 3;
    else if (type.includes(word)) score += 4;
    else if (title.includes(word)) score += 8;
    else return undefined;
  }
  // Control tasks and the basics are what a flow is made of.
  return score + (type.startsWith('core.') ? 0 : 0.5);
}

const MAX_RECENT = 6;

/** The types as they are stored: the newest first, each once. */
export const withRecent = (recent: readonly string[], type: string): string[] =>
  [type, ...recent.filter((known) => known !== type)].slice(0, MAX_RECENT);

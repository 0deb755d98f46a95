import type { DocPage } from './docs.ts';

export interface DocHit {
  readonly parsedUrl: string;
  readonly title: string;
  readonly description: string;
  /** The first line that contains one of the words. */
  readonly excerpt: string;
}

const weights = { title: 20, heading: 6, description: 4, body: 1 } as const;
const maxHits = 20;
const maxWords = 10;
const maxExcerpt = 160;

/** The pages that contain every word of a query, best matches first. */
export function searchDocs(pages: readonly DocPage[], question: string): DocHit[] {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [])].slice(0, maxWords);
  if (words.length === 0) return [];
  const hits = pages.flatMap((page) => {
    const scores = words.map((word) => scoreOf(page, word));
    if (scores.includes(0)) return [];
    return [{ page, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  hits.sort((a, b) => b.score - a.score);
  return hits.slice(0, maxHits).map(({ page }) => toHit(page, words));
}

function scoreOf({ metadata, content }: DocPage, word: string): number {
  const lines = content.toLowerCase().split('\n');
  const holds = (text: string) => text.includes(word);
  // Matches are capped: a page that repeats a word a hundred times is no better than five matches.
  const body = Math.min(lines.filter(holds).length, 5);
  return (
    (holds(metadata.title.toLowerCase()) ? weights.title : 0) +
    (holds(metadata.description.toLowerCase()) ? weights.description : 0) +
    (lines.some((line) => line.startsWith('#') && holds(line)) ? weights.heading : 0) +
    body * weights.body
  );
}

function toHit({ path, metadata, content }: DocPage, words: readonly string[]): DocHit {
  const line = content.split('\n').find((text) => words.some((word) => text.toLowerCase().includes(word)));
  const excerpt = withoutBars(line ?? metadata.description)
    .replace(/^[#>*\s-]+/, '')
    .slice(0, maxExcerpt);
  return { parsedUrl: path, title: metadata.title, description: metadata.description, excerpt };
}

/** The cells of a table's row, one after the other. Elsewhere a bar means something: `{{ name | upper }}`. */
function withoutBars(line: string): string {
  if (!line.trimStart().startsWith('|')) return line;
  return line
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
}

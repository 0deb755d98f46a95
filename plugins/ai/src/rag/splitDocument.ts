import { TaskFailed } from '@millrace/plugin-kit';

export type Splitter = 'RECURSIVE' | 'PARAGRAPH' | 'LINE' | 'SENTENCE' | 'WORD';

/** The separators and joiners of each level, from coarsest to finest. */
const levels: readonly { readonly name: Splitter; readonly pattern: RegExp; readonly joiner: string }[] = [
  { name: 'PARAGRAPH', pattern: /\s*(?:\r?\n){2,}\s*/, joiner: '\n\n' },
  { name: 'LINE', pattern: /\s*\r?\n\s*/, joiner: '\n' },
  { name: 'SENTENCE', pattern: /(?<=[.!?…])\s+/, joiner: ' ' },
  { name: 'WORD', pattern: /\s+/, joiner: ' ' },
];

interface Options {
  readonly splitter: Splitter;
  readonly maxSegmentSizeInChars: number;
  readonly maxOverlapSizeInChars: number;
}

/**
 * Cuts a text into segments of at most the given length. Pieces that fit are joined; a piece that is too long
 * is cut on the next finer level. Each segment starts with the last whole pieces of the previous segment that
 * fit the overlap.
 */
export function splitDocument(text: string, options: Options): string[] {
  const { maxSegmentSizeInChars: size, maxOverlapSizeInChars: overlap } = options;
  if (overlap >= size)
    throw new TaskFailed(
      `"maxOverlapSizeInChars" (${overlap}) must be less than "maxSegmentSizeInChars" (${size}).`,
      { retry: false },
    );
  const start =
    options.splitter === 'RECURSIVE' ? 0 : levels.findIndex(({ name }) => name === options.splitter);
  return splitAt(text.trim(), start, size, overlap).filter((segment) => segment !== '');
}

function splitAt(text: string, level: number, size: number, overlap: number): string[] {
  if (text.length <= size) return [text];
  const rule = levels[level];
  if (!rule) return cutHard(text, size, overlap);
  const segments: string[] = [];
  let current: string[] = [];
  const lengthOf = (pieces: readonly string[]) => pieces.join(rule.joiner).length;
  const finish = () => {
    if (current.length > 0) segments.push(current.join(rule.joiner));
    current = lastPieces(current, overlap, rule.joiner);
  };
  for (const piece of text.split(rule.pattern).filter((one) => one !== '')) {
    if (piece.length > size) {
      finish();
      segments.push(...splitAt(piece, level + 1, size, overlap));
      current = [];
      continue;
    }
    if (lengthOf([...current, piece]) > size) finish();
    // Drops an overlap that leaves no room for the piece.
    if (lengthOf([...current, piece]) > size) current = [];
    current.push(piece);
  }
  if (current.length > 0) segments.push(current.join(rule.joiner));
  return segments;
}

function lastPieces(pieces: readonly string[], overlap: number, joiner: string): string[] {
  const kept: string[] = [];
  for (const piece of pieces.toReversed()) {
    if ([piece, ...kept].join(joiner).length > overlap) break;
    kept.unshift(piece);
  }
  return kept;
}

function cutHard(text: string, size: number, overlap: number): string[] {
  const segments: string[] = [];
  for (let start = 0; start < text.length; start += size - overlap) {
    segments.push(text.slice(start, start + size));
    if (start + size >= text.length) break;
  }
  return segments;
}

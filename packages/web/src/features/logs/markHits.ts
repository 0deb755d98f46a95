import type { Chunk } from './ansi.ts';

export type MarkedChunk = Chunk & { readonly isHit: boolean };

/** Cuts the pieces of a message where a hit begins or ends; a hit may run across several of them. */
export function markHits(chunks: readonly Chunk[], search: string): MarkedChunk[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return chunks.map((chunk) => ({ ...chunk, isHit: false }));
  const text = chunks
    .map((chunk) => chunk.text)
    .join('')
    .toLowerCase();
  const marked: MarkedChunk[] = [];
  let chunkStart = 0;
  let hitStart = text.indexOf(wanted);
  for (const chunk of chunks) {
    const chunkEnd = chunkStart + chunk.text.length;
    let at = chunkStart;
    while (at < chunkEnd) {
      const isHit = hitStart >= 0 && at >= hitStart;
      const edge = hitStart < 0 ? chunkEnd : isHit ? hitStart + wanted.length : hitStart;
      const end = Math.min(edge, chunkEnd);
      marked.push({ ...chunk, text: chunk.text.slice(at - chunkStart, end - chunkStart), isHit });
      at = end;
      if (isHit && at === hitStart + wanted.length) hitStart = text.indexOf(wanted, at);
    }
    chunkStart = chunkEnd;
  }
  return marked;
}

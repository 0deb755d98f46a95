import Anser from 'anser';
import { type CSSProperties, memo } from 'react';
import styles from './LogView.module.css';

/** A message with its colours, and the text searched for marked. Everything is text: nothing in a log is markup. */
export const AnsiText = memo(function AnsiText({ message, search }: { message: string; search: string }) {
  // Most messages by far, and an element less for each row of a log.
  if (search === '' && !message.includes('\u001b')) return message;
  return markHits(readAnsi(message), search).map((chunk, index) => {
    const Tag = chunk.isHit ? 'mark' : 'span';
    return (
      <Tag
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one message never move.
        key={index}
        className={chunk.isHit ? styles.mark : undefined}
        style={chunk.isHit ? undefined : chunk.style}
      >
        {chunk.text}
      </Tag>
    );
  });
});

type MarkedChunk = Chunk & { readonly isHit: boolean };

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

interface Chunk {
  readonly text: string;
  readonly style?: CSSProperties;
}

/** Cuts a message into pieces of one look each. Named colours follow the theme, others are taken as they are. */
export function readAnsi(message: string): Chunk[] {
  if (!message.includes('\u001b')) return [{ text: message }];
  return Anser.ansiToJson(message, { use_classes: true, json: true, remove_empty: true }).map((piece) => {
    const style: CSSProperties = {
      ...(piece.fg && { color: colourOf(piece.fg, piece.fg_truecolor) }),
      ...(piece.bg && { backgroundColor: colourOf(piece.bg, piece.bg_truecolor) }),
    };
    for (const decoration of piece.decorations) Object.assign(style, looks[decoration]);
    return Object.keys(style).length > 0 ? { text: piece.content, style } : { text: piece.content };
  });
}

function colourOf(name: string, truecolour: string | null): string {
  if (name === 'ansi-truecolor' && truecolour) return `rgb(${truecolour})`;
  const indexed = /^ansi-palette-(\d+)$/.exec(name);
  if (indexed) return paletteColour(Number(indexed[1]));
  return `var(--${name})`;
}

/** Colours 16 to 255 of a terminal: a cube of six steps and a ramp of greys. */
export function paletteColour(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return `rgb(${step(Math.floor(cube / 36))}, ${step(Math.floor(cube / 6) % 6)}, ${step(cube % 6)})`;
}

const looks: Partial<Record<string, CSSProperties>> = {
  bold: { fontWeight: 700 },
  dim: { opacity: 0.75 },
  italic: { fontStyle: 'italic' },
  underline: { textDecoration: 'underline' },
  strikethrough: { textDecoration: 'line-through' },
};

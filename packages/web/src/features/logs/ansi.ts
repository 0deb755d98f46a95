import Anser from 'anser';
import type { CSSProperties } from 'react';

export interface Chunk {
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

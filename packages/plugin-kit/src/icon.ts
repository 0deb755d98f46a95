import { colorOf } from './iconColors.ts';

const start =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="#5b6b8c" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">';
const end = '</svg>';

/** A 24 × 24 line icon from the paths of its strokes, drawn in the house style. */
export const lineIcon = (...paths: readonly string[]): string =>
  `${start}${paths.map((d) => `<path d="${d}"/>`).join('')}${end}`;

/**
 * A line icon on a tile in the color of its group, which is recognizable on light and dark pages alike. Other drawings,
 * such as those of the user's own plugins, stay as they are.
 */
export function tileIcon(svg: string, group: string): string {
  if (!svg.startsWith(start)) return svg;
  const color = colorOf(group);
  const lines = svg.slice(start.length, -end.length);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">',
    `<rect width="24" height="24" rx="5.5" fill="${color}"/>`,
    `<g transform="translate(3.6 3.6) scale(.7)" fill="none" stroke="${lineOn(color)}" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round">${lines}</g>`,
    end,
  ].join('');
}

/** White, or dark on a bright tile such as yellow. */
function lineOn(color: string): string {
  const part = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  return luminance > 0.42 ? '#2b2410' : '#fff';
}

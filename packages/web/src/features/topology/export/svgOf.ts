import type { GraphNode } from '@millrace/contract';
import { arrowOf, curveOf, dotOf, pathOf } from '../Edges.tsx';
import { factsOf } from '../Facts.tsx';
import type { GraphLayout, Orientation, PlacedCluster, PlacedEdge, PlacedNode } from '../layout/layout.ts';

/** The colors of the picture, as values that need no style sheet. */
export interface Palette {
  readonly page: string;
  readonly surface: string;
  readonly border: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly box: string;
  readonly error: string;
  readonly late: string;
}

export interface Picture {
  readonly layout: GraphLayout;
  readonly orientation: Orientation;
  readonly palette: Palette;
  /** An SVG in base64 per type, where the type has an icon. */
  iconOf(type: string): string | undefined;
  /** The color of a task's state in an execution. */
  stateColorOf(node: GraphNode): string | undefined;
  readonly words: {
    readonly triggers: string;
    readonly finally: string;
    readonly afterExecution: string;
    readonly onError: string;
  };
}

const MARGIN = 24;
const FONT = "Inter, system-ui, -apple-system, 'Segoe UI', sans-serif";
const MONO = "'JetBrains Mono', ui-monospace, monospace";

/** The graph as one SVG file that looks the same everywhere: no style sheet, no font file, no script. */
export function svgOf(picture: Picture): { svg: string; width: number; height: number } {
  const { layout, palette } = picture;
  const width = Math.ceil(layout.width + 2 * MARGIN);
  const height = Math.ceil(layout.height + 2 * MARGIN);
  const parts = [
    ...layout.clusters.toSorted((a, b) => a.depth - b.depth).map((cluster) => drawCluster(cluster, picture)),
    ...layout.edges.map((edge) => drawEdge(edge, picture)),
    ...layout.nodes.map((node) => drawNode(node, picture)),
  ];
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" fill="${palette.page}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" font-family="${FONT}">`,
    ...parts,
    '</g></svg>',
  ].join('\n');
  return { svg, width, height };
}

function drawCluster({ x, y, width, height, header }: PlacedCluster, picture: Picture): string {
  const { palette, words } = picture;
  const border = (header && picture.stateColorOf(header)) ?? palette.border;
  const title = header?.task?.id ?? words.triggers;
  const type = header?.task ? typeAndFacts(header) : '';
  const typeX = 20 + Math.min(title.length * 7.2, width - 24);
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${palette.box}" stroke="${border}"/>`,
    text({ x: x + 12, y: y + 24, size: 12.5, color: palette.text, weight: 600 }, cut(title, width - 24, 7.2)),
    type &&
      text(
        {
          x: x + typeX,
          y: y + 24,
          size: 10.5,
          color: palette.muted,
          mono: true,
        },
        cut(type, width - typeX - 12, 6.4),
      ),
  ].join('');
}

function drawNode(placed: PlacedNode, picture: Picture): string {
  const { x, y, width, height, kind, node } = placed;
  const { palette, words } = picture;
  if (kind === 'dot')
    return `<circle cx="${x + width / 2}" cy="${y + height / 2}" r="5" fill="${palette.surface}" stroke="${palette.border}" stroke-width="2"/>`;
  if (kind === 'marker') {
    const word = node.type === 'GraphClusterFinally' ? words.finally : words.afterExecution;
    return [
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="${palette.surface}" stroke="${palette.late}"/>`,
      `<text x="${x + width / 2}" y="${y + 16}" font-size="11" font-weight="600" text-anchor="middle" fill="${palette.text}">${escaped(word)}</text>`,
    ].join('');
  }
  const definition = node.task ?? node.triggerDeclaration;
  const state = picture.stateColorOf(node);
  const icon = picture.iconOf(definition?.type ?? '');
  const isDisabled = definition?.disabled === true;
  const middle = y + height / 2;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${palette.surface}" stroke="${state ?? palette.border}"/>`,
    state && `<rect x="${x}" y="${y + 6}" width="3" height="${height - 12}" fill="${state}"/>`,
    icon &&
      `<image x="${x + 15}" y="${middle - 9}" width="18" height="18" href="data:image/svg+xml;base64,${icon}"/>`,
    text(
      {
        x: x + 47,
        y: middle - 3,
        size: 13,
        color: isDisabled ? palette.muted : palette.text,
        weight: 600,
        isStruck: isDisabled,
      },
      cut(definition?.id ?? '', width - 57, 7.3),
    ),
    text(
      { x: x + 47, y: middle + 12, size: 10.5, color: palette.muted, mono: true },
      cut(typeAndFacts(node), width - 57, 6.4),
    ),
  ].join('');
}

function drawEdge(
  { edge, points, isCurve, hasArrow, leavesHeader, label }: PlacedEdge,
  picture: Picture,
): string {
  const { palette, orientation } = picture;
  const { relationType } = edge.relation;
  const isError = relationType === 'ERROR';
  const isLate = relationType === 'FINALLY' || relationType === 'AFTER_EXECUTION';
  const color = isError ? palette.error : isLate ? palette.late : palette.line;
  const dash = isError
    ? ' stroke-dasharray="5 4"'
    : relationType === 'DYNAMIC'
      ? ' stroke-dasharray="2 3"'
      : '';
  const [first] = points;
  return [
    `<path d="${isCurve ? curveOf(points, orientation) : pathOf(points)}" fill="none" stroke="${color}" stroke-width="1.5"${dash}/>`,
    hasArrow && `<path d="${arrowOf(points, isCurve ? orientation : undefined)}" fill="${color}"/>`,
    leavesHeader && first && `<path d="${dotOf(first, 3)}" fill="${color}"/>`,
    label &&
      drawLabel(
        isError && edge.relation.value === undefined ? { ...label, text: picture.words.onError } : label,
        palette,
      ),
  ]
    .filter(Boolean)
    .join('');
}

function drawLabel({ x, y, text: words }: NonNullable<PlacedEdge['label']>, palette: Palette): string {
  const shown = cut(words, 138, 6.4);
  const width = shown.length * 6.4 + 14;
  return [
    `<rect x="${x - width / 2}" y="${y - 8.5}" width="${width}" height="17" rx="8.5" fill="${palette.surface}" stroke="${palette.border}"/>`,
    `<text x="${x}" y="${y + 3.5}" font-size="10.5" text-anchor="middle" font-family="${MONO}" fill="${palette.muted}">${escaped(shown)}</text>`,
  ].join('');
}

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color: string;
  readonly weight?: number;
  readonly mono?: boolean;
  readonly isStruck?: boolean;
}

function text({ x, y, size, color, weight, mono, isStruck }: TextStyle, words: string): string {
  const font = mono ? ` font-family="${MONO}"` : '';
  const bold = weight ? ` font-weight="${weight}"` : '';
  const struck = isStruck ? ' text-decoration="line-through"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}"${font}${bold}${struck}>${escaped(words)}</text>`;
}

/** As on the page: what decides when, whether or how often a task runs stands beside its type. */
const typeAndFacts = (node: GraphNode): string => {
  const { type = '' } = node.task ?? node.triggerDeclaration ?? {};
  return [shorten(type), ...factsOf(node).map((fact) => fact.text)].join(' · ');
};

const shorten = (type: string): string => type.split('.').slice(-2).join('.');

/** As many characters as fit; their width is estimated, because there is no style sheet to measure with. */
function cut(words: string, width: number, perCharacter: number): string {
  const fitting = Math.max(1, Math.floor(width / perCharacter));
  return words.length <= fitting ? words : `${words.slice(0, fitting - 1)}…`;
}

const escaped = (words: string): string =>
  words.replaceAll(/[&<>"'\p{Cc}]/gu, (character) => {
    const entities: Readonly<Record<string, string>> = {
      '&': '&amp;',
      '<': '&lt;',
      '>': '&gt;',
      '"': '&quot;',
      "'": '&#39;',
    };
    return entities[character] ?? ' ';
  });

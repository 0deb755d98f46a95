import type { Path } from '../path.ts';
import type { Entry, Node } from './node.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The whole value at a path; undefined when there is none. */
export function spanOf(root: Node, path: Path): Span | undefined {
  let node: Node | undefined = root;
  for (const step of path) node = node && stepInto(node, step)?.value;
  return node && { start: node.start, end: node.end };
}

/**
 * The range to underline for a finding at a path: the value when it is a scalar, the property's name when it
 * is a map, a list or absent. A path that does not exist is shown at its closest existing ancestor.
 */
export function markOf(root: Node, path: Path): Span {
  let node = root;
  let name: Span | undefined;
  for (const step of path) {
    const found = stepInto(node, step);
    if (!found) break;
    if (found.key) name = found.key;
    else if (found.value.kind === 'map') name = found.value.entries[0]?.key ?? found.value;
    else name = found.value;
    node = found.value;
  }
  if (node.kind === 'scalar' && node.end > node.start) return node;
  return (
    name ??
    (node.kind === 'map' ? (node.entries[0]?.key ?? node) : { start: node.start, end: node.start + 1 })
  );
}

function stepInto(node: Node, step: string | number): { key?: Span; value: Node } | undefined {
  if (node.kind === 'list') {
    const value = typeof step === 'number' ? node.items[step] : undefined;
    return value && { value };
  }
  if (node.kind === 'map') return node.entries.find((entry) => entry.key.text === String(step));
  return undefined;
}

/** The deepest path whose key or value lies at an offset. Blank space belongs to the value that it follows. */
export function pathAtOffset(root: Node, offset: number): Path {
  const path: (string | number)[] = [];
  let node: Node | undefined = root;
  while (node && node.kind !== 'scalar') {
    const inside: { step: string | number; value: Node } | undefined =
      node.kind === 'map' ? entryAt(node.entries, offset) : itemAt(node.items, offset);
    if (!inside) break;
    path.push(inside.step);
    // An aliased value lies elsewhere in the text, so its content is not at this offset.
    node = inside.value.start <= offset ? inside.value : undefined;
  }
  return path;
}

function entryAt(entries: readonly Entry[], offset: number) {
  let best: Entry | undefined;
  for (const entry of entries) {
    if (entry.key.start <= offset && (!best || entry.key.start >= best.key.start)) best = entry;
  }
  return best && { step: best.key.text, value: best.value };
}

function itemAt(items: readonly Node[], offset: number) {
  let best = -1;
  items.forEach((item, index) => {
    if (item.start <= offset && (best === -1 || item.start >= (items[best]?.start ?? 0))) best = index;
  });
  const value = items[best];
  return value && { step: best, value };
}

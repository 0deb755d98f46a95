import type { Span } from '@millrace/expression';
import { shortType } from '../flow/typeName.ts';
import type { MapNode, Node } from '../flow/yaml/node.ts';
import type { FlowDocument } from './document.ts';

export interface OutlineEntry {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'section' | 'element' | 'property';
  readonly span: Span;
  /** The part to select when the entry is chosen. */
  readonly selection: Span;
  readonly children: readonly OutlineEntry[];
}

/** Sections of the flow with their elements, tasks with the tasks inside them. */
export function outlineOf({ root }: FlowDocument): OutlineEntry[] {
  if (root.kind !== 'map') return [];
  return root.entries
    .filter(({ value }) => value.kind !== 'scalar')
    .map(({ key, value }) => ({
      name: key.text,
      detail: '',
      kind: 'section',
      span: { start: key.start, end: value.end },
      selection: key,
      children: value.kind === 'map' && key.text === 'variables' ? propertiesOf(value) : elementsIn(value),
    }));
}

const propertiesOf = (node: MapNode): OutlineEntry[] =>
  node.entries.map(({ key, value }) => ({
    name: key.text,
    detail: '',
    kind: 'property',
    span: { start: key.start, end: value.end },
    selection: key,
    children: [],
  }));

/** The nearest maps with an id, however deep. */
function elementsIn(node: Node): OutlineEntry[] {
  if (node.kind === 'list') return node.items.flatMap(elementsIn);
  if (node.kind !== 'map') return [];
  const id = scalarOf(node, 'id');
  const inner = node.entries.flatMap(({ value }) => elementsIn(value));
  if (!id) return inner;
  const type = scalarOf(node, 'type');
  return [
    {
      name: id.text,
      detail: type ? shortType(type.text) : '',
      kind: 'element',
      span: { start: node.start, end: node.end },
      selection: { start: id.start, end: id.end },
      children: inner,
    },
  ];
}

function scalarOf(node: MapNode, name: string) {
  const found = node.entries.find(({ key }) => key.text === name)?.value;
  return found?.kind === 'scalar' ? found : undefined;
}

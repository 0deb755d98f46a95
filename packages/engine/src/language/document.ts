import { type FlowModel, type FlowTemplate, flowModel } from '../check/flowTemplates.ts';
import { scalarOffsets } from '../check/scalarOffsets.ts';
import { Findings } from '../flow/findings.ts';
import type { Path } from '../flow/path.ts';
import { isData } from '../flow/read/fields.ts';
import { readFlow } from '../flow/read/readFlow.ts';
import type { Node, ScalarNode } from '../flow/yaml/node.ts';
import { readYaml } from '../flow/yaml/readYaml.ts';

/** A flow text that could be read, perhaps without the value of the line that is being typed. */
export interface FlowDocument extends FlowModel {
  /** The offset in `text` that belongs to the cursor. */
  readonly cursor: number;
}

/** A line of YAML up to where its value begins. */
const beforeValue = /^\s*(?:- )*(?:[\w.-]+:)?/;

/**
 * Reads a flow around a cursor. A line that is still being typed is seldom valid: without its value the other
 * lines can be read.
 */
export function readDocument(text: string, offset: number): FlowDocument | undefined {
  const whole = readFlowText(text);
  if (whole) return { ...whole, cursor: offset };
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const to = end < 0 ? text.length : end;
  const [kept = ''] = beforeValue.exec(text.slice(from, to)) ?? [];
  const others = readFlowText(text.slice(0, from) + kept + text.slice(to));
  return others && { ...others, cursor: Math.min(offset, from + kept.length) };
}

function readFlowText(text: string): FlowModel | undefined {
  const reading = readYaml(text);
  if ('problem' in reading || !isData(reading.data)) return undefined;
  const { flow } = readFlow(reading.data, new Findings());
  return flowModel(text, reading.root, flow);
}

/** The node at a path, and the key it stands under. */
export function nodeAt(root: Node, path: Path): { node: Node; key?: ScalarNode } | undefined {
  let found: { node: Node; key?: ScalarNode } = { node: root };
  for (const step of path) {
    const { node } = found;
    if (node.kind === 'list') {
      const item = typeof step === 'number' ? node.items[step] : undefined;
      if (!item) return undefined;
      found = { node: item };
    } else if (node.kind === 'map') {
      const entry = node.entries.find(({ key }) => key.text === String(step));
      if (!entry) return undefined;
      found = { node: entry.value, key: entry.key };
    } else return undefined;
  }
  return found;
}

/** The template around an offset of the text. */
export const templateAt = ({ templates }: FlowModel, offset: number): FlowTemplate | undefined =>
  templates.find(({ node }) => node.start <= offset && offset <= node.end);

/** Turns a span of a template into one of the text. */
export function toText(
  text: string,
  { node }: FlowTemplate,
): (span: { start: number; end: number }) => { start: number; end: number } {
  const toOffset = scalarOffsets(text, node);
  return ({ start, end }) => {
    const from = toOffset(start);
    return { start: from, end: end > start ? Math.max(toOffset(end - 1) + 1, from + 1) : from };
  };
}

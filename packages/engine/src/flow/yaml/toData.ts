import { tooMany } from './fullReader.ts';
import { limits } from './limits.ts';
import type { MapNode, Node, ScalarNode } from './node.ts';
import { YamlProblem } from './node.ts';

/** A property written twice, or one whose name could reach into JavaScript itself. */
export interface KeyProblem {
  readonly key: ScalarNode;
  readonly message: string;
}

const maxKeyProblems = 100;

/** Plain data of a document. Values under an alias are shared, never copied, but all of them are counted. */
export function toData(root: Node, problems: KeyProblem[]): unknown {
  const known = new Map<Node, { data: unknown; count: number }>();
  let count = 0;

  const convert = (node: Node): unknown => {
    count += 1;
    if (count > limits.maxValues) throw new YamlProblem(tooMany, node.start, node.end);
    if (node.kind === 'scalar') return node.value;
    const before = known.get(node);
    if (before) {
      count += before.count;
      if (count > limits.maxValues) throw new YamlProblem(tooMany, node.start, node.end);
      return before.data;
    }
    const countBefore = count;
    const data = node.kind === 'list' ? node.items.map(convert) : convertMap(node, convert, problems);
    known.set(node, { data, count: count - countBefore });
    return data;
  };

  return convert(root);
}

function convertMap(
  node: MapNode,
  convert: (node: Node) => unknown,
  problems: KeyProblem[],
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const complain = (key: ScalarNode, message: string): void => {
    if (problems.length < maxKeyProblems) problems.push({ key, message });
  };
  for (const { key, value } of node.entries) {
    const name = key.text;
    if (name === '__proto__') complain(key, 'The property name "__proto__" is not allowed');
    else if (Object.hasOwn(data, name)) complain(key, `Duplicate property "${name}"`);
    else data[name] = convert(value);
  }
  return data;
}

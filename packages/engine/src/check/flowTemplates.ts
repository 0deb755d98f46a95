import type { Flow } from '@millrace/contract';
import { formatPath, type Path } from '../flow/path.ts';
import { hasExpression } from '../flow/subflowTarget.ts';
import type { Node, ScalarNode } from '../flow/yaml/node.ts';
import { type TaskPlace, type TaskPlaces, taskPlaces } from './taskPlaces.ts';

/** Where a template is rendered, which decides the variables it can read. */
export type TemplateScope =
  | {
      readonly kind: 'task';
      readonly place: TaskPlace;
      readonly property: string;
      /** Inside a nested definition with a type, such as a task runner. */
      readonly isNested: boolean;
    }
  | { readonly kind: 'trigger' }
  /** Rendered before there is an execution. */
  | { readonly kind: 'input' }
  | { readonly kind: 'output' }
  /** Rendered where it is used, by any task. */
  | { readonly kind: 'anywhere' };

/** A text of the flow with expressions. */
export interface FlowTemplate {
  readonly path: Path;
  readonly node: ScalarNode;
  readonly source: string;
  readonly scope: TemplateScope;
}

/** A flow as the checks and the language service see it: its tasks in their places and its templates. */
export interface FlowModel {
  readonly text: string;
  readonly root: Node;
  readonly flow: Flow;
  readonly places: TaskPlaces;
  readonly templates: readonly FlowTemplate[];
}

/** Caps the templates of one flow, because a hostile text consists of them. */
const maxTemplates = 20_000;

export function flowModel(text: string, root: Node, flow: Flow): FlowModel {
  const places = taskPlaces(flow);
  const templates: FlowTemplate[] = [];
  const seen = new Set<Node>();
  const walk = (node: Node, path: Path, place: TaskPlace | undefined, depth: number): void => {
    // Aliased values are checked where they are written.
    if (seen.has(node) || templates.length >= maxTemplates) return;
    seen.add(node);
    if (node.kind === 'scalar') {
      if (typeof node.value !== 'string' || !hasExpression(node.value)) return;
      const scope = scopeOf(path, place, depth);
      if (scope) templates.push({ path, node, source: node.value, scope });
      return;
    }
    const own = node.kind === 'map' ? places.byPath.get(formatPath(path)) : undefined;
    const around = own ?? place;
    const isTyped = node.kind === 'map' && !own && node.entries.some(({ key }) => key.text === 'type');
    const inner = own ? 0 : isTyped ? depth + 1 : depth;
    if (node.kind === 'list')
      for (const [index, item] of node.items.entries()) walk(item, [...path, index], around, inner);
    else for (const { key, value } of node.entries) walk(value, [...path, key.text], around, inner);
  };
  walk(root, [], undefined, 0);
  return { text, root, flow, places, templates };
}

/** Texts for readers, and names: nothing renders them. */
const unrendered = new Set(['id', 'type', 'version', 'description', 'displayName', 'namespace']);

function scopeOf(path: Path, place: TaskPlace | undefined, depth: number): TemplateScope | undefined {
  const [section] = path;
  if (place) {
    const property = String(path[place.path.length] ?? '');
    if (path.length === place.path.length + 1 && property !== 'namespace' && unrendered.has(property))
      return undefined;
    return { kind: 'task', place, property, isNested: depth > 0 };
  }
  const last = path.at(-1);
  if (path.length <= 3 && typeof last === 'string' && unrendered.has(last) && section !== 'variables')
    return undefined;
  switch (section) {
    case 'triggers':
      return { kind: 'trigger' };
    case 'inputs':
    case 'checks':
      return { kind: 'input' };
    case 'outputs':
      return { kind: 'output' };
    case 'variables':
    case 'labels':
    case 'pluginDefaults':
    case 'taskDefaults':
    case 'sla':
    case 'listeners':
      return { kind: 'anywhere' };
    default:
      return undefined;
  }
}

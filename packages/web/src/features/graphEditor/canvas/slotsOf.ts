import type { FlowGraph, GraphNode } from '@millrace/contract';
import { controlTypeOf } from '@millrace/engine';
import type { GraphLayout, PlacedEdge, Point } from '../../topology/index.ts';
import { bodyOf, isDag } from '../edits/flowText.ts';
import { keyOf, type Slot } from '../edits/slot.ts';

/** A slot with the point of the picture at which it is offered. */
export interface PlacedSlot extends Point {
  readonly key: string;
  readonly slot: Slot;
}

/** The slot of every edge. Edges that mean the same place, such as those into one end, share a slot. */
export function slotsOf(graph: FlowGraph, layout: GraphLayout): PlacedSlot[] {
  const ends = readEnds(graph);
  const found = new Map<string, PlacedSlot>();
  for (const edge of layout.edges) {
    const slot = slotOf(edge, ends);
    if (!slot) continue;
    const key = keyOf(slot);
    if (!found.has(key)) found.set(key, { key, slot, ...placeOn(edge, isAfter(slot)) });
  }
  return [...found.values()];
}

/** One end of an edge as the author of the flow sees it. */
type End =
  | { readonly kind: 'task'; readonly node: GraphNode }
  /** The header of a container, or the start of the flow. */
  | { readonly kind: 'header'; readonly node?: GraphNode }
  | { readonly kind: 'end' };

interface Ends {
  source(uid: string): End | undefined;
  target(uid: string): End | undefined;
  parentOf(node: GraphNode): GraphNode | undefined;
}

function readEnds(graph: FlowGraph): Ends {
  const nodes = new Map(graph.nodes.map((node) => [node.uid, node]));
  const byStart = new Map(graph.clusters.map((entry) => [entry.start, entry]));
  const byEnd = new Map(graph.clusters.map((entry) => [entry.end, entry]));
  const clusters = new Map(graph.clusters.map((entry) => [entry.cluster.uid, entry]));
  const headers = new Set(graph.clusters.flatMap(({ cluster }) => cluster.taskNode?.uid ?? []));
  const home = new Map<string, string>();
  // Outer clusters come first, so the innermost one wins.
  for (const { cluster, nodes: members, parents } of graph.clusters) {
    for (const uid of members) home.set(uid, cluster.uid);
    if (cluster.taskNode) home.set(cluster.taskNode.uid, parents.at(-1) ?? '');
  }
  // The node of a cluster does not say which branch it is in; its entry in the list of nodes does.
  const full = (node: GraphNode | undefined) => node && (nodes.get(node.uid) ?? node);
  const taskOf = (found: GraphNode | undefined): End | undefined => {
    const node = full(found);
    return node?.task ? { kind: 'task', node } : undefined;
  };
  const headerOf = (uid: string | undefined) => {
    const entry = clusters.get(uid ?? '');
    return entry?.cluster.type === 'GraphCluster' ? full(entry.cluster.taskNode) : undefined;
  };
  return {
    source: (uid) => {
      const node = nodes.get(uid);
      if (byEnd.has(uid)) return taskOf(byEnd.get(uid)?.cluster.taskNode);
      if (byStart.has(uid)) {
        const header = byStart.get(uid)?.cluster.taskNode;
        return header && { kind: 'header', node: header };
      }
      if (node?.task) return headers.has(uid) ? { kind: 'header', node } : { kind: 'task', node };
      return node && node.type !== 'GraphTrigger' && node.type !== 'GraphClusterEnd'
        ? { kind: 'header' }
        : undefined;
    },
    target: (uid) => {
      if (byStart.has(uid)) return taskOf(byStart.get(uid)?.cluster.taskNode);
      if (byEnd.has(uid)) return { kind: 'end' };
      const node = nodes.get(uid);
      if (node?.task) return { kind: 'task', node };
      return node && node.type !== 'GraphTrigger' && node.type !== 'GraphClusterRoot'
        ? { kind: 'end' }
        : undefined;
    },
    parentOf: ({ uid }) => headerOf(home.get(uid)),
  };
}

function slotOf({ edge }: PlacedEdge, ends: Ends): Slot | undefined {
  const source = ends.source(edge.source);
  const target = ends.target(edge.target);
  if (!source || !target) return undefined;
  if (target.kind === 'task') {
    const { node } = target;
    const parent = ends.parentOf(node);
    if (isGenerated(parent)) return undefined;
    const id = node.task?.id ?? '';
    if (!isLinked(node, parent)) return { at: 'before', part: { kind: 'task', id } };
    const from = source.kind === 'task' ? source.node.task?.id : undefined;
    return { at: 'link', dag: parent?.task?.id ?? '', ...(from !== undefined && { from }), to: id };
  }
  if (source.kind === 'task') {
    const { node } = source;
    const parent = ends.parentOf(node);
    if (isGenerated(parent)) return undefined;
    const id = node.task?.id ?? '';
    return isLinked(node, parent)
      ? { at: 'link', dag: parent?.task?.id ?? '', from: id }
      : { at: 'after', part: { kind: 'task', id } };
  }
  if (source.kind !== 'header') return undefined;
  if (!source.node) return { at: 'flow', branch: 'tasks' };
  const branch = bodyOf(source.node.task?.type ?? '');
  return branch && { at: 'inside', id: source.node.task?.id ?? '', branch };
}

/** The steps of a ForEachItem are drawn, but written nowhere. */
const isGenerated = (parent: GraphNode | undefined): boolean =>
  controlTypeOf(parent?.task?.type ?? '') === 'core.flow.ForEachItem';

/** A Dag's own tasks follow their dependencies; the tasks of its errors and finally follow each other. */
const isLinked = (node: GraphNode, parent: GraphNode | undefined): boolean =>
  isDag(parent?.task?.type ?? '') &&
  (node.branchType === undefined || node.branchType === parent?.branchType);

const isAfter = (slot: Slot): boolean => slot.at === 'after' || (slot.at === 'link' && slot.to === undefined);

/** How near a button may come to the middle of a word, in each direction. */
const [wordWidth, wordHeight] = [44, 22];

/** Near the task that the slot is named after: there an edge belongs to it alone. */
function placeOn({ points, isCurve, label }: PlacedEdge, isNearSource: boolean): Point {
  const first = isCurve ? Math.floor((points.length - 1) / 2) : isNearSource ? 0 : points.length - 2;
  const [a, b] = [points[first], points[first + 1]];
  if (!a || !b) return points[0] ?? { x: 0, y: 0 };
  const at = (share: number) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
  const middle = at(0.5);
  // The word of a branch takes the first half of its edge.
  const isCovered =
    label && Math.abs(middle.x - label.x) < wordWidth && Math.abs(middle.y - label.y) < wordHeight;
  return isCovered && !isNearSource ? at(0.8) : middle;
}

import type { FlowGraph, GraphCluster, GraphEdge, GraphNode } from '@millrace/contract';

/**
 * One cluster with its direct members. Its own root and task node are drawn as the header of its box and
 * its end as the border, so they are ports (`start`, `end`) rather than items.
 */
export interface Scope {
  readonly uid: string;
  readonly cluster?: GraphCluster;
  readonly header?: GraphNode;
  readonly start?: string;
  readonly end?: string;
  readonly items: Item[];
  readonly links: Link[];
}

export type Item =
  | { readonly kind: 'node'; readonly uid: string; readonly node: GraphNode }
  | { readonly kind: 'scope'; readonly uid: string; readonly scope: Scope };

/** An edge of the graph seen from the innermost scope that holds both ends. */
export interface Link {
  readonly source: string;
  readonly target: string;
  readonly edge: GraphEdge;
}

const TOP = 'root';

/** Turns the flat lists of a graph into the tree of clusters that the layout walks. */
export function readScopes(graph: FlowGraph): Scope {
  const nodes = new Map(graph.nodes.map((node) => [node.uid, node]));
  const clusters = new Map(graph.clusters.map((entry) => [entry.cluster.uid, entry]));
  const scopes = new Map<string, Scope>([[TOP, { uid: TOP, items: [], links: [] }]]);
  for (const entry of graph.clusters) scopes.set(entry.cluster.uid, openScope(entry, nodes));
  const parentOf = (entry: GraphCluster) => entry.parents.findLast((uid) => clusters.has(uid)) ?? TOP;

  const home = new Map<string, string>();
  for (const entry of graph.clusters) {
    for (const uid of entry.nodes) {
      const known = home.get(uid);
      if (known === undefined || clusters.get(known)!.parents.length < entry.parents.length)
        home.set(uid, entry.cluster.uid);
    }
  }
  for (const node of graph.nodes) {
    const scope = scopes.get(home.get(node.uid) ?? TOP)!;
    if (!isPort(scope, node.uid)) scope.items.push({ kind: 'node', uid: node.uid, node });
  }
  for (const entry of graph.clusters) {
    const scope = scopes.get(entry.cluster.uid)!;
    scopes.get(parentOf(entry))!.items.push({ kind: 'scope', uid: scope.uid, scope });
  }
  sortByAppearance(scopes, graph);

  const chainOf = (uid: string): string[] => {
    const chain: string[] = [];
    let scope = home.get(uid);
    while (scope !== undefined && scope !== TOP) {
      chain.unshift(scope);
      scope = parentOf(clusters.get(scope)!);
    }
    return [TOP, ...chain];
  };
  for (const edge of graph.edges) addLink(edge, scopes, nodes, chainOf);
  for (const scope of scopes.values()) redirectTriggerLinks(scope);
  return scopes.get(TOP)!;
}

function openScope(entry: GraphCluster, nodes: ReadonlyMap<string, GraphNode>): Scope {
  const uid = entry.cluster.uid;
  const ownUid = uid.replace(/^cluster_/, '');
  const header = nodes.get(ownUid) ?? nodes.get(entry.cluster.taskNode?.uid ?? '') ?? entry.cluster.taskNode;
  return {
    uid,
    cluster: entry,
    ...(header && { header }),
    start: entry.start,
    end: entry.end,
    items: [],
    links: [],
  };
}

const isPort = (scope: Scope, uid: string): boolean =>
  uid === scope.start || uid === scope.end || uid === scope.header?.uid;

/** Members keep the order in which the author wrote them, so that typing never reshuffles the picture. */
function sortByAppearance(scopes: ReadonlyMap<string, Scope>, graph: FlowGraph): void {
  const order = new Map(graph.nodes.map((node, index) => [node.uid, index]));
  const rank = (item: Item): number =>
    item.kind === 'node'
      ? order.get(item.uid)!
      : Math.min(
          order.get(item.scope.start ?? '') ?? Infinity,
          order.get(item.scope.header?.uid ?? '') ?? Infinity,
        );
  for (const scope of scopes.values()) {
    const ranked = scope.items.map((item) => ({ item, rank: rank(item) })).sort((a, b) => a.rank - b.rank);
    scope.items.splice(0, scope.items.length, ...ranked.map(({ item }) => item));
  }
}

function addLink(
  edge: GraphEdge,
  scopes: ReadonlyMap<string, Scope>,
  nodes: ReadonlyMap<string, GraphNode>,
  chainOf: (uid: string) => string[],
): void {
  if (!nodes.has(edge.source) || !nodes.has(edge.target)) return;
  const from = chainOf(edge.source);
  const to = chainOf(edge.target);
  let depth = 0;
  while (depth + 1 < from.length && depth + 1 < to.length && from[depth + 1] === to[depth + 1]) depth += 1;
  const scope = scopes.get(from[depth]!)!;
  const source = from[depth + 1] ?? portName(scope, edge.source);
  const target = to[depth + 1] ?? portName(scope, edge.target);
  if (source !== target) scope.links.push({ source, target, edge });
}

/**
 * The start of an expanded subflow is drawn in the header of its box, above its triggers. So their edges lead to what
 * follows the start.
 */
function redirectTriggerLinks({ start, items, links }: Scope): void {
  const isItem = (uid: string) => items.some((item) => item.uid === uid);
  if (start === undefined || isItem(start)) return;
  const first = links.find(
    ({ source, edge }) => source === start && edge.relation.relationType !== 'ERROR',
  )?.target;
  if (first === undefined || !isItem(first)) return;
  for (const [index, link] of links.entries())
    if (link.target === start) links[index] = { ...link, target: first };
}

/** The root and the task node of a cluster are one place in the picture. */
const portName = (scope: Scope, uid: string): string =>
  uid === scope.header?.uid && scope.start !== undefined ? scope.start : uid;

/** The word on an edge: which choice it is, which value, or that it is the way of errors. */
export function labelOf({ edge }: Link): string | undefined {
  const { relationType, value } = edge.relation;
  if (relationType === 'ERROR') return value ?? 'error';
  return relationType === 'CHOICE' || relationType === 'DYNAMIC' ? value : undefined;
}

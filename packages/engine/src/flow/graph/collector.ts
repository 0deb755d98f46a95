import type {
  BranchType,
  FlowGraph,
  GraphCluster,
  GraphEdge,
  GraphNode,
  RelationType,
  TriggerDefinition,
} from '@millrace/contract';

export interface Relation {
  readonly relationType?: RelationType;
  readonly value?: string;
}

/** A cluster being drawn, or the flow itself, which is a cluster that is not listed. */
export interface Scope {
  readonly path: string;
  readonly root: string;
  readonly end: string;
  /** Outer clusters and this one, outermost first. */
  readonly clusters: readonly string[];
  readonly members: string[];
  readonly branchType: BranchType | undefined;
  /** Loop values of the ancestors; only drawn with an execution. */
  readonly values: readonly string[];
  /** The task run whose children are drawn here; undefined at the top and without an execution. */
  readonly runId: string | undefined;
}

/** Where a drawn piece is entered and left. */
export interface Piece {
  readonly entry: string;
  readonly exits: readonly string[];
}

/** Collects nodes, edges and clusters, without any knowledge of tasks. */
export class GraphCollector {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges: GraphEdge[] = [];
  readonly #clusters: GraphCluster[] = [];

  get graph(): FlowGraph {
    return { nodes: [...this.#nodes.values()], edges: this.#edges, clusters: this.#clusters };
  }

  addNode(scope: Scope, node: GraphNode): void {
    const branched = scope.branchType ? { ...node, branchType: scope.branchType } : node;
    this.#nodes.set(node.uid, branched);
    scope.members.push(node.uid);
  }

  /** A uid below a scope. Only a flow with errors repeats one; its nodes stay apart all the same. */
  uniqueUid(wanted: string): string {
    let uid = wanted;
    for (let copy = 2; this.#nodes.has(uid); copy += 1) uid = `${wanted}~${copy}`;
    return uid;
  }

  link(sources: readonly string[], target: string, relation: Relation = {}): void {
    for (const source of sources) this.#edges.push({ source, target, relation: { ...relation } });
  }

  /** A scope with its root and end nodes; the flow's own is opened without `cluster`. */
  open(
    path: string,
    outer: Pick<Scope, 'clusters' | 'branchType' | 'values' | 'runId'>,
    cluster?: {
      type: 'GraphCluster' | 'SubflowGraphCluster';
      relationType?: RelationType;
      taskNode?: GraphNode;
    },
  ): Scope {
    const mark = hash(path);
    const uid = `cluster_${path}`;
    const scope: Scope = {
      path,
      root: this.uniqueUid(`${path}.root-${mark}`),
      end: this.uniqueUid(`${path}.end-${mark}`),
      clusters: cluster ? [...outer.clusters, uid] : outer.clusters,
      members: [],
      branchType: outer.branchType,
      values: outer.values,
      runId: outer.runId,
    };
    if (cluster) {
      this.#clusters.push({
        cluster: { uid, ...cluster, ...(scope.branchType && { branchType: scope.branchType }) },
        nodes: scope.members,
        parents: [...outer.clusters],
        start: scope.root,
        end: scope.end,
      });
    }
    this.addNode(scope, { uid: scope.root, type: 'GraphClusterRoot' });
    return scope;
  }

  close(scope: Scope): void {
    this.addNode(scope, { uid: scope.end, type: 'GraphClusterEnd' });
  }

  addMark(scope: Scope, type: 'GraphClusterFinally' | 'GraphClusterAfterExecution'): string {
    const word = type === 'GraphClusterFinally' ? 'finally' : 'after-execution';
    const uid = this.uniqueUid(`${scope.path}.${word}-${hash(scope.path)}`);
    this.addNode(scope, { uid, type });
    return uid;
  }

  /** The triggers of a flow are in a cluster before its root. */
  addTriggers(triggers: readonly TriggerDefinition[], flow: Pick<Scope, 'path' | 'root' | 'clusters'>): void {
    const path = `${flow.path}.Triggers`;
    const scope = this.open(
      path,
      { clusters: flow.clusters, branchType: undefined, values: [], runId: undefined },
      { type: 'GraphCluster' },
    );
    for (const trigger of triggers) {
      const uid = this.uniqueUid(`${path}.${trigger.id}`);
      this.addNode(scope, { uid, type: 'GraphTrigger', triggerDeclaration: trigger });
      this.link([scope.root], uid);
      this.link([uid], scope.end);
    }
    this.close(scope);
    this.link([scope.end], flow.root);
  }
}

/** Stable between two keystrokes because it depends on nothing but the path. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}

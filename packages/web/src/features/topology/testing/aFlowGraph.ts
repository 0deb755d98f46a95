import type { FlowGraph, GraphCluster, GraphEdge, GraphNode, RelationType } from '@millrace/contract';

/** A task of a test graph; what its children mean depends on which list they stand in. */
export interface TaskShape {
  readonly id: string;
  readonly type?: string;
  readonly series?: readonly TaskShape[];
  readonly parallel?: readonly TaskShape[];
  readonly choices?: Readonly<Record<string, readonly TaskShape[]>>;
  readonly dag?: readonly (TaskShape & { readonly after?: readonly string[] })[];
  readonly errors?: readonly TaskShape[];
}

export interface FlowShape {
  readonly tasks: readonly TaskShape[];
  readonly errors?: readonly TaskShape[];
  readonly finally?: readonly TaskShape[];
  readonly triggers?: readonly string[];
}

/** Builds a graph by the construction rules of the API, as the engine and any compatible server do. */
export function aFlowGraph(shape: FlowShape): FlowGraph {
  const builder = new Builder();
  builder.add({ uid: 'root.root-0', type: 'GraphClusterRoot' });
  if (shape.triggers?.length) builder.addTriggers(shape.triggers);
  let tails = builder.addSeries(shape.tasks, 'root', ['root.root-0'], { relationType: 'SEQUENTIAL' });
  if (shape.errors)
    tails = [
      ...tails,
      ...builder.addSeries(shape.errors, 'root', ['root.root-0'], { relationType: 'ERROR' }, 'ERROR'),
    ];
  if (shape.finally) {
    builder.add({ uid: 'root.finally-0', type: 'GraphClusterFinally' });
    builder.link(tails, 'root.finally-0', {});
    tails = builder.addSeries(
      shape.finally,
      'root',
      ['root.finally-0'],
      { relationType: 'FINALLY' },
      'FINALLY',
    );
  }
  builder.add({ uid: 'root.end-0', type: 'GraphClusterEnd' });
  builder.link(tails, 'root.end-0', {});
  return builder.graph;
}

type Relation = { relationType?: RelationType; value?: string };

class Builder {
  readonly graph = { nodes: [] as GraphNode[], edges: [] as GraphEdge[], clusters: [] as GraphCluster[] };
  readonly #open: GraphCluster[] = [];

  add(node: GraphNode): void {
    this.graph.nodes.push(node);
    this.#open.at(-1)?.nodes.push(node.uid);
  }

  link(sources: readonly string[], target: string, relation: Relation): void {
    for (const source of sources) this.graph.edges.push({ source, target, relation });
  }

  addTriggers(ids: readonly string[]): void {
    const { start, end } = this.#openCluster('root.Triggers');
    for (const id of ids) {
      const uid = `root.Triggers.${id}`;
      this.add({ uid, type: 'GraphTrigger', triggerDeclaration: { id, type: 'core.trigger.Schedule' } });
      this.link([start], uid, {});
      this.link([uid], end, {});
    }
    this.#open.pop();
    this.link([end], 'root.root-0', {});
  }

  addSeries(
    tasks: readonly TaskShape[],
    path: string,
    from: readonly string[],
    relation: Relation,
    branchType?: 'ERROR' | 'FINALLY',
  ): string[] {
    let tails = [...from];
    tasks.forEach((task, index) => {
      const { entry, exit } = this.addTask(task, path, branchType);
      this.link(tails, entry, index === 0 ? relation : { relationType: 'SEQUENTIAL' });
      tails = [exit];
    });
    return tails;
  }

  addTask(task: TaskShape, path: string, branchType?: 'ERROR' | 'FINALLY'): { entry: string; exit: string } {
    const uid = `${path}.${task.id}`;
    const node: GraphNode = {
      uid,
      type: 'GraphTask',
      task: { id: task.id, type: task.type ?? 'core.log.Log' },
      ...(branchType && { branchType }),
    };
    if (!task.series && !task.parallel && !task.choices && !task.dag) {
      this.add(node);
      return { entry: uid, exit: uid };
    }
    const { start, end } = this.#openCluster(uid, node);
    this.add(node);
    this.link([start], uid, {});
    const tails = this.#addChildren(task, uid);
    if (task.errors)
      tails.push(...this.addSeries(task.errors, uid, [start], { relationType: 'ERROR' }, 'ERROR'));
    this.link(tails, end, {});
    this.#open.pop();
    return { entry: start, exit: end };
  }

  #addChildren(task: TaskShape, uid: string): string[] {
    if (task.series) return this.addSeries(task.series, uid, [uid], { relationType: 'SEQUENTIAL' });
    if (task.parallel)
      return task.parallel.flatMap((child) =>
        this.addSeries([child], uid, [uid], { relationType: 'PARALLEL' }),
      );
    if (task.choices)
      return Object.entries(task.choices).flatMap(([value, tasks]) =>
        this.addSeries(tasks, uid, [uid], { relationType: 'CHOICE', value }),
      );
    const exits = new Map<string, string>();
    const needed = new Set<string>();
    for (const child of task.dag ?? []) {
      const { entry, exit } = this.addTask(child, uid);
      exits.set(child.id, exit);
      for (const id of child.after ?? []) needed.add(id);
      const before = (child.after ?? []).map((id) => exits.get(id)!);
      this.link(before.length > 0 ? before : [uid], entry, { relationType: 'PARALLEL' });
    }
    return [...exits].filter(([id]) => !needed.has(id)).map(([, exit]) => exit);
  }

  #openCluster(path: string, taskNode?: GraphNode): { start: string; end: string } {
    const start = `${path}.root-0`;
    const end = `${path}.end-0`;
    const entry: GraphCluster = {
      cluster: { uid: `cluster_${path}`, type: 'GraphCluster', ...(taskNode && { taskNode }) },
      nodes: [],
      parents: this.#open.map((cluster) => cluster.cluster.uid),
      start,
      end,
    };
    this.graph.clusters.push(entry);
    this.#open.push(entry);
    this.add({ uid: start, type: 'GraphClusterRoot' });
    this.add({ uid: end, type: 'GraphClusterEnd' });
    return { start, end };
  }
}

import type { Flow, GraphNode, RelationType, Task } from '@millrace/contract';
import { childLists } from '../children.ts';
import { type ControlType, controlTypeOf } from '../controlType.ts';
import { presentTask } from '../present.ts';
import { subflowTarget } from '../subflowTarget.ts';
import { GraphCollector, type Piece, type Relation, type Scope } from './collector.ts';
import { forEachItemParts } from './forEachItem.ts';
import { type GraphTaskRun, RunIndex } from './runs.ts';

export interface GraphOptions {
  /** Draws an execution: one node per task run, loops unrolled. */
  readonly taskRuns?: readonly GraphTaskRun[];
  /** Draws the tasks of a loop once, and not once per value: a graph of 2,000 iterations cannot be read. */
  readonly fold?: boolean;
  /** Subflow nodes to draw as clusters, by uid, with the flow that each one calls. */
  readonly expanded?: ReadonlyMap<string, Flow>;
}

const relationTypes: Partial<Record<ControlType, RelationType>> = {
  'core.flow.Parallel': 'PARALLEL',
  'core.flow.Dag': 'PARALLEL',
  'core.flow.If': 'CHOICE',
  'core.flow.Switch': 'CHOICE',
  'core.flow.ForEach': 'DYNAMIC',
  'core.flow.EachSequential': 'DYNAMIC',
  'core.flow.EachParallel': 'DYNAMIC',
  'core.flow.LoopUntil': 'DYNAMIC',
  'core.flow.ForEachItem': 'DYNAMIC',
};

/** The entry of a chain and the relation of its nodes. */
interface Chain {
  readonly from: readonly string[];
  readonly first: Relation;
  readonly nodes: RelationType;
  readonly value?: string;
}

/** Walks a flow and draws it. One instance draws one graph. */
export class GraphBuilder {
  readonly builder = new GraphCollector();
  readonly #options: GraphOptions;
  readonly #runs: RunIndex | undefined;

  constructor(options: GraphOptions) {
    this.#options = options;
    this.#runs = options.taskRuns && new RunIndex(options.taskRuns);
  }

  drawFlow(flow: Flow, scope: Scope): void {
    this.#drawTriggers(flow, scope);
    const chain: Chain = { from: [scope.root], first: {}, nodes: 'SEQUENTIAL' };
    let exits = this.#drawChain(flow.tasks, scope, chain);
    exits = this.#drawBranches(scope, exits, flow.errors, flow.finally);
    if (flow.afterExecution && flow.afterExecution.length > 0) {
      const mark = this.builder.addMark(scope, 'GraphClusterAfterExecution');
      this.builder.link(exits, mark);
      exits = this.#drawBranch(flow.afterExecution, scope, mark, 'AFTER_EXECUTION');
    }
    this.builder.link(exits, scope.end);
    this.builder.close(scope);
  }

  #drawTriggers({ triggers = [] }: Flow, scope: Scope): void {
    if (triggers.length === 0) return;
    const shown = this.#runs ? triggers.map(({ id, type }) => ({ id, type })) : triggers;
    this.builder.addTriggers(shown, scope);
  }

  /** One task after the other. An empty list is left where it was entered. */
  #drawChain(tasks: readonly Task[], scope: Scope, chain: Chain): readonly string[] {
    let exits = chain.from;
    let relation = chain.first;
    for (const task of tasks) {
      const piece = this.#drawTask(task, scope, chain.nodes, chain.value);
      this.builder.link(exits, piece.entry, relation);
      exits = piece.exits;
      relation = { relationType: 'SEQUENTIAL' };
    }
    return exits;
  }

  #drawBranch(
    tasks: readonly Task[],
    scope: Scope,
    from: string,
    type: 'ERROR' | 'FINALLY' | 'AFTER_EXECUTION',
  ): readonly string[] {
    const inside: Scope = { ...scope, branchType: type };
    return this.#drawChain(tasks, inside, { from: [from], first: { relationType: type }, nodes: type });
  }

  /**
   * The errors chain starts at the root of the cluster; finally lies between all ends and the end of the
   * cluster.
   */
  #drawBranches(
    scope: Scope,
    exits: readonly string[],
    errors: readonly Task[] | undefined,
    last: readonly Task[] | undefined,
  ): readonly string[] {
    let ends = exits;
    if (errors && errors.length > 0) {
      ends = [...ends, ...this.#drawBranch(errors, scope, scope.root, 'ERROR')];
    }
    if (last && last.length > 0) {
      const mark = this.builder.addMark(scope, 'GraphClusterFinally');
      this.builder.link(ends, mark);
      ends = this.#drawBranch(last, scope, mark, 'FINALLY');
    }
    return ends;
  }

  #drawTask(task: Task, scope: Scope, relationType: RelationType, value?: string): Piece {
    const control = controlTypeOf(task.type);
    if (!control || !isDrawnAsCluster(task, control)) {
      return this.#drawLeaf(task, this.#nodeOf(task, scope, relationType, value), scope);
    }
    const node = this.#nodeOf(task, scope, relationTypes[control] ?? 'SEQUENTIAL', value);
    const inside = { ...scope, values: node.values ?? [], runId: this.#runOf(task, scope, value)?.id };
    return this.#drawCluster(task, control, inside, node);
  }

  #drawLeaf(task: Task, node: GraphNode, scope: Scope): Piece {
    const child = this.#options.expanded?.get(node.uid);
    if (child) return this.#drawSubflow(child, scope, node);
    this.builder.addNode(scope, subflowTarget(task) ? { ...node, type: 'SubflowGraphTask' } : node);
    return { entry: node.uid, exits: [node.uid] };
  }

  #nodeOf(task: Task, scope: Scope, relationType: RelationType, value?: string): GraphNode {
    const run = this.#runOf(task, scope, value);
    const suffix = value === undefined ? '' : `_${value}`;
    const values = value === undefined ? scope.values : [...scope.values, value];
    return {
      uid: this.builder.uniqueUid(`${scope.path}.${task.id}${suffix}`),
      type: 'GraphTask',
      task: this.#runs ? presentTask(task) : task,
      ...(run && { taskRunId: run.id }),
      ...(run && 'namespace' in run && { taskRun: run }),
      ...(values.length > 0 && { values: [...values] }),
      relationType,
    };
  }

  #runOf(task: Task, scope: Scope, value?: string): GraphTaskRun | undefined {
    return this.#runs?.find(scope.runId, task.id, value);
  }

  #drawSubflow(flow: Flow, outer: Scope, node: GraphNode): Piece {
    const cluster = { type: 'SubflowGraphCluster', taskNode: node } as const;
    const scope = this.builder.open(node.uid, { ...outer, runId: undefined }, cluster);
    this.drawFlow(flow, scope);
    return { entry: scope.root, exits: [scope.end] };
  }

  #drawCluster(task: Task, control: ControlType, outer: Scope, node: GraphNode): Piece {
    const relationType = relationTypes[control] ?? 'SEQUENTIAL';
    const scope = this.builder.open(node.uid, outer, {
      type: 'GraphCluster',
      relationType,
      ...(!this.#runs && { taskNode: node }),
    });
    this.builder.addNode(scope, node);
    this.builder.link([scope.root], node.uid);
    const lists = childLists(task);
    const errors = lists.find((list) => list.branch === 'errors')?.tasks;
    const last = lists.find((list) => list.branch === 'finally')?.tasks;
    const body = lists.filter((list) => list.branch !== 'errors' && list.branch !== 'finally');
    const exits = this.#drawBody(task, control, body, scope, node.uid);
    this.builder.link(this.#drawBranches(scope, exits, errors, last), scope.end);
    this.builder.close(scope);
    return { entry: scope.root, exits: [scope.end] };
  }

  #drawBody(
    task: Task,
    control: ControlType,
    lists: ReturnType<typeof childLists>,
    scope: Scope,
    from: string,
  ): readonly string[] {
    const tasks = lists[0]?.tasks ?? [];
    switch (control) {
      case 'core.flow.Parallel':
        return this.#drawSideBySide(tasks, scope, from, 'PARALLEL');
      case 'core.flow.Dag':
        return this.#drawDag(task, tasks, scope, from);
      case 'core.flow.If':
      case 'core.flow.Switch':
        return orSelf(
          from,
          lists.flatMap((list) => this.#drawChoice(list.branch, list.tasks, scope, from)),
        );
      case 'core.flow.ForEachItem':
        return this.#drawForEachItem(task, scope, from);
      case 'core.flow.ForEach':
      case 'core.flow.EachSequential':
      case 'core.flow.EachParallel':
        return this.#drawLoop(task, control, tasks, scope, from);
      case 'core.flow.LoopUntil':
        return this.#drawLoopBody(tasks, scope, [from]);
      default:
        return this.#drawChain(tasks, scope, {
          from: [from],
          first: { relationType: 'SEQUENTIAL' },
          nodes: 'SEQUENTIAL',
        });
    }
  }

  #drawChoice(branch: string, tasks: readonly Task[], scope: Scope, from: string): readonly string[] {
    if (tasks.length === 0) return [];
    const value = branch.startsWith('cases.') ? branch.slice('cases.'.length) : branch;
    return this.#drawChain(tasks, scope, {
      from: [from],
      first: { relationType: 'CHOICE', value },
      nodes: 'CHOICE',
    });
  }

  #drawSideBySide(
    tasks: readonly Task[],
    scope: Scope,
    from: string,
    relationType: RelationType,
    value?: string,
  ): readonly string[] {
    const relation = { relationType, ...(value !== undefined && { value }) };
    const exits = tasks.flatMap((task) => {
      const piece = this.#drawTask(task, scope, relationType, value);
      this.builder.link([from], piece.entry, relation);
      return piece.exits;
    });
    return orSelf(from, exits);
  }

  #drawDag(dag: Task, tasks: readonly Task[], scope: Scope, from: string): readonly string[] {
    const pieces = new Map(tasks.map((task) => [task.id, this.#drawTask(task, scope, 'PARALLEL')]));
    const dependencies = dependenciesOf(dag);
    const needed = new Set<string>();
    for (const [id, piece] of pieces) {
      const before = (dependencies.get(id) ?? []).filter((other) => other !== id && pieces.has(other));
      if (before.length === 0) this.builder.link([from], piece.entry, { relationType: 'PARALLEL' });
      for (const other of before) {
        needed.add(other);
        this.builder.link(pieces.get(other)?.exits ?? [], piece.entry, { relationType: 'PARALLEL' });
      }
    }
    const last = [...pieces].filter(([id]) => !needed.has(id)).flatMap(([, piece]) => piece.exits);
    return orSelf(from, last);
  }

  #drawLoopBody(
    tasks: readonly Task[],
    scope: Scope,
    from: readonly string[],
    value?: string,
  ): readonly string[] {
    const first = { relationType: 'DYNAMIC', ...(value !== undefined && { value }) } as const;
    return this.#drawChain(tasks, scope, {
      from,
      first,
      nodes: 'DYNAMIC',
      ...(value !== undefined && { value }),
    });
  }

  #drawForEachItem(task: Task, scope: Scope, from: string): readonly string[] {
    let exits: readonly string[] = [from];
    let relation: Relation = { relationType: 'DYNAMIC' };
    for (const part of forEachItemParts(task)) {
      const piece = this.#drawLeaf(part, this.#nodeOf(part, scope, 'DYNAMIC'), scope);
      this.builder.link(exits, piece.entry, relation);
      exits = piece.exits;
      relation = { relationType: 'SEQUENTIAL' };
    }
    return exits;
  }

  /** Drawn once without an execution or when folded; otherwise once per value that has run. */
  #drawLoop(
    task: Task,
    control: ControlType,
    tasks: readonly Task[],
    scope: Scope,
    from: string,
  ): readonly string[] {
    // A folded node stands for the runs of all values, so it has no run.
    const inside = this.#options.fold ? { ...scope, runId: undefined } : scope;
    const seen = this.#runs && inside.runId !== undefined ? this.#runs.valuesOf(inside.runId) : [];
    const values: (string | undefined)[] = seen.length > 0 ? seen : [undefined];
    if (control === 'core.flow.EachParallel') {
      return values.flatMap((value) => this.#drawSideBySide(tasks, inside, from, 'DYNAMIC', value));
    }
    if (isSequentialLoop(task, control)) {
      let exits: readonly string[] = [from];
      for (const value of values) exits = this.#drawLoopBody(tasks, inside, exits, value);
      return exits;
    }
    return orSelf(
      from,
      values.flatMap((value) => (tasks.length === 0 ? [] : this.#drawLoopBody(tasks, inside, [from], value))),
    );
  }
}

const orSelf = (self: string, exits: readonly string[]): readonly string[] =>
  exits.length > 0 ? exits : [self];

/** A Pause that holds no task and a call of another flow are single nodes. */
function isDrawnAsCluster(task: Task, control: ControlType): boolean {
  if (control === 'core.flow.Subflow' || control === 'core.flow.Template') return false;
  return control !== 'core.flow.Pause' || childLists(task).some((list) => list.tasks.length > 0);
}

const isSequentialLoop = (task: Task, control: ControlType): boolean =>
  control === 'core.flow.EachSequential' || Number(task.concurrencyLimit ?? 1) === 1;

/** The dependencies of each task of a Dag, by id. */
function dependenciesOf(dag: Task): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const entry of Array.isArray(dag.tasks) ? dag.tasks : []) {
    const id: unknown = entry?.task?.id;
    const dependsOn: unknown = entry?.dependsOn;
    if (typeof id !== 'string' || !Array.isArray(dependsOn)) continue;
    found.set(
      id,
      dependsOn.filter((other) => typeof other === 'string'),
    );
  }
  return found;
}

import { isTerminal, type StateType, type Task, type TaskRunRecord } from '@millrace/contract';
import type { Plan } from '../control/plan.ts';

/** The lists a control task or a flow can run. `tasks` is the main one; the others accompany it. */
export type Branch = 'tasks' | 'errors' | 'finally' | 'listeners' | 'afterExecution';

/** A task run in memory: its record, its definition, and its place in the tree. */
export interface Node {
  record: TaskRunRecord;
  readonly task: Task;
  readonly lane: Lane;
  /** Loop values on the way from the root, its own one last. */
  readonly values: readonly string[];
  /** Which unit of the plan this run belongs to. */
  readonly unit: number;
  /** Present for a control task once it runs. */
  group?: Group;
}

/**
 * The task runs of one branch of one parent, with counts kept as states change, so that no decision has to look
 * at all siblings: the cost of a step does not grow with the number of steps.
 */
export class Lane {
  readonly nodes: Node[] = [];
  /** Last run of a unit that has ended and whose successor is not decided yet. */
  readonly ready: Node[] = [];
  startedUnits = 0;
  openUnits = 0;
  private readonly counts = new Map<StateType, number>();
  private openRuns = 0;
  readonly branch: Branch;
  readonly group: Group;

  constructor(branch: Branch, group: Group) {
    this.branch = branch;
    this.group = group;
  }

  count(state: StateType): number {
    return this.counts.get(state) ?? 0;
  }

  /** Task runs that have not ended. */
  get open(): number {
    return this.openRuns;
  }

  add(node: Node): void {
    this.nodes.push(node);
    this.tally(node.record.state.current, 1);
  }

  remove(node: Node): void {
    const at = this.nodes.lastIndexOf(node);
    if (at >= 0) this.nodes.splice(at, 1);
    const readyAt = this.ready.indexOf(node);
    if (readyAt >= 0) this.ready.splice(readyAt, 1);
    this.tally(node.record.state.current, -1);
  }

  moved(node: Node, from: StateType, to: StateType): void {
    this.tally(from, -1);
    this.tally(to, 1);
    if (isTerminal(to) && !isTerminal(from)) this.ready.push(node);
    else if (!isTerminal(to) && isTerminal(from)) {
      const at = this.ready.indexOf(node);
      if (at >= 0) this.ready.splice(at, 1);
    }
  }

  private tally(state: StateType, by: number): void {
    this.counts.set(state, (this.counts.get(state) ?? 0) + by);
    if (!isTerminal(state)) this.openRuns += by;
  }
}

/** The children of one parent: a control task's run, or (without owner) the flow itself. */
export class Group {
  readonly owner: Node | undefined;
  /** The main branch, known once the parent is resolved. */
  plan: Plan | undefined;
  /** The accompanying branches that the definition has, disabled tasks left out. Listeners come when they are chosen. */
  readonly branches: Partial<Record<Branch, Plan>>;
  private readonly lanes = new Map<Branch, Lane>();

  constructor(owner: Node | undefined, branches: Partial<Record<Branch, Plan>>) {
    this.owner = owner;
    this.branches = branches;
  }

  lane(branch: Branch): Lane {
    let lane = this.lanes.get(branch);
    if (!lane) {
      lane = new Lane(branch, this);
      this.lanes.set(branch, lane);
    }
    return lane;
  }

  allLanes(): Iterable<Lane> {
    return this.lanes.values();
  }
}

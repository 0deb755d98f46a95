import { isTerminal, type StateType, type Task, type TaskRunRecord } from '@millrace/contract';
import type { Plan } from '../control/plan.ts';

/** The lists a control task or a flow can run. `tasks` is the main one; the others accompany it. */
export type Branch = 'tasks' | 'errors' | 'finally' | 'listeners' | 'afterExecution';

/** A task run in memory: its record, its definition, and its place in the tree. */
export interface Node {
  record: TaskRunRecord;
  readonly task: Task;
  readonly lane: Lane;
  /** Which unit of the plan this run belongs to. */
  readonly unit: number;
  /** Present for a control task once it runs. */
  group?: Group;
}

/** The progress of the tasks of one unit. */
interface UnitProgress {
  /** The run that was created last. */
  last: Node;
  runs: number;
  openRuns: number;
  /** All its tasks have ended; an action may open it again. */
  isClosed: boolean;
}

/**
 * The task runs of one branch of one parent, with counts kept as states change, so that no decision has to look
 * at all siblings: the cost of a step does not grow with the number of steps.
 */
export class Lane {
  readonly nodes: Node[] = [];
  readonly units = new Map<number, UnitProgress>();
  /** Units whose runs have all ended and whose next task is not decided yet. */
  readonly ready = new Set<number>();
  /** Every unit below this one has been started. */
  nextUnit = 0;
  /** Units that were started and still have something to do. */
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
    this.countState(node.record.state.current, 1);
    let unit = this.units.get(node.unit);
    if (!unit) {
      unit = { last: node, runs: 0, openRuns: 0, isClosed: false };
      this.units.set(node.unit, unit);
      this.openUnits++;
    }
    unit.last = node;
    unit.runs++;
    if (!isTerminal(node.record.state.current)) unit.openRuns++;
    this.reconsider(node.unit, unit);
  }

  remove(node: Node): void {
    const at = this.nodes.lastIndexOf(node);
    if (at >= 0) this.nodes.splice(at, 1);
    this.countState(node.record.state.current, -1);
    const unit = this.units.get(node.unit);
    if (!unit) return;
    unit.runs--;
    if (!isTerminal(node.record.state.current)) unit.openRuns--;
    if (unit.runs > 0) {
      // `!`: the unit has a run left.
      if (unit.last === node) unit.last = this.nodes.findLast((other) => other.unit === node.unit)!;
      this.reconsider(node.unit, unit);
      return;
    }
    if (!unit.isClosed) this.openUnits--;
    this.units.delete(node.unit);
    this.ready.delete(node.unit);
    this.nextUnit = Math.min(this.nextUnit, node.unit);
  }

  /** Removes all runs at once, because finding each of thousands in turn is quadratic. Returns them. */
  clear(): Node[] {
    for (const collection of [this.units, this.ready, this.counts]) collection.clear();
    [this.nextUnit, this.openUnits, this.openRuns] = [0, 0, 0];
    return this.nodes.splice(0);
  }

  moved(node: Node, from: StateType, to: StateType): void {
    this.countState(from, -1);
    this.countState(to, 1);
    const unit = this.units.get(node.unit);
    if (!unit || isTerminal(from) === isTerminal(to)) return;
    unit.openRuns += isTerminal(to) ? -1 : 1;
    this.reconsider(node.unit, unit);
  }

  /** The unit has nothing left to start. */
  close(index: number): void {
    const unit = this.units.get(index);
    if (!unit || unit.isClosed) return;
    unit.isClosed = true;
    this.openUnits--;
  }

  /** The next task of the unit is decided when none of its runs is open. */
  private reconsider(index: number, unit: UnitProgress): void {
    if (unit.isClosed) {
      unit.isClosed = false;
      this.openUnits++;
    }
    if (unit.openRuns === 0) this.ready.add(index);
    else this.ready.delete(index);
  }

  private countState(state: StateType, by: number): void {
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

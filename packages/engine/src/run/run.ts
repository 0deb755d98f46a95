import {
  type ExecutionRecord,
  type Flow,
  isTerminal,
  type LogLevel,
  type StateRecord,
  type StateType,
  type Task,
  type TaskRunRecord,
} from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import { checkIterations, checkTaskRuns, defaultMaxIterations } from '../control/iterationLimit.ts';
import type { Plan } from '../control/plan.ts';
import type { Effect } from './effect.ts';
import type { DynamicTaskRun, Event } from './event.ts';
import { type FlowIndex, indexOf } from './flowIndex.ts';
import type { Due } from './next.ts';
import { Group, type Lane, type Node } from './node.ts';
import { OutputTree } from './outputTree.ts';
import { createdState, moveAttempt, moveExecution, moveTaskRun } from './state.ts';

/** What an execution needs of its surroundings to be decided; all of it is data or deterministic. */
export interface RunEnvironment {
  readonly catalogue: Catalogue;
  newId(): string;
  random(): number;
  readonly globals?: Readonly<Record<string, unknown>>;
  readonly envs?: Readonly<Record<string, string>>;
  readonly product?: { readonly environment?: string; readonly url?: string };
  /** The tasks of a template, for flows that still use one. */
  template?(
    namespace: string,
    id: string,
  ): { readonly tasks: readonly Task[]; readonly errors?: readonly Task[] } | undefined;
  /** Seals a SECRET output for storage; without a key it stays plain. */
  readonly encrypt?: (text: string) => string;
  /** The plain text of a SECRET input or encrypted output. */
  readonly decrypt?: (value: string) => string;
  /** The secrets that a flow names: whatever one of its tasks has read, no other task may show. */
  secretsIn?(flow: Flow): readonly string[];
  /** The most iterations that the loops of one execution may have together. */
  readonly maxIterations?: number;
  /** The text with the secrets covered. */
  cover?(text: string, secrets: readonly string[]): string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What changed since the last time it was taken, each row once. */
export interface Changes {
  readonly execution: ExecutionRecord | undefined;
  readonly previousState: StateType;
  readonly taskRuns: readonly TaskRunRecord[];
  readonly removedTaskRunIds: readonly string[];
  readonly events: readonly Event[];
  readonly effects: readonly Effect[];
}

/**
 * An execution in memory: its records, the tree of its task runs, and what changed. It holds the data and the few
 * ways to change it; the rules are in the files beside this one.
 */
export class Run {
  readonly index: FlowIndex;
  readonly environment: RunEnvironment;
  readonly nodes = new Map<string, Node>();
  readonly root: Group;
  readonly outputs: OutputTree;
  /** Groups whose children changed and that must be decided. */
  readonly dirty = new Set<Group>();
  /** Runs that pause as soon as everything else that is due has been started. */
  readonly pausing: Node[] = [];
  now = 0;
  private record: ExecutionRecord;
  private hasAskedForListeners = false;
  private order = 0;
  private isOrderKnown = true;
  /** Task runs that have not ended. */
  openTaskRuns = 0;
  /** Iterations of all loops that have started. */
  private iterations = 0;
  private takenState: StateType;
  private executionChanged = false;
  private readonly changed = new Set<Node>();
  private removed: string[] = [];
  private events: Event[] = [];
  private effects: Effect[] = [];

  constructor(flow: Flow, execution: ExecutionRecord, environment: RunEnvironment) {
    this.index = indexOf(flow);
    this.environment = environment;
    this.outputs = new OutputTree(environment.decrypt);
    this.record = execution;
    this.takenState = execution.state.current;
    this.root = new Group(undefined, this.index.accompanying(flow));
  }

  get flow(): Flow {
    return this.index.flow;
  }

  get execution(): ExecutionRecord {
    return this.record;
  }

  get state(): StateType {
    return this.record.state.current;
  }

  recordEvent(event: Event): void {
    this.events.push(event);
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  log(level: LogLevel, message: string, node?: Node): void {
    this.emit({ effect: 'log', level, message, ...(node ? { taskRunId: node.record.id } : {}) });
  }

  updateExecution(patch: Partial<ExecutionRecord>): void {
    this.record = { ...this.record, ...patch };
    this.executionChanged = true;
  }

  /** Once per end; a process that starts anew asks again. */
  askForListeners(): void {
    if (!this.hasAskedForListeners) this.emit({ effect: 'chooseListeners' });
    this.hasAskedForListeners = true;
  }

  /** What was known about the last end is void: the execution works again. */
  forgetEnd(): void {
    this.hasAskedForListeners = false;
    delete this.root.branches.listeners;
    const { listeners: _, outputs: __, toCaller: _____, ...memo } = this.record.memo ?? {};
    const { overAt: ___, outputs: ____, ...execution } = this.record;
    this.replaceExecution({ ...execution, memo });
  }

  /** A run of a branch after the end changes again: the end is announced once more when nothing runs. */
  reopenAfterwards(): void {
    const { overAt: _, ...execution } = this.record;
    this.replaceExecution(execution);
  }

  replaceExecution(execution: ExecutionRecord): void {
    this.record = execution;
    this.executionChanged = true;
  }

  /** Every group is looked at again: after a load, or when somebody wants the engine to make sure. */
  wakeAll(): void {
    // In one order, whatever the order in which things came in: a reload in between decides the same.
    this.dirty.clear();
    this.dirty.add(this.root);
    for (const node of this.nodes.values()) if (node.group) this.dirty.add(node.group);
  }

  moveExecution(state: StateType): void {
    if (this.state === state) return;
    this.updateExecution({ state: moveExecution(this.record.state, state, this.now) });
    this.emit({ effect: 'stateChanged' });
  }

  /** A new task run in the lane, in state CREATED. */
  create(lane: Lane, due: Due): Node {
    const { task, unit, iteration } = due;
    // In a shared folder the tasks have the value of the task that holds them.
    const value = due.value ?? this.index.folderOwner(lane)?.record.value;
    const { owner } = lane.group;
    // What only some runs have comes behind, name by name: a literal full of spreads costs several times as much.
    const record: Mutable<TaskRunRecord> = {
      id: this.environment.newId(),
      executionId: this.record.id,
      taskId: task.id,
      order: this.nextOrder(),
      state: createdState(this.now),
      attempts: [],
    };
    if (owner) record.parentId = owner.record.id;
    if (value !== undefined) record.value = value;
    if (iteration !== undefined) record.iteration = iteration;
    return this.attach(lane, record, task, unit);
  }

  /** A run that no plan knows, recorded as it ended. */
  attachDynamic(lane: Lane, child: DynamicTaskRun, state: StateRecord): void {
    const { taskId, value, outputs } = child;
    const record: TaskRunRecord = {
      id: this.environment.newId(),
      executionId: this.record.id,
      taskId,
      ...(lane.group.owner ? { parentId: lane.group.owner.record.id } : {}),
      ...(value === undefined ? {} : { value }),
      order: this.nextOrder(),
      state,
      attempts: [{ state }],
      ...(outputs ? { outputs } : {}),
      dynamic: true,
    };
    const node = this.attach(lane, record, { id: taskId, type: 'dynamic' }, 0);
    this.publish(node, outputs);
  }

  /** Counted from what is there, so that a run that was loaded again gives the same numbers. */
  private nextOrder(): number {
    if (!this.isOrderKnown) {
      this.order = 0;
      for (const { record } of this.nodes.values()) this.order = Math.max(this.order, record.order + 1);
      this.isOrderKnown = true;
    }
    return this.order;
  }

  /** Puts a record into the tree, freshly made or loaded. */
  attach(lane: Lane, record: TaskRunRecord, task: Task, unit: number, isLoaded = false): Node {
    const above = lane.group.owner?.values ?? [];
    const own = this.index.folderOwner(lane) ? undefined : record.value;
    const node: Node = {
      record,
      task,
      lane,
      unit,
      values: own === undefined ? above : [...above, own],
    };
    this.nodes.set(record.id, node);
    if (!isTerminal(record.state.current)) this.openTaskRuns++;
    lane.add(node);
    this.order = Math.max(this.order, record.order + 1);
    if (isLoaded) this.publish(node, record.outputs);
    else this.changed.add(node);
    return node;
  }

  get maxIterations(): number {
    return this.environment.maxIterations ?? defaultMaxIterations;
  }

  /** The plan of a control task that starts; refused when its loop is too long. */
  startPlan(group: Group, plan: Plan): void {
    const before = this.iterations - (group.plan?.iterations ?? 0);
    if (plan.iterations !== undefined) {
      checkIterations(plan.iterations, before, this.maxIterations);
      checkTaskRuns(plan, this.nodes.size);
    }
    this.setPlan(group, plan);
  }

  setPlan(group: Group, plan: Plan): void {
    this.iterations += (plan.iterations ?? 0) - (group.plan?.iterations ?? 0);
    group.plan = plan;
  }

  remove(node: Node): void {
    this.iterations -= node.group?.plan?.iterations ?? 0;
    for (const lane of node.group?.allLanes() ?? []) for (const child of [...lane.nodes]) this.remove(child);
    node.lane.remove(node);
    if (!isTerminal(node.record.state.current)) this.openTaskRuns--;
    this.nodes.delete(node.record.id);
    this.changed.delete(node);
    this.isOrderKnown = false;
    this.publish(node, undefined);
    this.removed.push(node.record.id);
  }

  update(node: Node, patch: Partial<TaskRunRecord>): void {
    node.record = { ...node.record, ...patch };
    this.changed.add(node);
    if ('outputs' in patch) this.publish(node, patch.outputs);
  }

  /** In a shared folder a loop value is there twice: that of the folder's task, and the run's own, which is the same. */
  private publish(node: Node, outputs: TaskRunRecord['outputs']): void {
    const again = this.index.folderOwner(node.lane) && node.record.value;
    this.outputs.set(node.task.id, node.values, outputs, again);
  }

  /** Moves a task run and tells its parent's group that it must be decided again. */
  move(node: Node, state: StateType): void {
    const from = node.record.state.current;
    if (from === state) return;
    if (node.record.copied && isTerminal(from) && !isTerminal(state)) this.startCopyOver(node);
    const attempt = node.record.attempts.at(-1);
    // Whoever still works on it is fenced out: its answer will be for an attempt that has ended.
    if (attempt && isTerminal(state) && !isTerminal(attempt.state.current)) this.endAttempt(node, state);
    this.update(node, { state: moveTaskRun(node.record.state, state, this.now) });
    node.lane.moved(node, from, state);
    if (isTerminal(state) === isTerminal(from)) return;
    this.openTaskRuns += isTerminal(state) ? -1 : 1;
    this.dirty.add(node.lane.group);
  }

  /** Gives a run another history: what it was before does not count for this execution. */
  replaceState(node: Node, state: StateRecord): void {
    const from = node.record.state.current;
    node.record = { ...node.record, state };
    this.changed.add(node);
    node.lane.moved(node, from, state.current);
    if (isTerminal(from) && !isTerminal(state.current)) this.openTaskRuns++;
  }

  /** Starts a run over: without its children, its outputs and, unless they are given, its attempts and its memory. */
  startOver(
    node: Node,
    state: StateRecord,
    kept: { readonly attempts?: TaskRunRecord['attempts']; readonly memo?: TaskRunRecord['memo'] } = {},
  ): void {
    this.iterations -= node.group?.plan?.iterations ?? 0;
    for (const lane of node.group?.allLanes() ?? []) for (const child of [...lane.nodes]) this.remove(child);
    delete node.group;
    const { outputs: _, memo: __, copied: ___, ...record } = node.record;
    node.record = { ...record, attempts: kept.attempts ?? [], ...(kept.memo ? { memo: kept.memo } : {}) };
    this.publish(node, undefined);
    this.replaceState(node, state);
  }

  /** A run that was copied from another execution works again here: its times and attempts are this execution's. */
  private startCopyOver(node: Node): void {
    const { copied: _, ...record } = node.record;
    node.record = { ...record, state: createdState(this.now), attempts: [] };
  }

  remember(node: Node, memo: Readonly<Record<string, unknown>>): void {
    this.update(node, { memo: { ...node.record.memo, ...memo } });
  }

  /** A new attempt begins; the one before must have ended. */
  beginAttempt(node: Node): void {
    const state = moveAttempt(createdState(this.now), 'RUNNING', this.now);
    this.update(node, { attempts: [...node.record.attempts, { state }] });
  }

  endAttempt(node: Node, state: StateType, logFile?: string): void {
    const attempts = [...node.record.attempts];
    const last = attempts.pop() ?? { state: moveAttempt(createdState(this.now), 'RUNNING', this.now) };
    attempts.push({
      ...last,
      state: moveAttempt(last.state, state, this.now),
      ...(logFile ? { logFile } : {}),
    });
    this.update(node, { attempts });
  }

  takeChanges(): Changes {
    const taskRuns: TaskRunRecord[] = [];
    for (const node of this.changed) taskRuns.push(node.record);
    const changes: Changes = {
      execution: this.executionChanged ? this.record : undefined,
      previousState: this.takenState,
      taskRuns,
      removedTaskRunIds: this.removed,
      events: this.events,
      effects: this.effects,
    };
    this.takenState = this.state;
    this.executionChanged = false;
    this.changed.clear();
    this.removed = [];
    this.events = [];
    this.effects = [];
    return changes;
  }
}

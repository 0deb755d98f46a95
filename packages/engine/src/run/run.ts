import {
  type Actor,
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
import { flowToRun } from '../playground/playgroundFlow.ts';
import type { Effect } from './effect.ts';
import type { DynamicTaskRun } from './event.ts';
import { type FlowIndex, indexOf } from './flowIndex.ts';
import type { Due } from './next.ts';
import { Group, type Lane, type Node } from './node.ts';
import { EventRecord, type Note, type RecordedEvent } from './note.ts';
import { OutputTree } from './outputTree.ts';
import { createdState, moveAttempt, moveExecution, moveTaskRun, onlyAttempt, signed } from './state.ts';

/** The dependencies of an execution's decisions; all of them are data or deterministic. */
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
  /** The secrets that a flow names; no task may show a secret that another task has read. */
  secretsIn?(flow: Flow): readonly string[];
  /** The maximum number of iterations of all loops of one execution. */
  readonly maxIterations?: number;
  /** The text with the secrets masked. */
  cover?(text: string, secrets: readonly string[]): string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The changes since `takeChanges` was last called, each row once. */
export interface Changes {
  readonly execution: ExecutionRecord | undefined;
  readonly previousState: StateType;
  readonly taskRuns: readonly TaskRunRecord[];
  readonly removedTaskRunIds: readonly string[];
  readonly events: readonly RecordedEvent[];
  readonly effects: readonly Effect[];
}

/**
 * An execution in memory: its records, the tree of its task runs, and its changes. It holds the data and the
 * few methods that change it; the rules are in the other files of this folder.
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
  readonly events = new EventRecord();
  /** The user who asked for the changes that are being made. */
  actor: Actor | undefined;
  private effects: Effect[] = [];

  constructor(flow: Flow, execution: ExecutionRecord, environment: RunEnvironment) {
    this.index = indexOf(flowToRun(flow, execution));
    this.environment = environment;
    this.outputs = new OutputTree(environment.decrypt);
    this.record = execution;
    this.takenState = execution.state.current;
    this.root = new Group(undefined, this.index.accompanying(this.index.flow));
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

  note(note: Note): void {
    this.events.add(note, this.now, this.actor);
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

  /** Emits the effect once per end; a restarted process emits it again. */
  askForListeners(): void {
    if (!this.hasAskedForListeners) this.emit({ effect: 'chooseListeners' });
    this.hasAskedForListeners = true;
  }

  /** Drops the data of the last end, because the execution runs again. */
  clearEnd(): void {
    this.hasAskedForListeners = false;
    delete this.root.branches.listeners;
    const { listeners: _, outputs: __, toCaller: _____, ...memo } = this.record.memo ?? {};
    const { closedAt: ___, outputs: ____, ...execution } = this.record;
    this.replaceExecution({ ...execution, memo });
  }

  /** A run of listeners or afterExecution was reopened: `completed` is emitted again when nothing runs. */
  reopenAfterwards(): void {
    const { closedAt: _, ...execution } = this.record;
    this.replaceExecution(execution);
  }

  replaceExecution(execution: ExecutionRecord): void {
    this.record = execution;
    this.executionChanged = true;
  }

  /** Marks every group to be decided again, for example after a load. */
  wakeAll(): void {
    // Always in the same order, so that a reload in between makes the same decisions.
    this.dirty.clear();
    this.dirty.add(this.root);
    for (const node of this.nodes.values()) if (node.group) this.dirty.add(node.group);
  }

  moveExecution(state: StateType): void {
    if (this.state === state) return;
    this.updateExecution({ state: moveExecution(this.record.state, state, this.now, this.actor) });
    this.note({ type: 'state', state });
    this.emit({ effect: 'stateChanged' });
  }

  /** A new task run in the lane, in state CREATED. */
  create(lane: Lane, due: Due): Node {
    const { task, unit, iteration } = due;
    // In a shared folder the tasks have the value of the task that holds them.
    const value = due.value ?? this.index.folderOwner(lane)?.record.value;
    const { owner } = lane.group;
    // Optional properties are assigned by name, because a literal full of spreads is several times slower.
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

  /** Derived from the existing task runs, so that a reloaded execution continues with the same numbers. */
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
    const node: Node = { record, task, lane, unit };
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
    node.lane.remove(node);
    this.#forget(node);
  }

  removeAll(group: Group): void {
    for (const lane of group.allLanes()) for (const child of lane.clear()) this.#forget(child);
  }

  /** Everything about the node but its place in its lane. */
  #forget(node: Node): void {
    this.iterations -= node.group?.plan?.iterations ?? 0;
    if (node.group) this.removeAll(node.group);
    if (!isTerminal(node.record.state.current)) this.openTaskRuns--;
    this.nodes.delete(node.record.id);
    this.changed.delete(node);
    this.isOrderKnown = false;
    this.publish(node, undefined);
    this.removed.push(node.record.id);
    const { id, executionId: _, taskId, outputs: __, edited: ___, memo: ____, ...taskRun } = node.record;
    this.note({ type: 'removed', taskRunId: id, taskId, taskRun });
  }

  update(node: Node, patch: Partial<TaskRunRecord>): void {
    node.record = { ...node.record, ...patch };
    this.changed.add(node);
    if ('outputs' in patch) this.publish(node, patch.outputs);
  }

  /**
   * In a shared folder the loop value occurs twice: once for the folder's task and once for the run itself.
   */
  private publish(node: Node, outputs: TaskRunRecord['outputs']): void {
    const again = this.index.folderOwner(node.lane) && node.record.value;
    this.outputs.set(node.task.id, this.valuesOf(node), outputs, again);
  }

  /** Loop values on the way from the root, its own one last. */
  valuesOf({ lane, record: { value } }: Node): readonly string[] {
    const { owner } = lane.group;
    const above = owner ? this.valuesOf(owner) : [];
    return value === undefined || this.index.folderOwner(lane) ? above : [...above, value];
  }

  /** Moves a task run and marks its parent's group to be decided again. */
  move(node: Node, state: StateType): void {
    const from = node.record.state.current;
    if (from === state) return;
    if (node.record.copied && isTerminal(from) && !isTerminal(state)) this.startCopyOver(node);
    const attempt = node.record.attempts.at(-1);
    // Fences a worker that still runs it: its result is for an attempt that has ended.
    if (attempt && isTerminal(state) && !isTerminal(attempt.state.current)) this.endAttempt(node, state);
    this.update(node, { state: moveTaskRun(node.record.state, state, this.now, this.actor) });
    this.noteState(node, from, state);
    node.lane.moved(node, from, state);
    if (isTerminal(state) === isTerminal(from)) return;
    this.openTaskRuns += isTerminal(state) ? -1 : 1;
    this.dirty.add(node.lane.group);
  }

  /** Replaces the state history of a run; its earlier history does not count for this execution. */
  replaceState(node: Node, state: StateRecord): void {
    const from = node.record.state.current;
    node.record = { ...node.record, state: this.actor ? signed(state, this.actor) : state };
    this.changed.add(node);
    this.noteState(node, from, state.current);
    node.lane.moved(node, from, state.current);
    if (isTerminal(from) !== isTerminal(state.current)) this.openTaskRuns += isTerminal(from) ? 1 : -1;
  }

  /** Starts and ends that a worker reports are events themselves, and waits have notes with their dates. */
  private noteState(node: Node, from: StateType, state: StateType): void {
    if (!isTerminal(state) && state !== 'RESTARTED' && state !== 'KILLING') return;
    const { id, taskId } = node.record;
    if (from !== state && !this.events.says(id, state)) {
      this.note({ type: 'taskState', taskRunId: id, taskId, from, state });
    }
  }

  /** Resets a run: drops its children, its outputs and, unless given, its attempts and its memo. */
  startOver(
    node: Node,
    state: StateRecord,
    kept: { readonly attempts?: TaskRunRecord['attempts']; readonly memo?: TaskRunRecord['memo'] } = {},
  ): void {
    this.iterations -= node.group?.plan?.iterations ?? 0;
    if (node.group) this.removeAll(node.group);
    delete node.group;
    const { outputs: _, memo: __, copied: ___, edited: ____, ...record } = node.record;
    node.record = { ...record, attempts: kept.attempts ?? [], ...(kept.memo ? { memo: kept.memo } : {}) };
    this.publish(node, undefined);
    this.replaceState(node, state);
  }

  /** Resets the times and attempts of a copied run that runs again in this execution. */
  private startCopyOver(node: Node): void {
    const { copied: _, edited: __, ...record } = node.record;
    node.record = { ...record, state: createdState(this.now), attempts: [] };
  }

  remember(node: Node, memo: Readonly<Record<string, unknown>>): void {
    this.update(node, { memo: { ...node.record.memo, ...memo } });
  }

  /** A new attempt begins; the one before must have ended. */
  beginAttempt(node: Node): void {
    const state = moveAttempt(createdState(this.now), 'RUNNING', this.now);
    const { attempts } = node.record;
    this.update(node, { attempts: attempts.length === 0 ? onlyAttempt(state) : [...attempts, { state }] });
  }

  endAttempt(node: Node, state: StateType, logFile?: string): void {
    const before = node.record.attempts.slice(0, -1);
    const last = node.record.attempts.at(-1) ?? {
      state: moveAttempt(createdState(this.now), 'RUNNING', this.now),
    };
    const ended = moveAttempt(last.state, state, this.now);
    const isPlain = before.length === 0 && last.logFile === undefined && !logFile;
    const attempt = { ...last, state: ended, ...(logFile ? { logFile } : {}) };
    this.update(node, { attempts: isPlain ? onlyAttempt(ended) : [...before, attempt] });
  }

  takeChanges(): Changes {
    const taskRuns: TaskRunRecord[] = [];
    for (const node of this.changed) taskRuns.push(node.record);
    const changes: Changes = {
      execution: this.executionChanged ? this.record : undefined,
      previousState: this.takenState,
      taskRuns,
      removedTaskRunIds: this.removed,
      events: this.events.take(),
      effects: this.effects,
    };
    this.takenState = this.state;
    this.executionChanged = false;
    this.changed.clear();
    this.removed = [];
    this.effects = [];
    return changes;
  }
}

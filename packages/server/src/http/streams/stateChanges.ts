import {
  type Execution,
  type ExecutionRecord,
  isTerminal,
  type StateRecord,
  type StateType,
  type TaskRunRecord,
} from '@millrace/contract';
import { presentExecution, presentPackedExecution } from '@millrace/engine';
import type { Snapshot } from '../../executor/watchers.ts';

/**
 * A view of a small execution holds all task runs. For a large one the total cost would grow with the square
 * of its size, so each view holds only the changed task run, and `taskRunTotal` is the number of task runs.
 */
const maxViewedTaskRuns = 100;
/** Up to this many views are kept for the next follower of the same execution. */
const maxSharedViews = 20;

export interface ViewKind {
  /** Only complete views: of a large execution, only the current one. */
  readonly isWholeOnly: boolean;
  /** Task runs by column. */
  readonly isPacked: boolean;
}

/** One entry of a state history. `subject` is the id of a task run; undefined is the execution itself. */
interface StateChange {
  readonly subject: string | undefined;
  /** Number of history entries of the subject up to and including this one. */
  readonly count: number;
  readonly at: number;
  /** Orders changes of the same millisecond by cause: parents start before their children and end after them. */
  readonly rank: number;
  readonly subrank: number;
  /** The task run was removed; followers see it with the next change. */
  readonly isRemoval?: true;
}

/**
 * The execution after each state change between two snapshots, in the order in which the changes happened; without an
 * earlier snapshot, since it was created. The histories in the rows are the log of these changes, and the event log has
 * the task runs that were removed, so nothing is missed or shown twice, however many commits lie between the snapshots.
 * The last view is the current snapshot itself.
 */
export class ViewsBetween {
  readonly #previous: Snapshot | undefined;
  readonly #current: Snapshot;
  readonly #taskRuns: readonly TaskRunRecord[];
  readonly #changes: readonly StateChange[];
  /** Changes that are views, without the last one. */
  readonly #viewCount: number;
  readonly #shared: Execution[] = [];
  readonly #isLarge: boolean;
  readonly #kind: ViewKind;

  constructor(previous: Snapshot | undefined, current: Snapshot, kind: ViewKind) {
    this.#previous = previous;
    this.#current = current;
    this.#taskRuns = withRemoved(current);
    this.#isLarge = this.#taskRuns.length > maxViewedTaskRuns;
    this.#kind = kind;
    const isSkipped = this.#isLarge && kind.isWholeOnly;
    const changes = isSkipped ? [] : changesBetween(previous, current, this.#taskRuns);
    this.#changes = changes.slice(0, Math.max(changes.findLastIndex(isView), 0));
    this.#viewCount = this.#changes.filter(isView).length;
  }

  /**
   * Shares views between followers of the same execution, which usually need the same ones.
   */
  static of(previous: Snapshot | undefined, current: Snapshot, kind: ViewKind): ViewsBetween {
    const known = shared.get(current);
    const isSame = known && known.#previous === previous;
    const { isWholeOnly, isPacked } = kind;
    if (isSame && known.#kind.isWholeOnly === isWholeOnly && known.#kind.isPacked === isPacked) return known;
    const views = new ViewsBetween(previous, current, kind);
    shared.set(current, views);
    return views;
  }

  *views(now: number): Generator<{ readonly execution: Execution; readonly isLast: boolean }> {
    const isShared = this.#viewCount < maxSharedViews;
    let index = 0;
    for (const make of this.#makers(now)) {
      const execution = this.#shared[index] ?? make();
      if (isShared) this.#shared[index] = execution;
      yield { execution, isLast: index === this.#viewCount };
      index++;
    }
  }

  *#makers(now: number): Generator<() => Execution> {
    const { execution } = this.#current;
    const taskRuns = this.#taskRuns;
    const present = this.#kind.isPacked ? presentPackedExecution : presentExecution;
    const counts = countsOf(this.#previous, execution, taskRuns);
    const byId = this.#isLarge ? new Map(taskRuns.map((one) => [one.id, one])) : undefined;
    let total = taskRuns.filter(({ id }) => counts.get(id)).length;
    for (const { subject, count, at, isRemoval } of this.#changes) {
      if (isRemoval) {
        counts.delete(subject);
        total--;
        continue;
      }
      if (subject !== undefined && !counts.get(subject)) total++;
      counts.set(subject, count);
      const changed = byId?.get(subject ?? '');
      const shown = byId ? (changed ? [changed] : []) : taskRuns.filter(({ id }) => counts.get(id));
      yield () => ({
        ...present(
          cutExecution(execution, counts.get(undefined) ?? 1),
          shown.map((one) => cutTaskRun(one, counts.get(one.id) ?? 0)),
          at,
        ),
        ...(byId ? { taskRunTotal: total } : {}),
      });
    }
    yield () => present(execution, this.#current.taskRuns, now);
  }
}

const shared = new WeakMap<Snapshot, ViewsBetween>();

/** How many history entries of each subject a follower has seen. */
function countsOf(
  previous: Snapshot | undefined,
  execution: ExecutionRecord,
  taskRuns: readonly TaskRunRecord[],
): Map<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  if (previous) {
    counts.set(undefined, previous.execution.state.histories.length);
    for (const { id, state } of previous.taskRuns) counts.set(id, state.histories.length);
    return counts;
  }
  // A replay starts with task runs of its source: they ended before it was created.
  const createdAt = execution.state.histories[0]?.date ?? 0;
  for (const { id, state } of taskRuns) {
    const copied = state.histories.findIndex(({ date }) => date >= createdAt);
    counts.set(id, copied < 0 ? state.histories.length : copied);
  }
  return counts;
}

const isView = ({ isRemoval }: StateChange): boolean => !isRemoval;

/** All task runs that the execution ever had, in the order of their creation. */
function withRemoved({ taskRuns, removed = [] }: Snapshot): readonly TaskRunRecord[] {
  if (removed.length === 0) return taskRuns;
  const createdAt = ({ state }: TaskRunRecord) => state.histories[0]?.date ?? 0;
  return [...removed.map(({ taskRun }) => taskRun), ...taskRuns].sort(
    (a, b) => createdAt(a) - createdAt(b) || a.order - b.order,
  );
}

function changesBetween(
  previous: Snapshot | undefined,
  { execution, removed = [] }: Snapshot,
  taskRuns: readonly TaskRunRecord[],
): StateChange[] {
  const seen = countsOf(previous, execution, taskRuns);
  const lastDescendants = lastDescendantsOf(taskRuns);
  const changes = newChanges(undefined, execution.state, seen.get(undefined) ?? 0, (state) => [
    followsTaskRuns(state) ? taskRuns.length : -1,
    0,
  ]);
  const firstChildren = removed.length === 0 ? new Map<string, number>() : firstChildrenOf(taskRuns);
  const removals = new Map(removed.map((one) => [one.taskRun.id, one.removedAt]));
  for (const [index, { id, state }] of taskRuns.entries()) {
    const lastDescendant = lastDescendants[index] ?? index;
    const own = newChanges(id, beganBefore(state, firstChildren.get(id)), seen.get(id) ?? 0, (type) =>
      isTerminal(type) ? [lastDescendant, lastDescendant - index] : [index, 0],
    );
    changes.push(...own);
    const at = removals.get(id);
    if (at === undefined) continue;
    const last = own.findLast((change) => change.at >= at);
    // Before everything else of its millisecond, but never before the last change of the task run itself.
    const { rank, subrank } = last ?? { rank: -2, subrank: 0 };
    const count = (last?.count ?? 0) + 1;
    changes.push({ subject: id, count, at: last?.at ?? at, rank, subrank, isRemoval: true });
  }
  return changes.sort((a, b) => a.at - b.at || a.rank - b.rank || a.subrank - b.subrank || a.count - b.count);
}

/** Whether a state of an execution follows from its task runs; the other states precede theirs. */
const followsTaskRuns = (state: StateType): boolean =>
  isTerminal(state) || state === 'PAUSED' || state === 'BREAKPOINT' || state === 'RETRYING';

function newChanges(
  subject: string | undefined,
  { histories }: StateRecord,
  seen: number,
  rankOf: (state: StateType) => readonly [rank: number, subrank: number],
): StateChange[] {
  const changes: StateChange[] = [];
  for (const [index, { state, date }] of histories.entries()) {
    if (index < seen) continue;
    const before = changes.at(-1);
    const [ownRank, subrank] = rankOf(state);
    // A later state never sorts before an earlier one of the same subject.
    const rank = before?.at === date ? Math.max(before.rank, ownRank) : ownRank;
    changes.push({ subject, count: index + 1, at: date, rank, subrank });
  }
  return changes;
}

/** When the first child of each task run was created. */
function firstChildrenOf(taskRuns: readonly TaskRunRecord[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { parentId, state } of taskRuns)
    if (parentId !== undefined && !first.has(parentId)) first.set(parentId, state.histories[0]?.date ?? 0);
  return first;
}

/** A loop keeps only the start of its last round; its first one was before the first child. */
function beganBefore(state: StateRecord, childAt: number | undefined): StateRecord {
  const start = state.histories.findIndex((entry) => entry.state === 'RUNNING');
  const entry = state.histories[start];
  if (!entry || childAt === undefined || entry.date <= childAt) return state;
  return { ...state, histories: state.histories.with(start, { ...entry, date: childAt }) };
}

/** Position of the last task run below each one, or its own; children are always created after their parents. */
function lastDescendantsOf(taskRuns: readonly TaskRunRecord[]): number[] {
  const positions = new Map(taskRuns.map(({ id }, index) => [id, index]));
  const last = taskRuns.map((_, index) => index);
  for (let index = taskRuns.length - 1; index >= 0; index--) {
    const parentId = taskRuns[index]?.parentId;
    const parent = parentId === undefined ? undefined : positions.get(parentId);
    if (parent !== undefined) last[parent] = Math.max(last[parent] ?? parent, last[index] ?? index);
  }
  return last;
}

const cutState = ({ histories }: StateRecord, count: number): StateRecord => {
  const kept = histories.slice(0, count);
  return { current: kept.at(-1)?.state ?? 'CREATED', histories: kept };
};

function cutExecution(execution: ExecutionRecord, count: number): ExecutionRecord {
  if (count >= execution.state.histories.length) return execution;
  const { outputs: _, ...rest } = execution;
  return { ...rest, state: cutState(execution.state, count) };
}

function cutTaskRun(taskRun: TaskRunRecord, count: number): TaskRunRecord {
  if (count >= taskRun.state.histories.length) return taskRun;
  const { outputs: _, ...rest } = taskRun;
  const state = cutState(taskRun.state, count);
  const starts = state.histories.filter(({ state: type }) => type === 'RUNNING').length;
  const attempts = taskRun.attempts.slice(0, starts).map((attempt, index) => {
    const isOpen = index === starts - 1 && state.current === 'RUNNING';
    const open = attempt.state.histories.findIndex(({ state: type }) => isTerminal(type));
    return isOpen && open > 0 ? { ...attempt, state: cutState(attempt.state, open) } : attempt;
  });
  return { ...rest, state, attempts };
}

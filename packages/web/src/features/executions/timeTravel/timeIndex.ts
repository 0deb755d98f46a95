/**
 * An execution at any moment of its life, without a replay from the beginning on each question.
 *
 * Every state of the execution and its task runs is one transition. The transitions are sorted by time once; a
 * checkpoint every `checkpointEvery` transitions holds how many transitions each task run has made. The state at a
 * moment is the checkpoint before it and at most `checkpointEvery` steps. A task run looks the same between two of its
 * transitions, so its view is made once and keeps its identity: React draws only what changed.
 */
import {
  type Execution,
  type ExecutionEvent,
  isTerminal,
  type State,
  stateTimes,
  type TaskRun,
} from '@millrace/contract';

/** A state that a task run got; the execution itself when there is no task run. */
export interface Moment {
  readonly atMs: number;
  readonly state: State['current'];
  readonly run?: TaskRun;
}

const checkpointEvery = 1_024;

export class TimeIndex {
  readonly startMs: number;
  readonly endMs: number;
  readonly #execution: Execution;
  readonly #runs: readonly TaskRun[];
  readonly #changes: readonly ExecutionEvent[];
  /** The transitions in the order of time: when, and the index of the task run, or -1 for the execution. */
  readonly #ats: Float64Array;
  readonly #owners: Int32Array;
  /** How many transitions each task run has made, and in the last place the execution. */
  readonly #checkpoints: Uint32Array[] = [];
  readonly #views: (TaskRun | undefined)[][];
  #shown: { readonly position: number; readonly atMs: number; readonly execution: Execution } | undefined;

  /** `changes` are the recorded changes of labels and variables; without them those of the end are shown. */
  constructor(execution: Execution, changes: readonly ExecutionEvent[] = []) {
    this.#execution = execution;
    this.#runs = execution.taskRunList ?? [];
    this.#changes = changes.filter(({ kind }) => kind === 'labels' || kind === 'variables');
    this.#views = this.#runs.map(() => []);
    this.startMs = Date.parse(execution.state.histories[0]?.date ?? execution.state.startDate);
    const count = this.#runs.reduce(
      (sum, run) => sum + run.state.histories.length,
      execution.state.histories.length,
    );
    const ats = new Float64Array(count);
    const owners = new Int32Array(count);
    let next = 0;
    const add = (owner: number, { histories }: State, isCopied: boolean) => {
      for (const { date } of histories) {
        // A copied task run has the dates of another execution: here it was there from the beginning.
        ats[next] = isCopied ? this.startMs : Math.max(this.startMs, Date.parse(date));
        owners[next] = owner;
        next += 1;
      }
    };
    add(-1, execution.state, false);
    for (const [index, run] of this.#runs.entries()) add(index, run.state, run.copied === true);
    // Sorting is stable, so the transitions of one task run keep their order.
    const order = Array.from(ats.keys()).sort((a, b) => ats[a]! - ats[b]!);
    this.#ats = Float64Array.from(order, (position) => ats[position]!);
    this.#owners = Int32Array.from(order, (position) => owners[position]!);
    this.endMs = Math.max(this.startMs, this.#ats.at(-1) ?? this.startMs);
    this.#makeCheckpoints();
  }

  /** The number of transitions. */
  get size(): number {
    return this.#ats.length;
  }

  /** The execution as it was at this moment. The same moment gives the same object. */
  at(ms: number): Execution {
    const position = this.#countUntil(ms);
    const changed = this.#changesAfter(ms);
    if (this.#shown?.position === position && this.#shown.atMs === ms) return this.#shown.execution;
    const counts = this.#countsAt(position);
    const taskRunList: TaskRun[] = [];
    for (let index = 0; index < this.#runs.length; index += 1) {
      const count = counts[index]!;
      if (count > 0) taskRunList.push(this.#viewOf(index, count));
    }
    const { outputs, taskRunTotal: _, ...execution } = this.#execution;
    const made = Math.max(1, counts[this.#runs.length]!);
    const shown: Execution = {
      ...execution,
      ...undone(this.#execution, changed),
      state: stateAt(execution.state, made),
      taskRunList,
      ...(outputs && made >= settledFrom(execution.state) ? { outputs } : {}),
    };
    this.#shown = { position, atMs: ms, execution: shown };
    return shown;
  }

  /** The moment of the next transition after this one. */
  next(ms: number): number | undefined {
    return this.#ats[this.#countUntil(ms)];
  }

  /** The moment of the transition before this one. */
  previous(ms: number): number | undefined {
    let position = this.#countUntil(ms) - 1;
    while (position >= 0 && this.#ats[position]! >= ms) position -= 1;
    return this.#ats[position];
  }

  /** The last transition up to this moment. */
  lastBefore(ms: number): Moment | undefined {
    const position = this.#countUntil(ms) - 1;
    return position < 0 ? undefined : this.#momentAt(position);
  }

  /** The number of transitions in each of the equal parts of the time, and the parts in which a task run failed. */
  bins(count: number): readonly { readonly count: number; readonly hasFailure: boolean }[] {
    const widthMs = Math.max(1, this.endMs - this.startMs) / count;
    const bins = Array.from({ length: count }, () => ({ count: 0, hasFailure: false }));
    const made = new Uint32Array(this.#runs.length + 1);
    for (let position = 0; position < this.#ats.length; position += 1) {
      const owner = this.#placeOf(position);
      const step = made[owner]!++;
      const bin = bins[Math.min(count - 1, Math.floor((this.#ats[position]! - this.startMs) / widthMs))];
      if (!bin) continue;
      bin.count += 1;
      const state = (this.#runs[owner]?.state ?? this.#execution.state).histories[step]?.state;
      if (state === 'FAILED') bin.hasFailure = true;
    }
    return bins;
  }

  #momentAt(position: number): Moment {
    const owner = this.#owners[position]!;
    const count = this.#countsAt(position + 1)[this.#placeOf(position)]!;
    const run = this.#runs[owner];
    const { histories, current } = (run ?? this.#execution).state;
    const state = histories[count - 1]?.state ?? current;
    return { atMs: this.#ats[position]!, state, ...(run ? { run } : {}) };
  }

  #placeOf(position: number): number {
    const owner = this.#owners[position]!;
    return owner < 0 ? this.#runs.length : owner;
  }

  #makeCheckpoints(): void {
    const counts = new Uint32Array(this.#runs.length + 1);
    for (let position = 0; position < this.#ats.length; position += 1) {
      if (position % checkpointEvery === 0) this.#checkpoints.push(counts.slice());
      counts[this.#placeOf(position)]! += 1;
    }
    if (this.#checkpoints.length === 0) this.#checkpoints.push(counts);
  }

  #countsAt(position: number): Uint32Array {
    const start = Math.min(Math.floor(position / checkpointEvery), this.#checkpoints.length - 1);
    const counts = this.#checkpoints[start]!.slice();
    for (let at = start * checkpointEvery; at < position; at += 1) counts[this.#placeOf(at)]! += 1;
    return counts;
  }

  /** The number of transitions up to and including this moment. */
  #countUntil(ms: number): number {
    let low = 0;
    let high = this.#ats.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ats[middle]! <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #viewOf(index: number, count: number): TaskRun {
    const known = this.#views[index]![count];
    if (known) return known;
    const view = taskRunAt(this.#runs[index]!, count);
    this.#views[index]![count] = view;
    return view;
  }

  #changesAfter(ms: number): readonly ExecutionEvent[] {
    return this.#changes.filter(({ date }) => Date.parse(date) > ms);
  }
}

/** A task run after its first `count` transitions. */
export function taskRunAt(run: TaskRun, count: number): TaskRun {
  if (count >= run.state.histories.length) return run;
  const { attempts, outputs, ...rest } = run;
  const state = stateAt(run.state, count);
  const untilMs = Date.parse(state.histories.at(-1)?.date ?? state.startDate);
  // Attempts begin and end together with states of their task run.
  const begun = attempts?.flatMap((attempt) => {
    const made = attempt.state.histories.filter(({ date }) => Date.parse(date) <= untilMs).length;
    return made === 0 ? [] : [{ ...attempt, state: stateAt(attempt.state, made) }];
  });
  return {
    ...rest,
    state,
    ...(begun && begun.length > 0 ? { attempts: begun } : {}),
    outputs: count >= settledFrom(run.state) ? outputs : {},
  };
}

/** A state after its first `count` entries. */
function stateAt(state: State, count: number): State {
  if (count >= state.histories.length) return state;
  const histories = state.histories.slice(0, count);
  const last = histories.at(-1) ?? state.histories[0]!;
  const entries = histories.map(({ state: type, date }) => ({ state: type, date: Date.parse(date) }));
  const { endedAt, durationMs } = stateTimes(
    { current: last.state, histories: entries },
    Date.parse(last.date),
  );
  return {
    current: last.state,
    histories,
    duration: `PT${durationMs / 1_000}S`,
    startDate: state.startDate,
    ...(endedAt === undefined ? {} : { endDate: new Date(endedAt).toISOString() }),
  };
}

/** The number of entries from which on the state stays an end: the outputs are those of that end. */
function settledFrom({ histories }: State): number {
  let count = histories.length;
  while (count > 1 && isTerminal(histories[count - 2]!.state) && isTerminal(histories[count - 1]!.state))
    count -= 1;
  return count;
}

/** Labels and variables before these changes. */
function undone(execution: Execution, changes: readonly ExecutionEvent[]): Partial<Execution> {
  if (changes.length === 0) return {};
  let { labels } = execution;
  let variables = { ...execution.variables };
  for (const { kind, payload } of changes.toReversed()) {
    if (kind === 'labels') {
      const added = labelsIn(payload.added);
      const isAdded = (label: { key: string; value: string }) =>
        added.some(({ key, value }) => key === label.key && value === label.value);
      labels = [...labels.filter((label) => !isAdded(label)), ...labelsIn(payload.removed)];
    } else {
      const kept = Object.entries(variables).filter(([name]) => !Object.hasOwn(mapIn(payload.after), name));
      variables = { ...Object.fromEntries(kept), ...mapIn(payload.before) };
    }
  }
  return { labels, ...(execution.variables ? { variables } : {}) };
}

// `as`, here and below: the server documents the payloads of these kinds, and nothing but a view depends on them.
const labelsIn = (value: unknown): readonly { key: string; value: string }[] =>
  Array.isArray(value) ? (value as { key: string; value: string }[]) : [];
const mapIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

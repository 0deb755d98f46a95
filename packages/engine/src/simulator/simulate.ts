import { AppError, type Flow } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import { allTasks } from '../flow/children.ts';
import { createExecution } from '../run/create.ts';
import type { Effect } from '../run/effect.ts';
import type { Event } from '../run/event.ts';
import { LiveRun } from '../run/live.ts';
import { isNote } from '../run/note.ts';
import type { Replayed } from '../run/replay.ts';
import type { RunEnvironment } from '../run/run.ts';
import { breach, type Snapshot } from './invariants.ts';
import { OpenTime } from './openTime.ts';
import { type Random, randomFrom } from './random.ts';
import { randomFlow } from './randomFlow.ts';
import { reactTo } from './reactions.ts';
import type { Simulated, World } from './simulated.ts';
import { StoredRows } from './storedRows.ts';
import { isAllowedToReopen, isUserAction, randomAction, refusedRepair } from './userActions.ts';

export const roughWorld: World = {
  failure: 0.15,
  loss: 0.08,
  duplicate: 0.1,
  crash: 0.05,
  twin: 0.3,
  action: 0.04,
  repair: 0.75,
};

export interface Outcome {
  readonly seed: number;
  readonly steps: number;
  readonly state: string;
  /** Undefined when every invariant held. */
  readonly problem?: string;
}

const maxSteps = 6000;
const maxRepairs = 4;
const startedAt = 1_700_000_000_000;
const anyType: Catalogue = { find: (type) => ({ type, kind: 'task', sideEffects: true, check: () => [] }) };

/**
 * Runs one random flow to its end in a world where workers fail, die, respond late or twice, the engine restarts, and
 * users restart, replay, pause, kill and change states at any moment.
 */
export function simulate(seed: number, world: World = roughWorld): Outcome {
  const random = randomFrom(seed);
  const simulation = new Simulation(randomFlow(random), random, world);
  let problem: string | undefined;
  try {
    problem = simulation.run();
  } catch (error) {
    problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  return {
    seed,
    steps: simulation.steps,
    state: simulation.live.execution.state.current,
    ...(problem === undefined ? {} : { problem }),
  };
}

class Simulation implements Simulated {
  live: LiveRun;
  steps = 0;
  now = startedAt;
  readonly flow: Flow;
  readonly random: Random;
  readonly world: World;
  readonly environment: RunEnvironment;
  private nextId = 0;
  private readonly tasks: ReadonlyMap<string, ReturnType<typeof allTasks>[number]>;
  private mail: { event: Event; at: number }[] = [];
  private applied: { event: Event; at: number }[] = [];
  private rows: StoredRows;
  /** The rows, and the next id, from which the applied events lead to the current rows. */
  private origin: { rows: Snapshot; nextId: number };
  private openTime: OpenTime;
  private before: Snapshot | undefined;
  private repairs = 0;

  constructor(flow: Flow, random: Random, world: World) {
    this.flow = flow;
    this.random = random;
    this.world = world;
    this.tasks = new Map(allTasks(flow).map((task) => [task.id, task]));
    this.environment = environmentWith(() => this.nextId++);
    const breakpoints = random.chance(0.1) ? [{ id: random.pick([...this.tasks.keys()]) }] : [];
    const execution = createExecution(flow, {
      id: 'execution',
      tenantId: 'main',
      now: startedAt,
      breakpoints,
      ...(random.chance(0.05) ? { scheduledAt: startedAt + 60_000 } : {}),
    });
    const rows = { execution, taskRuns: [] };
    this.rows = new StoredRows(rows);
    this.origin = { rows: this.rows.read(), nextId: 0 };
    this.openTime = new OpenTime(rows);
    this.live = new LiveRun(flow, execution, [], this.environment);
  }

  run(): string | undefined {
    this.post(
      this.random.chance(0.05) ? { type: 'refused', behavior: 'QUEUE', limit: 1 } : { type: 'start' },
    );
    while (this.steps++ < maxSteps) {
      const problem = this.step();
      if (problem) return problem;
      if (this.mail.length > 0) continue;
      if (this.live.hasEnded()) {
        if (!this.repair()) return this.replayed() ?? this.openTime.mismatch(this.snapshot());
      } else if (!this.letContinue()) return `stuck in ${this.live.execution.state.current}`;
    }
    return `not over after ${maxSteps} steps`;
  }

  /** Delivers an event to the execution, and mostly the same one to an execution loaded from the stored rows. */
  deliver(event: Event): boolean {
    const before = this.snapshot();
    const twin = isUserAction(event) || this.random.chance(this.world.twin) ? this.twin() : undefined;
    const refusal = refusalOf(() => this.live.apply(event, this.now));
    const changes = this.live.takeChanges();
    this.rows.write(changes);
    const after = this.snapshot();
    const difference =
      rowDifference('the stored rows', after, this.rows.read()) ??
      (twin && this.twinDifference(twin, event, { after, effects: changes.effects, refusal })) ??
      (refusal === undefined ? undefined : rowDifference('a refused action', before, after)) ??
      (refusal === undefined ? undefined : refusedRepair(event, before, this.flow)) ??
      isAllowedToReopen(event, before, after, this.flow);
    if (difference !== undefined) throw new Error(`${JSON.stringify(event)}: ${difference}`);
    for (const accepted of changes.events)
      if (!isNote(accepted)) this.applied.push({ event: accepted, at: this.now });
    for (const effect of changes.effects) reactTo(effect, this);
    if (this.random.chance(this.world.duplicate)) this.post(event, this.random.below(3000));
    return refusal === undefined;
  }

  /** An execution loaded from its rows must do exactly what the one in memory does. */
  private twinDifference(twin: LiveRun, event: Event, wanted: Reaction): string | undefined {
    const refusal = refusalOf(() => twin.apply(event, this.now));
    const { effects } = twin.takeChanges();
    return (
      rowDifference('a reloaded execution', wanted.after, rowsOf(twin)) ??
      differenceOf('the effects of a reloaded execution', asked(wanted.effects), asked(effects)) ??
      differenceOf('the refusal of a reloaded execution', wanted.refusal, refusal)
    );
  }

  post(event: Event, inMs = 0): void {
    this.mail.push({ event, at: this.now + inMs });
  }

  snapshot(): Snapshot {
    return rowsOf(this.live);
  }

  /** Continues with another execution that copied rows of this one, unless the engine refuses it. */
  adopt(make: (id: string) => Replayed): void {
    const { nextId } = this;
    let replayed: Replayed;
    try {
      replayed = make(this.environment.newId());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.nextId = nextId;
      return;
    }
    this.mail = [];
    this.applied = [];
    this.before = undefined;
    this.rows = new StoredRows(replayed);
    this.openTime = new OpenTime(replayed);
    this.live = new LiveRun(this.flow, replayed.execution, replayed.taskRuns, this.environment);
    this.recover(true);
    this.origin = { rows: this.rows.read(), nextId: this.nextId };
    if (this.live.execution.state.current === 'CREATED') this.post({ type: 'start' });
  }

  private step(): string | undefined {
    const next = this.takeMail();
    if (next) this.deliver(next);
    if (this.random.chance(this.world.action)) randomAction(this);
    if (this.random.chance(this.world.crash)) this.crash();
    const snapshot = this.snapshot();
    const problem = breach(this.before, snapshot, this.tasks);
    this.before = snapshot;
    return problem;
  }

  /** Events are delivered in any order; the clock moves to the date of the delivered event. */
  private takeMail(): Event | undefined {
    if (this.mail.length === 0) return undefined;
    const due = this.mail.filter((entry) => entry.at <= this.now);
    const chosen =
      due.length > 0
        ? this.random.pick(due)
        : this.mail.reduce((first, entry) => (entry.at < first.at ? entry : first));
    this.mail.splice(this.mail.indexOf(chosen), 1);
    this.openTime.pass(Math.max(0, chosen.at - this.now), this.snapshot());
    this.now = Math.max(this.now, chosen.at);
    return chosen.event;
  }

  /** A crash: another process loads the rows, must request the same wake-ups and change no row. */
  private crash(): void {
    const wakes = JSON.stringify(this.live.wakes());
    const { execution, taskRuns } = this.rows.copy();
    this.rows = new StoredRows({ execution, taskRuns });
    this.live = new LiveRun(this.flow, execution, taskRuns, this.environment);
    if (JSON.stringify(this.live.wakes()) !== wakes) throw new Error('a reload forgot a wake-up');
    this.recover(false);
  }

  /** Only an execution that was just adopted may have something to start. */
  private recover(isNew: boolean): void {
    this.live.recover(this.now);
    const changes = this.live.takeChanges();
    if (!isNew && (changes.execution || changes.taskRuns.length > 0))
      throw new Error(`a reload changed rows: ${JSON.stringify([changes.execution, changes.taskRuns])}`);
    this.rows.write(changes);
    for (const effect of changes.effects) reactTo(effect, this);
    for (const wake of this.live.wakes()) this.mail.push({ event: { type: 'woken', wake }, at: wake.at });
    for (const { taskRunId, directory } of this.live.directories())
      if (this.random.chance(0.2)) this.post({ type: 'directoryLost', taskRunId, directory });
    for (const lost of this.live.attemptsWithWorkers()) this.post({ type: 'workerLost', ...lost });
  }

  private repair(): boolean {
    if (this.repairs >= maxRepairs || !this.random.chance(this.world.repair)) return false;
    this.repairs++;
    randomAction(this);
    return true;
  }

  /** No event is pending, so the execution must wait for a user. */
  private letContinue(): boolean {
    const state = this.live.execution.state.current;
    if (state === 'PAUSED') this.post({ type: 'resume' });
    else if (state === 'BREAKPOINT') this.post({ type: 'resumeFromBreakpoint' });
    else if (state === 'QUEUED') this.post({ type: 'unqueue' });
    else return false;
    return true;
  }

  private twin(): LiveRun {
    const { execution, taskRuns } = this.rows.read();
    return new LiveRun(this.flow, execution, taskRuns, this.environmentFrom(this.nextId));
  }

  private environmentFrom(nextId: number): RunEnvironment {
    let id = nextId;
    return environmentWith(() => id++);
  }

  /** The event log alone leads to the same rows. */
  private replayed(): string | undefined {
    const { rows, nextId } = this.origin;
    const again = new LiveRun(this.flow, rows.execution, rows.taskRuns, this.environmentFrom(nextId));
    for (const { event, at } of this.applied) again.apply(event, at);
    return rowDifference('replaying the events', this.snapshot(), rowsOf(again));
  }
}

interface Reaction {
  readonly after: Snapshot;
  readonly effects: readonly Effect[];
  readonly refusal: string | undefined;
}

const environmentWith = (next: () => number): RunEnvironment => ({
  catalogue: anyType,
  newId: () => `r${next()}`,
  random: () => 0.25,
});

const rowsOf = (live: LiveRun): Snapshot => ({ execution: live.execution, taskRuns: live.taskRuns() });

/** A process that loads the rows may emit `chooseListeners` again; every other effect is emitted once. */
const asked = (effects: readonly Effect[]) => effects.filter(({ effect }) => effect !== 'chooseListeners');

/** The message of an action that is refused in this state. */
function refusalOf(apply: () => void): string | undefined {
  try {
    apply();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Rows that are the same object need no comparison. */
function rowDifference(subject: string, wanted: Snapshot, found: Snapshot): string | undefined {
  const [want, got] = [
    [wanted.execution, ...wanted.taskRuns],
    [found.execution, ...found.taskRuns],
  ];
  const at = want.findIndex(
    (row, index) => row !== got[index] && JSON.stringify(row) !== JSON.stringify(got[index]),
  );
  if (at >= 0) return differenceOf(subject, want[at], got[at]);
  return want.length === got.length ? undefined : `${subject}: ${got.length} rows instead of ${want.length}`;
}

function differenceOf(subject: string, wanted: unknown, found: unknown): string | undefined {
  if (JSON.stringify(wanted) === JSON.stringify(found)) return undefined;
  const want = JSON.stringify(wanted, null, 1)?.split('\n') ?? [];
  const got = JSON.stringify(found, null, 1)?.split('\n') ?? [];
  const at = want.findIndex((line, index) => line !== got[index]);
  const context = want.slice(Math.max(0, at - 12), at).join('\n');
  return `${subject} differs at line ${at}:\n${context}\n- ${want[at]}\n+ ${got[at]}`;
}

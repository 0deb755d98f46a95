import { AppError, type Flow, isTerminal } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import { allTasks } from '../flow/children.ts';
import { createExecution } from '../run/create.ts';
import type { Effect } from '../run/effect.ts';
import type { Event } from '../run/event.ts';
import { LiveRun } from '../run/live.ts';
import type { RunEnvironment } from '../run/run.ts';
import { breach, type Snapshot } from './invariants.ts';
import { type Random, randomFrom } from './random.ts';
import { randomFlow } from './randomFlow.ts';

/** How badly the world behaves. */
export interface World {
  readonly failure: number;
  readonly loss: number;
  readonly duplicate: number;
  readonly crash: number;
  readonly kill: number;
  readonly pause: number;
  readonly restart: number;
}

export const roughWorld: World = {
  failure: 0.15,
  loss: 0.08,
  duplicate: 0.1,
  crash: 0.05,
  kill: 0.01,
  pause: 0.01,
  restart: 0.5,
};

export interface Outcome {
  readonly seed: number;
  readonly steps: number;
  readonly state: string;
  /** Undefined when every invariant held. */
  readonly problem?: string;
}

const maxSteps = 3000;
const anyType: Catalogue = { find: (type) => ({ type, kind: 'task', sideEffects: true, check: () => [] }) };

/** Runs one random flow to its end in a world where workers fail, die, answer late or twice and the engine restarts. */
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

class Simulation {
  live: LiveRun;
  steps = 0;
  private now = 1_700_000_000_000;
  private readonly flow: Flow;
  private readonly random: Random;
  private readonly world: World;
  private readonly tasks: ReadonlyMap<string, ReturnType<typeof allTasks>[number]>;
  private readonly mail: { event: Event; at: number }[] = [];
  private readonly applied: { event: Event; at: number }[] = [];
  private readonly environment: RunEnvironment;
  private before: Snapshot | undefined;
  private restarts = 0;

  constructor(flow: Flow, random: Random, world: World) {
    this.flow = flow;
    this.random = random;
    this.world = world;
    this.tasks = new Map(allTasks(flow).map((task) => [task.id, task]));
    this.environment = this.freshEnvironment();
    this.live = this.freshRun(this.environment);
  }

  run(): string | undefined {
    this.post({ type: 'start' });
    while (this.steps++ < maxSteps) {
      const problem = this.step();
      if (problem) return problem;
      if (this.mail.length > 0) continue;
      if (this.live.isOver() && !this.restartMaybe()) return this.replayed();
      if (this.mail.length === 0 && !this.live.isOver()) {
        if (this.live.execution.state.current !== 'PAUSED')
          return `stuck in ${this.live.execution.state.current}`;
        this.post({ type: 'resume' });
      }
    }
    return `not over after ${maxSteps} steps`;
  }

  private step(): string | undefined {
    const next = this.takeMail();
    if (next) this.deliver(next.event, next.at);
    if (this.random.chance(this.world.kill)) this.deliver({ type: 'kill', cascade: false }, this.now);
    if (this.random.chance(this.world.pause) && this.live.execution.state.current === 'RUNNING')
      this.deliver({ type: 'pause' }, this.now);
    if (this.random.chance(this.world.crash)) this.crash();
    const snapshot = { execution: this.live.execution, taskRuns: this.live.taskRuns() };
    const problem = breach(this.before, snapshot, this.tasks);
    this.before = snapshot;
    return problem;
  }

  /** Mail is delivered in any order; time moves on to the date of what is delivered. */
  private takeMail(): { event: Event; at: number } | undefined {
    if (this.mail.length === 0) return undefined;
    const due = this.mail.filter((entry) => entry.at <= this.now);
    const chosen =
      due.length > 0
        ? this.random.pick(due)
        : this.mail.reduce((first, entry) => (entry.at < first.at ? entry : first));
    this.mail.splice(this.mail.indexOf(chosen), 1);
    this.now = Math.max(this.now, chosen.at);
    return { event: chosen.event, at: this.now };
  }

  private deliver(event: Event, at: number): void {
    try {
      this.live.apply(event, at);
    } catch (error) {
      // An action that is refused in this state; it must have changed nothing, which the next check shows.
      if (!(error instanceof AppError)) throw error;
    }
    const { effects, events } = this.live.takeChanges();
    for (const accepted of events) this.applied.push({ event: accepted, at });
    for (const effect of effects) this.react(effect);
    if (this.random.chance(this.world.duplicate)) this.mail.push({ event, at: at + this.random.below(3000) });
  }

  private post(event: Event, inMs = 0): void {
    this.mail.push({ event, at: this.now + inMs });
  }

  private react(effect: Effect): void {
    const { random } = this;
    if (effect.effect === 'run') this.work(effect.taskRunId, effect.attempt);
    else if (effect.effect === 'wake')
      this.mail.push({ event: { type: 'woken', wake: effect.wake }, at: effect.wake.at });
    else if (effect.effect === 'chooseListeners') this.post({ type: 'listenersChosen', indexes: [0] });
    else if (effect.effect === 'openDirectory' || effect.effect === 'closeDirectory') {
      const phase = effect.effect === 'openDirectory' ? 'opened' : 'closed';
      this.post(
        {
          type: 'directory',
          taskRunId: effect.taskRunId,
          phase,
          ...(random.chance(0.03) ? { error: 'no space' } : {}),
        },
        random.below(50),
      );
    } else if (effect.effect === 'createChild') {
      const { taskRunId, index } = effect;
      if (random.chance(0.1))
        return this.post({ type: 'childRefused', taskRunId, index, reason: 'no such flow' });
      this.post({ type: 'childCreated', taskRunId, index, executionId: 'child' });
      const state = random.pick(['SUCCESS', 'SUCCESS', 'FAILED', 'WARNING', 'KILLED', 'CANCELLED'] as const);
      this.post({ type: 'childEnded', taskRunId, index, executionId: 'child', state }, random.below(5000));
    } else if (effect.effect === 'interrupt') {
      for (const taskRunId of effect.taskRunIds) {
        const attempt = (this.live.taskRun(taskRunId)?.attempts.length ?? 1) - 1;
        this.post({ type: 'taskEnded', taskRunId, attempt, state: 'KILLED' }, random.below(500));
      }
    }
  }

  private work(taskRunId: string, attempt: number): void {
    const { random, world } = this;
    this.post({ type: 'taskStarted', taskRunId, attempt }, random.below(20));
    const endsIn = 20 + random.below(3000);
    if (random.chance(world.loss)) this.post({ type: 'workerLost', taskRunId, attempt }, endsIn);
    const state = random.chance(world.failure) ? 'FAILED' : random.chance(0.05) ? 'WARNING' : 'SUCCESS';
    this.post({ type: 'taskEnded', taskRunId, attempt, state, outputs: { attempt } }, endsIn);
    if (random.chance(world.duplicate))
      this.post(
        { type: 'taskEnded', taskRunId, attempt, state: 'SUCCESS', outputs: { attempt: -1 } },
        endsIn + random.below(2000),
      );
  }

  /** The process dies and another one reads the rows: it must want the same and have changed nothing. */
  private crash(): void {
    const rows = JSON.parse(
      JSON.stringify({ execution: this.live.execution, taskRuns: this.live.taskRuns() }),
    ) as Snapshot;
    const wakes = JSON.stringify(this.live.wakes());
    this.live = new LiveRun(this.flow, rows.execution, rows.taskRuns, this.environment);
    this.live.recover(this.now);
    const changes = this.live.takeChanges();
    if (changes.execution || changes.taskRuns.length > 0)
      throw new Error(`a reload changed rows: ${JSON.stringify(changes.taskRuns)}`);
    if (JSON.stringify(this.live.wakes()) !== wakes) throw new Error('a reload forgot a wake-up');
    for (const effect of changes.effects) this.react(effect);
    for (const wake of this.live.wakes()) this.mail.push({ event: { type: 'woken', wake }, at: wake.at });
    for (const lost of this.live.attemptsWithWorkers()) this.post({ type: 'workerLost', ...lost });
  }

  private restartMaybe(): boolean {
    const { execution } = this.live;
    if (this.restarts >= 2 || execution.state.current !== 'FAILED' || !this.random.chance(this.world.restart))
      return false;
    if (!this.live.taskRuns().some((run) => run.state.current === 'FAILED')) return false;
    this.restarts++;
    this.deliver({ type: 'restart' }, this.now);
    return !isTerminal(this.live.execution.state.current) || !this.live.isOver();
  }

  /** The event log alone leads to the same rows. */
  private replayed(): string | undefined {
    const again = this.freshRun(this.freshEnvironment());
    for (const { event, at } of this.applied) again.apply(event, at);
    const want = JSON.stringify(
      { execution: this.live.execution, taskRuns: this.live.taskRuns() },
      null,
      1,
    ).split('\n');
    const got = JSON.stringify({ execution: again.execution, taskRuns: again.taskRuns() }, null, 1).split(
      '\n',
    );
    const at = want.findIndex((line, index) => line !== got[index]);
    return at < 0
      ? undefined
      : `replaying the events gives other rows:\n${want[at]}\n${got[at]} (line ${at})`;
  }

  private freshRun(environment: RunEnvironment): LiveRun {
    const execution = createExecution(this.flow, {
      id: 'execution',
      tenantId: 'main',
      now: 1_700_000_000_000,
    });
    return new LiveRun(this.flow, execution, [], environment);
  }

  private freshEnvironment(): RunEnvironment {
    let id = 0;
    return { catalogue: anyType, newId: () => `r${id++}`, random: () => 0.25 };
  }
}

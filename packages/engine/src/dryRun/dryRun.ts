import {
  type Flow,
  type Input,
  isTerminal,
  type LogLevel,
  type Task,
  type TaskRunRecord,
} from '@millrace/contract';
import { render, renderDeep, renderTyped } from '@millrace/expression';
import type { Catalogue } from '../catalogue.ts';
import { controlOf } from '../control/index.ts';
import { placedTasks } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';
import { applyDefaults } from '../flow/defaults.ts';
import type { Path } from '../flow/path.ts';
import { shortType } from '../flow/typeName.ts';
import { createExecution } from '../run/create.ts';
import type { Effect } from '../run/effect.ts';
import type { Event, Resolution } from '../run/event.ts';
import { LiveRun } from '../run/live.ts';
import { presentExecution } from '../run/present.ts';
import { findZone, type Zone } from '../schedule/zone.ts';
import { childEnd } from './childEnd.ts';
import { Outside } from './dryHost.ts';
import type { DryRunState } from './dryRunState.ts';
import { Fixtures } from './fixtures.ts';
import { forceBranches } from './forceBranches.ts';
import { generateInput } from './generate.ts';
import { messageOf, type RenderContext, renderAt, renderControl } from './renderTask.ts';
import { resolveDryInputs } from './resolveDryInputs.ts';
import { runTaskDry } from './runTaskDry.ts';
import type {
  DryLog,
  DryRunLimits,
  DryRunOptions,
  DryRunResult,
  DryTaskRun,
  OutputSource,
  RenderedProperty,
} from './types.ts';
import { type Wanted, wantedOutputs } from './wantedOutputs.ts';

const defaultLimits: DryRunLimits = { steps: 20_000, taskRuns: 2_000, realMs: 3_000 };
const executionId = 'dryrun';
const pauseEverySteps = 50;
/** More runs of one task are not shown with their properties: in a loop they differ little. */
const maxShownRuns = 100;
const maxLogs = 2_000;

type Of<E extends Effect['effect']> = Extract<Effect, { effect: E }>;

interface Queued {
  readonly act: () => void | Promise<void>;
  readonly at: number;
  readonly order: number;
}

/**
 * Runs a flow to its end in virtual time, with the engine that real executions have. Tasks that need the outside get
 * their outputs from fixtures or from the schema of their type; nothing leaves this function.
 */
export async function dryRun(flow: Flow, options: DryRunOptions): Promise<DryRunResult> {
  const forced = forceBranches(applyDefaults(flow, options.defaults), options.branches);
  const run = new DryRun(forced, options);
  await run.start();
  return run.result();
}

/** A running dry run, as the parts that react to effects use it. */
export class DryRun implements DryRunState {
  readonly flow: Flow;
  readonly options: DryRunOptions;
  readonly outside: Outside;
  readonly fixtures: Fixtures;
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly paths: ReadonlyMap<string, Path>;
  /** Tasks whose outputs were generated, or computed from generated ones. */
  readonly generated = new Set<string>();
  readonly sources = new Map<string, OutputSource>();
  readonly rendered = new Map<string, readonly RenderedProperty[]>();
  live: LiveRun;
  readonly #tasks: ReadonlyMap<string, Task>;
  readonly #logs: DryLog[] = [];
  readonly #limits: DryRunLimits;
  readonly #shownRuns = new Map<string, number>();
  #queue: Queued[] = [];
  #order = 0;
  #stopped: string | undefined;
  #inputErrors: readonly string[] = [];

  constructor(flow: Flow, options: DryRunOptions) {
    this.flow = flow;
    this.options = options;
    this.outside = new Outside(options, this.#logs);
    this.fixtures = new Fixtures(options.tasks);
    this.wanted = wantedOutputs(flow);
    const placed = placedTasks(flow);
    this.paths = new Map(placed.map(({ task, path }) => [task.id, path]));
    this.#tasks = new Map(placed.map(({ task }) => [task.id, task]));
    this.#limits = { ...defaultLimits, ...options.limits };
    this.live = this.#create({});
  }

  #create(inputs: Readonly<Record<string, unknown>>): LiveRun {
    const { trigger, labels, now } = this.options;
    const execution = createExecution(this.flow, {
      id: executionId,
      tenantId: this.flow.tenantId ?? 'main',
      now,
      inputs,
      ...(labels && { labels: Object.entries(labels).map(([key, value]) => ({ key, value })) }),
      ...(trigger && { trigger }),
    });
    const catalogue: Catalogue = {
      find: (type) => ({ type, kind: 'task', sideEffects: true, check: () => [] }),
    };
    return new LiveRun(this.flow, execution, [], {
      catalogue,
      newId: () => this.outside.newId(),
      random: () => 0.5,
      encrypt: (text) => text,
      decrypt: (text) => text,
      maxIterations: this.#limits.taskRuns,
    });
  }

  async start(): Promise<void> {
    const { values, errors } = await resolveDryInputs(this.flow, this.options, this.outside);
    this.#inputErrors = errors;
    if (errors.length > 0) return;
    this.live = this.#create(values);
    this.post({ type: 'start' });
    const begunAt = this.options.clock?.() ?? 0;
    for (let steps = 0; !this.live.hasEnded(); steps++) {
      this.#stopped = this.#limitReached(steps, begunAt);
      if (this.#stopped !== undefined) return;
      if (steps % pauseEverySteps === pauseEverySteps - 1) await this.options.pause?.();
      const next = this.#take();
      if (!next) {
        this.#stopped = `The flow waits for something that a dry run does not have, in state ${this.live.execution.state.current}.`;
        return;
      }
      this.outside.now = Math.max(this.outside.now, next.at);
      const work = next.act();
      if (work) await work;
    }
  }

  #limitReached(steps: number, begunAt: number): string | undefined {
    const { steps: maxSteps, taskRuns, realMs } = this.#limits;
    if (steps >= maxSteps) return `The dry run was stopped after ${maxSteps} steps.`;
    if (this.live.taskRunCount > taskRuns) return `The dry run was stopped after ${taskRuns} task runs.`;
    if ((this.options.clock?.() ?? 0) - begunAt > realMs)
      return `The dry run was stopped after ${realMs / 1000} s.`;
    return undefined;
  }

  /** The earliest entry; a user resumes a pause before any time passes, unless the pause has a duration. */
  #take(): Queued | undefined {
    let first: Queued | undefined;
    for (const entry of this.#queue)
      if (!first || entry.at < first.at || (entry.at === first.at && entry.order < first.order))
        first = entry;
    if (!first || first.at > this.outside.now) {
      const paused = this.#pausedRun();
      if (paused) return { act: () => this.#resume(paused), at: this.outside.now, order: 0 };
    }
    if (first) this.#queue = this.#queue.filter((entry) => entry !== first);
    return first;
  }

  #pausedRun(): TaskRunRecord | undefined {
    if (this.live.execution.state.current !== 'PAUSED') return undefined;
    const run = this.live.taskRuns().find(({ state }) => state.current === 'PAUSED');
    const task = run && this.taskOf(run.taskId);
    const hasDuration = (task?.pauseDuration ?? task?.delay) !== undefined;
    return hasDuration && !this.fixtures.ofTask(run?.taskId ?? '') ? undefined : run;
  }

  #resume(run: TaskRunRecord): void {
    const fixture = this.fixtures.of(run);
    if (fixture?.state === 'FAILED' || fixture?.state === 'WARNING' || fixture?.state === 'KILLED') {
      const state = fixture.state;
      this.deliver({ type: 'changeTaskRunState', taskRunId: run.id, state });
      return;
    }
    const given = fixture?.outputs?.onResume ?? this.#generatedResume(run);
    this.deliver({
      type: 'resume',
      taskRunId: run.id,
      ...(typeof given === 'object' && given !== null ? { inputs: { ...given } } : {}),
    });
  }

  /** Values for the inputs of a pause: their defaults, else generated ones. */
  #generatedResume(run: TaskRunRecord): unknown {
    const inputs = this.taskOf(run.taskId)?.onResume;
    if (!Array.isArray(inputs)) return undefined;
    this.generated.add(run.taskId);
    this.sources.set(run.id, 'generated');
    return Object.fromEntries(
      inputs.flatMap((written: unknown) => {
        const input = written as Partial<Input> | null; // Every part is checked below.
        if (typeof input?.id !== 'string' || typeof input.type !== 'string') return [];
        return [[input.id, input.defaults ?? generateInput({ ...input, id: input.id, type: input.type })]];
      }),
    );
  }

  post(event: Event, at = this.outside.now): void {
    this.schedule(() => this.deliver(event), at);
  }

  schedule(act: () => void | Promise<void>, at = this.outside.now): void {
    this.#queue.push({ act, at, order: this.#order++ });
  }

  deliver(event: Event): void {
    this.live.apply(event, this.outside.now);
    const { effects, taskRuns } = this.live.takeChanges();
    for (const run of taskRuns) this.#showControl(run);
    for (const effect of effects) this.#react(effect);
  }

  log(level: LogLevel, message: string, run?: TaskRunRecord): void {
    if (this.#logs.length >= maxLogs) return;
    this.#logs.push({
      level,
      message,
      at: this.outside.now,
      ...(run ? { taskRunId: run.id, taskId: run.taskId } : {}),
    });
  }

  taskOf(taskId: string): Task | undefined {
    return this.#tasks.get(taskId);
  }

  /** Whether the properties of one more run of this task are kept. */
  mayShow(taskId: string): boolean {
    const shown = this.#shownRuns.get(taskId) ?? 0;
    this.#shownRuns.set(taskId, shown + 1);
    return shown < maxShownRuns;
  }

  contextOf(taskRunId: string | undefined): RenderContext {
    return { variables: this.live.variables(taskRunId), outside: this.outside, generated: this.generated };
  }

  typeOf(task: Task): string {
    return this.options.types.find(task.type)?.type ?? shortType(task.type);
  }

  #showControl(run: TaskRunRecord): void {
    if (this.rendered.has(run.id)) return;
    const task = this.taskOf(run.taskId);
    const path = this.paths.get(run.taskId);
    // A LoopUntil evaluates its condition when its children have ended.
    const isLoop = task && controlTypeOf(task.type) === 'core.flow.LoopUntil';
    const isDecided = isLoop ? isTerminal(run.state.current) : run.state.current !== 'CREATED';
    if (!task || !path || !isDecided) return;
    const isSkipped = run.state.current === 'SKIPPED';
    if (!isSkipped && !controlOf(task.type)) return;
    if (!this.mayShow(run.taskId)) return;
    // A skipped task was not rendered, except for the condition that skipped it.
    const read = isSkipped ? { id: task.id, type: task.type, runIf: task.runIf } : task;
    this.rendered.set(run.id, renderControl(read, path, this.contextOf(run.id)));
  }

  #react(effect: Effect): void {
    switch (effect.effect) {
      case 'run':
        this.post({ type: 'taskStarted', taskRunId: effect.taskRunId, attempt: effect.attempt });
        return this.schedule(() => runTaskDry(this, effect));
      case 'wake':
        return this.post({ type: 'woken', wake: effect.wake }, effect.wake.at);
      case 'resolve':
        return this.#resolve(effect);
      case 'openDirectory':
      case 'closeDirectory': {
        const { taskRunId, directory } = effect;
        const phase = effect.effect === 'openDirectory' ? 'opened' : 'closed';
        const run = this.live.taskRun(taskRunId);
        const outputs = phase === 'closed' && run ? this.fixtures.of(run)?.outputs : undefined;
        return this.post({ type: 'directory', taskRunId, phase, directory, ...(outputs && { outputs }) });
      }
      case 'createChild':
        return childEnd(this, effect);
      case 'chooseListeners':
        return this.schedule(() => this.#chooseListeners());
      case 'interrupt':
        for (const taskRunId of effect.taskRunIds) {
          const attempt = (this.live.taskRun(taskRunId)?.attempts.length ?? 1) - 1;
          this.post({ type: 'taskEnded', taskRunId, attempt, state: 'KILLED' });
        }
        return;
      case 'log': {
        const run = effect.taskRunId === undefined ? undefined : this.live.taskRun(effect.taskRunId);
        return this.log(effect.level, effect.message, run);
      }
    }
  }

  #resolve({ taskRunId, key, expression, mode, extra }: Of<'resolve'>): void {
    const about = taskRunId === undefined ? { key } : { taskRunId, key };
    const variables = { ...this.live.variables(taskRunId), ...extra };
    const { host } = this.outside;
    let result: Resolution;
    try {
      const value =
        mode === 'deep' || typeof expression !== 'string'
          ? renderDeep(expression, variables, host)
          : mode === 'typed'
            ? renderTyped(expression, variables, host)
            : render(expression, variables, host);
      result = { value };
    } catch (error) {
      result = { error: messageOf(error) };
    }
    this.post({ type: 'resolved', ...about, result });
  }

  async #chooseListeners(): Promise<void> {
    try {
      const indexes = await this.live.chooseListeners(this.outside.host, findZone('UTC') as Zone); // UTC always exists.
      this.deliver({ type: 'listenersChosen', indexes });
    } catch (error) {
      this.deliver({ type: 'listenersChosen', indexes: [], error: messageOf(error) });
    }
  }

  result(): DryRunResult {
    const { execution } = this.live;
    const records = this.live.taskRuns();
    const ran = new Set(records.map(({ taskId }) => taskId));
    const untaken = [...this.paths.keys()].filter((id) => !ran.has(id));
    const isComplete = isTerminal(execution.state.current) && execution.state.current !== 'RETRIED';
    return {
      execution: presentExecution(execution, records, this.outside.now),
      taskRuns: records.map((record) => this.#present(record)),
      logs: this.#logs,
      untaken,
      properties: isComplete ? this.#flowOutputs() : [],
      assumptions: [...this.outside.assumptions.values()],
      inputErrors: this.#inputErrors,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      evaluate: (expression, taskId) => {
        const run = taskId === undefined ? undefined : records.findLast((record) => record.taskId === taskId);
        const variables = this.live.variables(run?.id);
        const outputs = execution.outputs ?? {};
        const own = { ...(variables.execution as object), outputs };
        return renderTyped(expression, { ...variables, execution: own }, this.outside.host);
      },
    };
  }

  #flowOutputs(): readonly RenderedProperty[] {
    return (this.flow.outputs ?? []).flatMap(({ value }, index) =>
      renderAt(value, ['outputs', index, 'value'], this.contextOf(undefined)),
    );
  }

  #present(record: TaskRunRecord): DryTaskRun {
    const { id, taskId, parentId, value, iteration, state, attempts, outputs } = record;
    const source = this.sources.get(id);
    return {
      id,
      taskId,
      state: state.current,
      attempts: attempts.length,
      properties: this.rendered.get(id) ?? [],
      ...(parentId === undefined ? {} : { parentId }),
      ...(value === undefined ? {} : { value }),
      ...(iteration === undefined ? {} : { iteration }),
      ...(outputs ? { outputs } : {}),
      ...(source ? { source } : {}),
    };
  }
}

import type { ExecutionRecord, Flow, StateType, Task, TaskRunRecord } from '@millrace/contract';
import { renderDeep } from '@millrace/expression';
import type { Catalogue } from '../../catalogue.ts';
import { createExecution, type NewExecution } from '../create.ts';
import type { Effect } from '../effect.ts';
import type { Event, Wake } from '../event.ts';
import { LiveRun } from '../live.ts';
import type { RecordedEvent } from '../note.ts';
import type { RunEnvironment } from '../run.ts';

/** Every type exists and has no side effects; the tables are about states, not about properties. */
const anyType: Catalogue = {
  find: (type) => ({ type, kind: 'task', sideEffects: false, check: () => [] }),
};

export type Answer =
  | StateType
  | { state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED'; outputs?: Record<string, unknown> }
  | 'HOLD';
/** The result that a worker reports: by task id, or by task id and attempt (`t#1`). */
export type Script = Readonly<Record<string, Answer>>;

export const aTask = (id: string, more: Record<string, unknown> = {}): Task => ({
  id,
  type: 'core.debug.Return',
  ...more,
});
export const aControl = (type: string, id: string, more: Record<string, unknown>): Task =>
  aTask(id, { type: `core.flow.${type}`, ...more });

export const aFlow = (flow: Partial<Flow> & { tasks: Task[] }): Flow => ({
  id: 'flow',
  namespace: 'company.team',
  revision: 1,
  disabled: false,
  deleted: false,
  ...flow,
});

/**
 * Drives a run with scripted workers that report at once and a clock that moves only on request. After any
 * step `reload` can load the run again from its rows, which must change nothing.
 */
export class Harness {
  live: LiveRun;
  now = 1_700_000_000_000;
  readonly effects: Effect[] = [];
  readonly logs: string[] = [];
  readonly events: RecordedEvent[] = [];
  readonly started: string[] = [];
  private readonly flow: Flow;
  private readonly script: Script;
  private readonly environment: RunEnvironment;
  /** The listeners whose conditions hold; by default all of them. */
  listeners: readonly number[] | undefined;
  /** Another process that opens the folders, and whether it is alive to close them. */
  folders: { readonly holder?: string; readonly areClosed: boolean } = { areClosed: true };
  /** The phase of a shared folder that fails. */
  brokenFolder: 'opened' | 'closed' | undefined;
  private nextId = 1;
  private wakes: Wake[] = [];

  constructor(
    flow: Flow,
    script: Script = {},
    given: Partial<NewExecution> = {},
    environment: Partial<RunEnvironment> = {},
  ) {
    this.flow = flow;
    this.script = script;
    this.environment = {
      catalogue: anyType,
      newId: () => `id${this.nextId++}`,
      random: () => 0.5,
      ...environment,
    };
    const execution = createExecution(flow, { id: 'execution', tenantId: 'main', now: this.now, ...given });
    this.live = new LiveRun(flow, execution, [], this.environment);
  }

  start(): this {
    return this.send({ type: 'start' });
  }

  send(event: Event): this {
    this.live.apply(event, this.now);
    this.work();
    return this;
  }

  /** Moves the clock to the next wake-up and delivers it. */
  wake(): this {
    const next = this.wakes.sort((a, b) => a.at - b.at).shift();
    if (!next) throw new Error('Nothing asked to be woken.');
    this.now = Math.max(this.now, next.at);
    return this.send({ type: 'woken', wake: next });
  }

  get pendingWakes(): number {
    return this.wakes.length;
  }

  /** Ends a task that was held. */
  end(taskId: string, state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' = 'SUCCESS', value?: string): this {
    const run = this.runOf(taskId, value);
    return this.send({ type: 'taskEnded', taskRunId: run.id, attempt: run.attempts.length - 1, state });
  }

  /** Loads the execution from its rows, as a new process does. */
  reload(): this {
    this.live = new LiveRun(this.flow, this.live.execution, this.live.taskRuns(), this.environment);
    return this;
  }

  get execution(): ExecutionRecord {
    return this.live.execution;
  }

  get state(): StateType {
    return this.live.execution.state.current;
  }

  history(): StateType[] {
    return this.live.execution.state.histories.map((entry) => entry.state);
  }

  historyOf(taskId: string, value?: string): StateType[] {
    return this.runOf(taskId, value).state.histories.map((entry) => entry.state);
  }

  runOf(taskId: string, value?: string): TaskRunRecord {
    const found = this.live
      .taskRuns()
      .find((run) => run.taskId === taskId && (value === undefined || run.value === value));
    if (!found) throw new Error(`There is no task run of "${taskId}".`);
    return found;
  }

  /** `taskId[value]:STATE` of every run, in order of creation. */
  summary(): string[] {
    return this.live
      .taskRuns()
      .map((run) => `${run.taskId}${run.value === undefined ? '' : `[${run.value}]`}:${run.state.current}`);
  }

  private work(): void {
    for (;;) {
      const { effects, events } = this.live.takeChanges();
      this.events.push(...events);
      if (effects.length === 0) return;
      for (const effect of effects) this.react(effect);
    }
  }

  private react(effect: Effect): void {
    this.effects.push(effect);
    if (effect.effect === 'log') this.logs.push(`${effect.level} ${effect.message}`);
    else if (effect.effect === 'wake') this.wakes.push(effect.wake);
    else if (effect.effect === 'run') this.runTask(effect);
    else if (effect.effect === 'chooseListeners') {
      // The tables have listeners without conditions, or choose themselves.
      const indexes = this.listeners ?? (this.flow.listeners ?? []).map((_, index) => index);
      this.live.apply({ type: 'listenersChosen', indexes }, this.now);
    } else if (effect.effect === 'openDirectory' || effect.effect === 'closeDirectory') {
      const { holder, areClosed } = this.folders;
      const phase = effect.effect === 'openDirectory' ? 'opened' : 'closed';
      const opened = phase === 'opened' && holder !== undefined ? { holder } : {};
      if (phase === 'closed' && !areClosed) return;
      const error = this.brokenFolder === phase ? { error: 'no folder' } : {};
      this.live.apply(
        { type: 'directory', taskRunId: effect.taskRunId, phase, ...opened, ...error },
        this.now,
      );
    }
  }

  private runTask({ taskRunId, attempt, task }: Extract<Effect, { effect: 'run' }>): void {
    this.live.apply({ type: 'taskStarted', taskRunId, attempt }, this.now);
    if (this.live.taskRun(taskRunId)?.state.current !== 'RUNNING') return;
    this.started.push(task.id);
    const answer = this.script[`${task.id}#${attempt}`] ?? this.script[task.id] ?? 'SUCCESS';
    if (answer === 'HOLD') return;
    const result = typeof answer === 'string' ? { state: answer as 'SUCCESS' } : answer;
    const outputs = result.outputs ?? this.rendered(task, taskRunId);
    this.live.apply(
      { type: 'taskEnded', taskRunId, attempt, state: result.state, ...(outputs ? { outputs } : {}) },
      this.now,
    );
  }

  /** A `format` property is rendered into the output `value`, as the Return task does. */
  private rendered(task: Task, taskRunId: string): Record<string, unknown> | undefined {
    if (task.format === undefined) return undefined;
    const host = { now: () => this.now, random: () => 0.5, id: () => 'x' };
    return { value: renderDeep(task.format, this.live.variables(taskRunId), host) };
  }
}

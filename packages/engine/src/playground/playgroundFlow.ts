import { AppError, type ExecutionRecord, type Flow, type Task } from '@millrace/contract';
import { controlOf } from '../control/index.ts';
import { tasksOf } from '../control/tasks.ts';
import { childLists, flowLists } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';

/*
 * A playground execution runs one task, or the tasks up to one, of a text that need not be saved. Its plan is part
 * of the execution's memo, and the flow that it runs is derived from the full text and that plan, so a restart
 * continues with the same tasks. Reused tasks stay in the derived flow: they end at once with their known outputs
 * (`reuseResult`), so control tasks before the chosen one decide as they would in a normal execution.
 */

/** The outputs that a task has instead of running. `values` are the loop values around it, from the outside in. */
export interface ReusedResult {
  readonly taskId: string;
  readonly values?: readonly string[];
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** `pinned`: a user set the outputs. `execution`: an earlier execution had them. */
  readonly from: 'pinned' | 'execution';
}

export interface Playground {
  /** The chosen task. */
  readonly taskId: string;
  /** `task`: nothing else runs. `upTo`: earlier tasks without a reused result run, too. */
  readonly mode: 'task' | 'upTo';
  /** The value of each loop around the task; a loop that is not named runs its first value. */
  readonly loopValues?: Readonly<Record<string, string>>;
  readonly results: readonly ReusedResult[];
}

// `as`: only `startPlayground` writes it.
export const playgroundOf = ({ memo }: Pick<ExecutionRecord, 'memo'>): Playground | undefined =>
  memo?.playground as Playground | undefined;

/** The part of a flow that a playground execution runs. Other executions run the flow itself. */
export function flowToRun(flow: Flow, execution: ExecutionRecord): Flow {
  const playground = playgroundOf(execution);
  return playground ? playgroundFlow(flow, playground) : flow;
}

/** The flow without everything after the chosen task, and without handlers, limits and outputs of the flow. */
export function playgroundFlow(flow: Flow, playground: Playground): Flow {
  const {
    errors: _,
    finally: __,
    afterExecution: ___,
    listeners: ____,
    outputs: _____,
    concurrency: ______,
    retry: _______,
    sla: ________,
    ...kept
  } = flow;
  return { ...kept, tasks: tasksUpTo(flow, playground) };
}

/** The task to run for a chosen one: the outermost WorkingDirectory around it, because its tasks share a folder. */
export function runnableTask(flow: Flow, taskId: string): Task {
  for (const { children } of flowLists(flow)) {
    for (const { task } of children) {
      const found = outermost(task, taskId);
      if (found) return found;
    }
  }
  throw new AppError('illegal-argument', `The flow has no task "${taskId}".`);
}

function outermost(task: Task, taskId: string): Task | undefined {
  if (task.id === taskId) return task;
  for (const { tasks } of childLists(task)) {
    for (const child of tasks) {
      const found = outermost(child, taskId);
      if (found) return sharesFolder(task) ? task : found;
    }
  }
  return undefined;
}

const sharesFolder = (task: Task): boolean => {
  const control = controlOf(task.type);
  return control?.kind === 'container' && control.sharesDirectory === true;
};

/** The loops around a task, from the outside in. */
export function loopsAround(flow: Flow, taskId: string): readonly string[] {
  const around = (task: Task): readonly string[] | undefined => {
    if (task.id === taskId) return [];
    for (const { tasks } of childLists(task)) {
      for (const child of tasks) {
        const inner = around(child);
        if (inner) return isLoop(task) ? [task.id, ...inner] : inner;
      }
    }
    return undefined;
  };
  for (const { children } of flowLists(flow)) {
    for (const { task } of children) {
      const found = around(task);
      if (found) return found;
    }
  }
  return [];
}

function tasksUpTo(flow: Flow, playground: Playground): Task[] {
  const builder = new Builder(playground);
  for (const { branch, children } of flowLists(flow)) {
    const found = builder.upTo(children.map(({ task }) => task));
    if (!found) continue;
    // A handler runs after the tasks of the flow: those with outputs come first, the others never run.
    return branch === 'tasks' ? found : [...builder.reusedOnly(flow.tasks), ...found];
  }
  throw new AppError('illegal-argument', `The flow has no task "${playground.taskId}".`);
}

class Builder {
  readonly #playground: Playground;
  readonly #reused: ReadonlySet<string>;

  constructor(playground: Playground) {
    this.#playground = playground;
    this.#reused = new Set(playground.results.map(({ taskId }) => taskId));
  }

  /** The list up to the chosen task or the container around it; undefined when it is in neither. */
  upTo(tasks: readonly Task[]): Task[] | undefined {
    for (const [index, task] of tasks.entries()) {
      const chosen = this.#chosen(task);
      if (chosen) return [...this.#earlier(tasks.slice(0, index)), chosen];
    }
    return undefined;
  }

  /** The tasks that end with a known result, and those that only change the execution. */
  reusedOnly(tasks: readonly Task[]): Task[] {
    return tasks.flatMap((task) => this.#reusedPart(task) ?? []);
  }

  #chosen(task: Task): Task | undefined {
    if (task.id === this.#playground.taskId) return this.#unconditional(task);
    for (const { branch, tasks } of childLists(task)) {
      const found = this.upTo(tasks);
      if (!found) continue;
      if (branch === 'errors' || branch === 'finally') {
        const message = `The task "${this.#playground.taskId}" cannot run alone, because it is in "${branch}" of "${task.id}". Execute "${task.id}" instead.`;
        throw new AppError('illegal-argument', message);
      }
      const { errors: _, finally: __, ...plain } = task;
      return this.#unconditional({ ...plain, ...this.#narrowed(task, branch, found) } as Task); // The id and the type stay.
    }
    return undefined;
  }

  /** The properties of a container that lead to the chosen task, and to nothing beside it. */
  #narrowed(task: Task, branch: string, found: Task[]): Readonly<Record<string, unknown>> {
    const alone = found.slice(-1);
    switch (controlTypeOf(task.type)) {
      case 'core.flow.If':
        return {
          then: [],
          else: [],
          [branch]: found,
          ...this.#forced('condition', String(branch === 'then')),
        };
      case 'core.flow.Switch':
        return branch === 'defaults'
          ? { cases: {}, defaults: found }
          : this.#switchTo(branch.slice('cases.'.length), found);
      case 'core.flow.Parallel':
        return { tasks: alone };
      case 'core.flow.Dag':
        return { tasks: this.#dependencies(task, found) };
      case 'core.flow.ForEach':
        return { tasks: found, ...this.#oneValue(task, 'values') };
      case 'core.flow.EachSequential':
        return { tasks: found, ...this.#oneValue(task, 'value') };
      case 'core.flow.EachParallel':
        return { tasks: alone, ...this.#oneValue(task, 'value') };
      case 'core.flow.LoopUntil':
      case 'core.flow.Pause':
        return { type: 'core.flow.Sequential', tasks: found };
      default:
        return { tasks: found };
    }
  }

  #switchTo(key: string, found: Task[]): Readonly<Record<string, unknown>> {
    return { cases: { [key]: found }, defaults: [], ...this.#forced('value', key) };
  }

  /** A task that runs alone ignores the conditions on the way to it; up to a task they apply. */
  #forced(property: string, value: string): Readonly<Record<string, unknown>> {
    return this.#playground.mode === 'task' ? { [property]: value } : {};
  }

  #unconditional(task: Task): Task {
    if (this.#playground.mode === 'upTo') return task;
    const { runIf: _, ...always } = task;
    return always as Task; // The id and the type stay.
  }

  #oneValue(task: Task, property: string): Readonly<Record<string, unknown>> {
    const value = this.#playground.loopValues?.[task.id];
    return value === undefined ? { firstValueOnly: true } : { [property]: [value] };
  }

  /** The entries that the chosen one depends on, then itself. */
  #dependencies(task: Task, found: readonly Task[]): unknown[] {
    const chosen = found.at(-1);
    const entries = entriesOf(task);
    const needed = new Set<string>();
    const add = (id: string): void => {
      if (needed.has(id)) return;
      needed.add(id);
      for (const other of entries.find((entry) => entry.task.id === id)?.dependsOn ?? []) add(other);
    };
    if (chosen) add(chosen.id);
    const earlier = entries.flatMap(({ task: other, dependsOn }) => {
      if (!needed.has(other.id) || other.id === chosen?.id) return [];
      const [kept] = this.#earlier([other]);
      return kept ? [{ task: kept, dependsOn }] : [];
    });
    const kept = new Set(earlier.map((entry) => entry.task.id));
    const own = entries.find((entry) => entry.task.id === chosen?.id)?.dependsOn ?? [];
    return [...earlier, { task: chosen, dependsOn: own }].map(({ task: of, dependsOn }) => ({
      task: of,
      dependsOn: dependsOn.filter((id) => kept.has(id)),
    }));
  }

  #earlier(tasks: readonly Task[]): Task[] {
    if (this.#playground.mode === 'task') return this.reusedOnly(tasks);
    return tasks.map((task) => this.#withoutWaiting(task));
  }

  /** A container that shares a folder, repeats or waits only needs its outputs when all of its tasks are reused. */
  #withoutWaiting(task: Task): Task {
    const lists = childLists(task);
    if (lists.length === 0) return task;
    return this.#isReused(task) && needsNoControl(task) ? this.#asSequence(task) : task;
  }

  #isReused(task: Task): boolean {
    return leavesOf(task).every(({ id }) => this.#reused.has(id));
  }

  #asSequence(task: Task): Task {
    const { errors: _, finally: __, ...plain } = task;
    return { ...plain, type: 'core.flow.Sequential' } as Task; // The id stays.
  }

  #reusedPart(task: Task): Task | undefined {
    const control = controlOf(task.type);
    if (control?.kind === 'acting') return isExit(task) ? undefined : task;
    const lists = childLists(task).filter(({ branch }) => branch !== 'errors' && branch !== 'finally');
    if (lists.length === 0) return this.#reused.has(task.id) ? task : undefined;
    const kept = new Map(lists.map(({ branch, tasks }) => [branch, this.reusedOnly(tasks)]));
    if ([...kept.values()].every((tasks) => tasks.length === 0)) return undefined;
    const { errors: _, finally: __, ...plain } = task;
    const reduced = { ...plain, ...reducedLists(task, kept) } as Task; // The id and the type stay.
    return needsNoControl(task) ? this.#asSequence(reduced) : reduced;
  }
}

/** The lists of a container with other tasks in them. */
function reducedLists(task: Task, kept: ReadonlyMap<string, Task[]>): Readonly<Record<string, unknown>> {
  switch (controlTypeOf(task.type)) {
    case 'core.flow.If':
      return { then: kept.get('then') ?? [], else: kept.get('else') ?? [] };
    case 'core.flow.Switch':
      return {
        cases: Object.fromEntries(
          [...kept].flatMap(([branch, tasks]) =>
            branch.startsWith('cases.') ? [[branch.slice('cases.'.length), tasks]] : [],
          ),
        ),
        defaults: kept.get('defaults') ?? [],
      };
    case 'core.flow.Dag': {
      const tasks = kept.get('tasks') ?? [];
      const ids = new Set(tasks.map(({ id }) => id));
      const entries = entriesOf(task);
      return {
        tasks: tasks.map((child) => ({
          task: child,
          dependsOn: entries
            .find((entry) => entry.task.id === child.id)
            ?.dependsOn.filter((id) => ids.has(id)),
        })),
      };
    }
    default:
      return { tasks: kept.get('tasks') ?? [] };
  }
}

function entriesOf(task: Task): { readonly task: Task; readonly dependsOn: readonly string[] }[] {
  // `as`: validation has checked the shape.
  return (tasksOf(task.tasks) as unknown as { task: Task; dependsOn?: readonly string[] }[]).map((entry) => ({
    task: entry.task,
    dependsOn: entry.dependsOn ?? [],
  }));
}

/** The tasks that hold no other tasks; handlers are left out. */
export function leavesOf(task: Task): readonly Task[] {
  const lists = childLists(task).filter(({ branch }) => branch !== 'errors' && branch !== 'finally');
  return lists.length === 0 ? [task] : lists.flatMap(({ tasks }) => tasks.flatMap(leavesOf));
}

const isLoop = (task: Task): boolean => {
  const type = controlTypeOf(task.type);
  return (
    type === 'core.flow.ForEach' || type === 'core.flow.EachSequential' || type === 'core.flow.EachParallel'
  );
};

/** Containers that would open a folder, wait or repeat although every task in them is reused. */
export const needsNoControl = (task: Task): boolean => {
  const type = controlTypeOf(task.type);
  return sharesFolder(task) || type === 'core.flow.LoopUntil' || type === 'core.flow.Pause';
};

const isExit = (task: Task): boolean => /(^|\.)Exit$/.test(task.type);

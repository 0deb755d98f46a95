import type { Flow, Task } from '@millrace/contract';
import { controlTypeOf } from './controlType.ts';
import type { Path } from './path.ts';
import { writtenIndex } from './written.ts';

export interface ChildList {
  /** `tasks`, `then`, `else`, `cases.<key>`, `defaults`, `errors` or `finally`. */
  readonly branch: string;
  readonly tasks: Task[];
}

/** A task with its path, relative to the task or flow that was searched. */
export interface PlacedTask {
  readonly task: Task;
  readonly path: Path;
}

export interface PlacedList {
  readonly branch: string;
  readonly children: readonly PlacedTask[];
}

/** The lists of tasks inside a task, in a fixed order. Only this file knows which properties hold tasks. */
export function childLists(task: Task): ChildList[] {
  return placedChildren(task).map((list) => ({
    branch: list.branch,
    tasks: list.children.map((child) => child.task),
  }));
}

/** The same with paths. Accepts any shape: items that are not tasks with an id are skipped. */
export function placedChildren(task: Task): PlacedList[] {
  return writtenChildren(task).map(({ branch, items }) => ({ branch, children: items.filter(holdsTask) }));
}

export interface WrittenItem {
  /** Any value where a task is expected. */
  readonly task: unknown;
  readonly path: Path;
}

/** The lists where tasks are expected, with all their items. */
export function writtenChildren(task: Task): { branch: string; items: WrittenItem[] }[] {
  const control = controlTypeOf(task.type);
  if (!control || control === 'core.flow.Subflow' || control === 'core.flow.Template') return [];
  const lists: { branch: string; items: WrittenItem[] }[] = [];
  const add = (branch: string, value: unknown, path: Path): void => {
    if (Array.isArray(value)) lists.push({ branch, items: placeAll(value, path) });
  };
  switch (control) {
    case 'core.flow.If':
      add('then', task.then, ['then']);
      add('else', task.else, ['else']);
      break;
    case 'core.flow.Switch':
      for (const [key, tasks] of Object.entries(asMap(task.cases))) {
        add(`cases.${key}`, tasks, ['cases', key]);
      }
      add('defaults', task.defaults, ['defaults']);
      break;
    case 'core.flow.Dag':
      if (Array.isArray(task.tasks)) lists.push({ branch: 'tasks', items: placeDag(task.tasks) });
      break;
    case 'core.flow.ForEachItem':
      break;
    default:
      add('tasks', task.tasks, ['tasks']);
  }
  add('errors', task.errors, ['errors']);
  add('finally', task.finally, ['finally']);
  return lists;
}

/** The lists of tasks of a flow itself; listeners each have their own. */
export function flowLists(flow: Flow): PlacedList[] {
  const lists: PlacedList[] = [];
  const add = (branch: string, tasks: readonly unknown[] | undefined, path: Path): void => {
    if (tasks) lists.push({ branch, children: placeAll(tasks, path).filter(holdsTask) });
  };
  add('tasks', flow.tasks, ['tasks']);
  add('errors', flow.errors, ['errors']);
  add('finally', flow.finally, ['finally']);
  add('afterExecution', flow.afterExecution, ['afterExecution']);
  flow.listeners?.forEach((listener, index) => {
    add('listeners', listener.tasks, ['listeners', index, 'tasks']);
  });
  return lists;
}

/** Every task of a flow with its path, parents before their children. */
export function placedTasks(flow: Flow): PlacedTask[] {
  const found: PlacedTask[] = [];
  const walk = (lists: readonly PlacedList[], base: Path): void => {
    for (const list of lists) {
      for (const child of list.children) {
        const path = base.length === 0 ? child.path : [...base, ...child.path];
        found.push({ task: child.task, path });
        walk(placedChildren(child.task), path);
      }
    }
  };
  walk(flowLists(flow), []);
  return found;
}

const flattened = new WeakMap<Flow, readonly Task[]>();

/** Every task of a flow, however deep: tasks, errors, finally, afterExecution, listeners and all their children. */
export function allTasks(flow: Flow): readonly Task[] {
  let tasks = flattened.get(flow);
  if (!tasks) {
    tasks = placedTasks(flow).map((placed) => placed.task);
    flattened.set(flow, tasks);
  }
  return tasks;
}

const byId = new WeakMap<Flow, ReadonlyMap<string, Task>>();

export function findTask(flow: Flow, id: string): Task | undefined {
  let tasks = byId.get(flow);
  if (!tasks) {
    tasks = new Map(allTasks(flow).map((task) => [task.id, task]));
    byId.set(flow, tasks);
  }
  return tasks.get(id);
}

/**
 * True for data that can be a task: a map with an id. The type may be missing while a user still types it.
 */
export function isTask(value: unknown): value is Task {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

const holdsTask = (item: WrittenItem): item is PlacedTask => isTask(item.task);

const asMap = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const placeAll = (values: readonly unknown[], path: Path): WrittenItem[] =>
  values.map((task, index) => ({ task, path: [...path, writtenIndex(task, index)] }));

const placeDag = (entries: readonly unknown[]): WrittenItem[] =>
  entries.map((entry, index) => ({ task: asMap(entry).task, path: ['tasks', index, 'task'] }));

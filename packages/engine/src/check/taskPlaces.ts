import type { Flow, Task } from '@millrace/contract';
import { flowLists, type PlacedList, placedChildren } from '../flow/children.ts';
import { type ControlType, controlTypeOf } from '../flow/controlType.ts';
import { formatPath, type Path } from '../flow/path.ts';

/** A task of a flow with everything around it. */
export interface TaskPlace {
  readonly task: Task;
  readonly path: Path;
  readonly control: ControlType | undefined;
  /** The task that holds it; undefined for a task of the flow itself. */
  readonly parent: TaskPlace | undefined;
  /** The list of the parent or the flow that it is in: `tasks`, `then`, `cases.<key>`, `errors`, … */
  readonly branch: string;
  readonly index: number;
}

export interface TaskPlaces {
  readonly all: readonly TaskPlace[];
  readonly byId: ReadonlyMap<string, TaskPlace>;
  /** By the formatted path of the task. */
  readonly byPath: ReadonlyMap<string, TaskPlace>;
}

export function taskPlaces(flow: Flow): TaskPlaces {
  const all: TaskPlace[] = [];
  const walk = (lists: readonly PlacedList[], base: Path, parent: TaskPlace | undefined): void => {
    for (const { branch, children } of lists) {
      for (const [index, child] of children.entries()) {
        const path = [...base, ...child.path];
        const { task } = child;
        const place = { task, path, control: controlTypeOf(task.type), parent, branch, index };
        all.push(place);
        walk(placedChildren(task), path, place);
      }
    }
  };
  walk(flowLists(flow), [], undefined);
  const byId = new Map<string, TaskPlace>();
  for (const place of all) {
    // For a duplicate id, which is a separate error, the first task counts.
    if (!byId.has(place.task.id)) byId.set(place.task.id, place);
    if (place.control !== 'core.flow.ForEachItem') continue;
    for (const stage of ['split', 'items', 'merge']) byId.set(`${place.task.id}_${stage}`, place);
  }
  return { all, byId, byPath: new Map(all.map((place) => [formatPath(place.path), place])) };
}

/** From the outermost task around it to the task itself. */
export function chainOf(place: TaskPlace): TaskPlace[] {
  const chain: TaskPlace[] = [];
  for (let at: TaskPlace | undefined = place; at; at = at.parent) chain.unshift(at);
  return chain;
}

const valueLoops: ReadonlySet<ControlType | undefined> = new Set([
  'core.flow.ForEach',
  'core.flow.EachSequential',
  'core.flow.EachParallel',
]);

/** Loops that run their tasks once per value. */
export const isValueLoop = (place: TaskPlace | undefined): boolean => valueLoops.has(place?.control);

/** The loops whose values key the outputs of a task, outermost first. Handlers of a loop run once. */
export function loopsAround(place: TaskPlace): TaskPlace[] {
  return chainOf(place).flatMap(({ parent, branch }) =>
    parent && isValueLoop(parent) && branch === 'tasks' ? [parent] : [],
  );
}

/** Whether `taskrun.value` exists: directly in a loop, or in a folder that is directly in one. */
export function hasLoopValue({ parent, branch }: TaskPlace): boolean {
  if (!parent || branch !== 'tasks') return false;
  return isValueLoop(parent) || (parent.control === 'core.flow.WorkingDirectory' && hasLoopValue(parent));
}

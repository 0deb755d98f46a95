import { placedChildren, placedTasks } from '@millrace/engine';
import { usersOf } from '../../forms/schema/index.ts';
import { readFlowText, standingOf } from './flowText.ts';
import type { Part } from './slot.ts';

/** What the removal of an element would touch. */
export interface Removal {
  /** The tasks inside it, at any depth. */
  readonly children: readonly string[];
  /** The tasks directly inside it that would take its place. */
  readonly kept: readonly string[];
  /** The parts of the flow that read its outputs, or those of a task inside it. */
  readonly by: readonly string[];
  /** Those of them that are tasks and can be removed too. */
  readonly users: readonly Part[];
}

export function removalOf(source: string, part: Part): Removal | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  if (!text || !path) return undefined;
  const tasks = placedTasks(text.flow);
  const own = tasks.find(({ task, path: place }) => part.kind === 'task' && task.id === part.id && place);
  const isInside = (place: readonly (string | number)[]) =>
    place.length > path.length && path.every((step, at) => step === place[at]);
  const children = tasks.filter(({ path: place }) => isInside(place)).map(({ task }) => task.id);
  const { list, index } = standingOf(path);
  const { by } = usersOf(text.data, [...list, index]);
  return {
    children,
    kept: own ? placedChildren(own.task).flatMap((branch) => branch.children.map(({ task }) => task.id)) : [],
    by,
    users: by
      .map((id) => ({ kind: 'task', id }) as const)
      .filter((user) => text.pathOf(user) !== undefined && user.id !== part.id),
  };
}

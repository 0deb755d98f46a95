import type { Flow } from '@millrace/contract';
import { controlTypeOf, type Path, parseFlow, placedTasks, readYaml } from '@millrace/engine';
import { isMap, valueAt } from '../../forms/source/index.ts';
import type { Part, Slot } from './slot.ts';

/** The text of a flow and where its tasks and triggers are written. */
export interface FlowText {
  readonly source: string;
  readonly data: unknown;
  readonly flow: Flow;
  /** Every id of a task or trigger, also those that are written twice. */
  readonly ids: ReadonlySet<string>;
  /** Undefined for an id that is missing or written twice, because an edit could change the wrong element. */
  pathOf(part: Part): Path | undefined;
}

/** Undefined while the text is no readable flow. */
export function readFlowText(source: string): FlowText | undefined {
  const reading = readYaml(source);
  const { flow } = parseFlow(source);
  if ('problem' in reading || reading.keyProblems.length > 0 || !flow || !isMap(reading.data))
    return undefined;
  const { data } = reading;
  const paths = new Map<string, Path | undefined>();
  const add = (key: string, path: Path) => paths.set(key, paths.has(key) ? undefined : path);
  for (const { task, path } of placedTasks(flow)) add(`task ${task.id}`, path);
  const triggers: unknown = data.triggers;
  for (const [index, trigger] of (Array.isArray(triggers) ? triggers : []).entries()) {
    const id = valueAt(trigger, ['id']);
    if (typeof id === 'string') add(`trigger ${id}`, ['triggers', index]);
  }
  return {
    source,
    data,
    flow,
    ids: new Set([...paths.keys()].map((key) => key.slice(key.indexOf(' ') + 1))),
    pathOf: ({ kind, id }) => paths.get(`${kind} ${id}`),
  };
}

/** The list that an element stands in, its position, and the Dag around it. */
export interface Standing {
  readonly list: Path;
  readonly index: number;
  /** Set when the element is a task of a Dag: its item also says what it depends on. */
  readonly isInDag: boolean;
}

export function standingOf(path: Path): Standing {
  const isInDag = path.at(-1) === 'task';
  const item = isInDag ? path.slice(0, -1) : path;
  return { list: item.slice(0, -1), index: Number(item.at(-1)), isInDag };
}

export const itemsAt = (data: unknown, list: Path): readonly unknown[] => {
  const items = valueAt(data, list);
  return Array.isArray(items) ? items : [];
};

/** The list of a container that takes a task when no other one was chosen. */
export function bodyOf(type: string): Path | undefined {
  switch (controlTypeOf(type)) {
    case undefined:
    case 'core.flow.Subflow':
    case 'core.flow.Template':
    case 'core.flow.ForEachItem':
      return undefined;
    case 'core.flow.If':
      return ['then'];
    case 'core.flow.Switch':
      return ['defaults'];
    default:
      return ['tasks'];
  }
}

export const isDag = (type: string): boolean => controlTypeOf(type) === 'core.flow.Dag';

/** The slot one place up or down in the list of an element; undefined at its ends and in a Dag, which has no order. */
export function stepOf(source: string, part: Part, step: -1 | 1): Slot | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  if (!text || !path) return undefined;
  const { list, index, isInDag } = standingOf(path);
  const id = valueAt(itemsAt(text.data, list)[index + step], ['id']);
  if (isInDag || typeof id !== 'string') return undefined;
  return { at: step === -1 ? 'before' : 'after', part: { kind: part.kind, id } };
}

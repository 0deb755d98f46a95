import type { Flow, Task } from '@millrace/contract';
import { flowLists, type PlacedList, placedChildren } from './children.ts';
import { type Candidate, matchRenamed } from './matchRenamed.ts';
import { formatPath, type Path } from './path.ts';
import { type Renames, renameReferences } from './renameReferences.ts';

/** A part of a flow that has an id. */
export type FlowPart = 'task' | 'trigger' | 'input' | 'output';

export interface PropertyChange {
  /** Relative to the part, or to the flow: `retry.maxAttempts`. */
  readonly path: string;
  /** Undefined when the property was not there. */
  readonly before: unknown;
  /** Undefined when the property is gone. */
  readonly after: unknown;
}

/** The container and the list that a task is in; without an id, a list of the flow itself. */
export interface TaskPlace {
  readonly parent?: string;
  readonly branch: string;
}

export type FlowChange =
  | {
      readonly kind: 'added' | 'removed';
      readonly part: FlowPart;
      readonly id: string;
      readonly place?: TaskPlace;
    }
  | { readonly kind: 'renamed'; readonly part: FlowPart; readonly id: string; readonly before: string }
  | {
      readonly kind: 'moved';
      readonly part: 'task';
      readonly id: string;
      readonly from: TaskPlace;
      readonly to: TaskPlace;
      /** The task that it follows now. */
      readonly after?: string;
      /** Its id before, when it has another one now. */
      readonly before?: string;
    }
  | {
      readonly kind: 'changed';
      readonly part: FlowPart;
      readonly id: string;
      readonly properties: readonly PropertyChange[];
    }
  | { readonly kind: 'flow'; readonly property: PropertyChange };

/**
 * What the author did between two revisions: tasks added, removed, renamed, moved and changed, and the same for
 * triggers, inputs and outputs. Expressions that only follow a rename are no change.
 */
export function diffFlows(before: Flow, after: Flow): FlowChange[] {
  const [old, fresh] = [readTasks(before), readTasks(after)];
  const renames = findRenames(old, fresh);
  const changes: FlowChange[] = [
    ...compareParts('task', old, fresh, renames),
    ...findMoves(old, fresh, renames),
  ];
  for (const [part, list] of listsOfParts) {
    const [left, right] = [readParts(before[list]), readParts(after[list])];
    const partRenames = findRenames(left, right);
    changes.push(...compareParts(part, left, right, partRenames, renames));
  }
  return [...changes, ...diffSettings(before, after, renames)];
}

const listsOfParts = [
  ['trigger', 'triggers'],
  ['input', 'inputs'],
  ['output', 'outputs'],
] as const;

interface Part extends Candidate {
  readonly place?: TaskPlace;
  /** The position in its list. */
  readonly index: number;
}

type Parts = ReadonlyMap<string, Part>;

const childProperties = new Set(['id', 'tasks', 'then', 'else', 'cases', 'defaults', 'errors', 'finally']);

function readTasks(flow: Flow): Parts {
  const found = new Map<string, Part>();
  const walk = (lists: readonly PlacedList[], parent: Task | undefined) => {
    for (const { branch, children } of lists)
      for (const [index, { task }] of children.entries()) {
        const inner = placedChildren(task);
        const held = inner.length > 0 || childrenOf(task);
        const own = Object.entries(task).filter(([name]) =>
          held ? !childProperties.has(name) : name !== 'id',
        );
        const dependsOn = dependenciesOf(parent, task.id);
        found.set(task.id, {
          id: task.id,
          properties: { ...Object.fromEntries(own), ...(dependsOn !== undefined && { dependsOn }) },
          children: inner.flatMap(({ children: tasks }) => tasks.map(({ task: { id } }) => id)),
          place: { branch, ...(parent && { parent: parent.id }) },
          index,
        });
        walk(inner, task);
      }
  };
  walk(flowLists(flow), undefined);
  return found;
}

/** True for a container whose lists are all empty. */
const childrenOf = (task: Task): boolean =>
  [task.tasks, task.then].some((list) => Array.isArray(list) && list.length === 0);

function dependenciesOf(parent: Task | undefined, id: string): unknown {
  const entries: unknown = parent?.tasks;
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { task, dependsOn } = entry as { task?: { id?: unknown }; dependsOn?: unknown };
    if (task?.id === id) return dependsOn;
  }
  return undefined;
}

function readParts(list: unknown): Parts {
  const parts = (Array.isArray(list) ? list : []).flatMap((item: unknown, index): Part[] => {
    if (!isMap(item) || typeof item.id !== 'string') return [];
    const { id, ...properties } = item;
    return [{ id, properties, children: [], index }];
  });
  return new Map(parts.map((part) => [part.id, part]));
}

function findRenames(old: Parts, fresh: Parts): Renames {
  const gone = [...old.values()].filter(({ id }) => !fresh.has(id));
  const came = [...fresh.values()].filter(({ id }) => !old.has(id));
  return matchRenamed(gone, came, isAtSamePlace);
}

const isAtSamePlace = (a: Part, b: Part, renames: Renames): boolean =>
  a.index === b.index &&
  a.place?.branch === b.place?.branch &&
  (renames.get(a.place?.parent ?? '') ?? a.place?.parent) === b.place?.parent;

function compareParts(
  part: FlowPart,
  old: Parts,
  fresh: Parts,
  renames: Renames,
  taskRenames: Renames = renames,
): FlowChange[] {
  const oldIds = new Map([...renames].map(([before, id]) => [id, before]));
  const changes: FlowChange[] = [];
  for (const { id, place } of old.values())
    if (!fresh.has(id) && !renames.has(id))
      changes.push({ kind: 'removed', part, id, ...(place && { place }) });
  for (const { id, properties, place } of fresh.values()) {
    const renamed = old.has(id) ? undefined : oldIds.get(id);
    const known = old.get(renamed ?? id);
    if (!known) {
      changes.push({ kind: 'added', part, id, ...(place && { place }) });
      continue;
    }
    if (renamed !== undefined) changes.push({ kind: 'renamed', part, id, before: renamed });
    const changed = diffValues(renameIn(known.properties, taskRenames), properties);
    if (changed.length > 0) changes.push({ kind: 'changed', part, id, properties: changed });
  }
  return changes;
}

/** Tasks in another list, and the fewest tasks whose move explains the new order of a list. */
function findMoves(old: Parts, fresh: Parts, renames: Renames): FlowChange[] {
  const nameOf = (id: string) => renames.get(id) ?? id;
  const changes: FlowChange[] = [];
  const lists = new Map<string, { id: string; before: Part }[]>();
  const siblings = new Map<string, string[]>();
  for (const part of fresh.values()) {
    const key = keyOf(part.place);
    siblings.set(key, [...(siblings.get(key) ?? []), part.id]);
  }
  const moved = (id: string, before: Part) => {
    const to = fresh.get(id)?.place ?? { branch: '' };
    const list = siblings.get(keyOf(to)) ?? [];
    const previous = list[list.indexOf(id) - 1];
    const from = before.place ?? { branch: '' };
    changes.push({
      kind: 'moved',
      part: 'task',
      id,
      from,
      to,
      ...(previous !== undefined && { after: previous }),
      ...(before.id !== id && { before: before.id }),
    });
  };
  for (const before of old.values()) {
    const id = nameOf(before.id);
    const now = fresh.get(id);
    if (!now) continue;
    const parent = before.place?.parent;
    const from = keyOf({
      ...before.place,
      branch: before.place?.branch ?? '',
      ...(parent && { parent: nameOf(parent) }),
    });
    if (from === keyOf(now.place)) lists.set(from, [...(lists.get(from) ?? []), { id, before }]);
    else moved(id, before);
  }
  for (const stayed of lists.values()) {
    const kept = longestIncreasing(stayed.map(({ id }) => fresh.get(id)?.index ?? 0));
    for (const [at, { id, before }] of stayed.entries()) if (!kept.has(at)) moved(id, before);
  }
  return changes;
}

const keyOf = (place: TaskPlace | undefined): string => `${place?.parent ?? ''}\n${place?.branch ?? ''}`;

/** The positions of a longest increasing run of the numbers. */
function longestIncreasing(numbers: readonly number[]): ReadonlySet<number> {
  const previous: number[] = [];
  const ends: number[] = [];
  for (const [at, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  }
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) kept.add(at);
  return kept;
}

const comparedElsewhere = new Set([
  'id',
  'tenantId',
  'revision',
  'deleted',
  'tasks',
  'errors',
  'finally',
  'afterExecution',
  'triggers',
  'inputs',
  'outputs',
]);

function diffSettings(before: Flow, after: Flow, renames: Renames): FlowChange[] {
  const settings = (flow: Flow) =>
    Object.fromEntries(Object.entries(flow).filter(([name]) => !comparedElsewhere.has(name)));
  return diffValues(renameIn(settings(before), renames), settings(after)).map((property) => ({
    kind: 'flow',
    property,
  }));
}

function renameIn(value: unknown, renames: Renames): unknown {
  if (renames.size === 0) return value;
  if (typeof value === 'string') return renameReferences(value, renames);
  if (Array.isArray(value)) return value.map((item) => renameIn(item, renames));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'dependsOn' && Array.isArray(item)
        ? item.map((id) => renames.get(String(id)) ?? id)
        : renameIn(item, renames),
    ]),
  );
}

/** The innermost properties that differ; a list counts as one value. */
function diffValues(before: unknown, after: unknown, path: Path = []): PropertyChange[] {
  if (isSameData(before, after)) return [];
  if (!isMap(before) || !isMap(after)) return [{ path: formatPath(path), before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => diffValues(before[name], after[name], [...path, name]));
}

function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameData(item, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  const present = (map: Readonly<Record<string, unknown>>) =>
    Object.keys(map).filter((name) => map[name] !== undefined);
  const names = present(a);
  return names.length === present(b).length && names.every((name) => isSameData(a[name], b[name]));
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

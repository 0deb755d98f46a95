import { type FlowChange, parsePath, renameReferences, type TaskPlace } from '@millrace/engine';
import { editSource, readElementText, valueAt } from '../../forms/source/index.ts';
import {
  type FlowText,
  fill,
  insertElement,
  moveElement,
  type Part,
  placeholder,
  readFlowText,
  removeElement,
  type Slot,
  standingOf,
} from '../../graphEditor/edits/index.ts';

/** The text with one change taken back: the part is as it was in the old text, and everything else stays. */
export function restoreChange(current: string, old: string, change: FlowChange): string | undefined {
  if (change.kind === 'flow') return setProperties(current, [], [change.property]);
  if (change.part === 'input' || change.part === 'output') return restoreEntry(current, old, change);
  const part: Part = { kind: change.part, id: change.id };
  switch (change.kind) {
    case 'added':
      return removeElement(current, part);
    case 'removed':
      return bringBack(current, old, part, change.place);
    case 'changed': {
      const path = readFlowText(current)?.pathOf(part);
      return path && setProperties(current, path, change.properties);
    }
    case 'renamed': {
      const path = readFlowText(current)?.pathOf(part);
      if (!path) return undefined;
      const renamed = editSource(current, { kind: 'set', path: [...path, 'id'], value: change.before });
      return change.part === 'task'
        ? renameReferences(renamed, new Map([[change.id, change.before]]))
        : renamed;
    }
    case 'moved': {
      const before = readFlowText(old);
      const known: Part = { kind: 'task', id: change.before ?? change.id };
      const slot = before && slotOf(before, readFlowText(current), known, change.from);
      return slot && moveElement(current, part, slot);
    }
  }
}

type Properties = Extract<FlowChange, { kind: 'changed' }>['properties'];

function setProperties(source: string, base: readonly (string | number)[], properties: Properties): string {
  return properties.reduce(
    (text, { path, before }) =>
      editSource(text, { kind: 'set', path: [...base, ...(parsePath(path) ?? [])], value: before }),
    source,
  );
}

/** Inserts a removed element as it was written, with its comments. */
function bringBack(
  current: string,
  old: string,
  part: Part,
  place: TaskPlace | undefined,
): string | undefined {
  const before = readFlowText(old);
  const path = before?.pathOf(part);
  if (!before || !path) return undefined;
  const slot: Slot | undefined =
    part.kind === 'trigger'
      ? { at: 'flow', branch: 'triggers' }
      : slotOf(before, readFlowText(current), part, place ?? { branch: 'tasks' });
  const inserted = slot && insertElement(current, slot, placeholder);
  return inserted === undefined
    ? undefined
    : fill(inserted, readElementText(old, path), valueAt(before.data, path));
}

const flowBranches = ['tasks', 'errors', 'finally', 'afterExecution'] as const;

/** Behind the nearest earlier neighbor that is still there, else at the end of the old list. */
function slotOf(before: FlowText, now: FlowText | undefined, part: Part, place: TaskPlace): Slot | undefined {
  const path = before.pathOf(part);
  if (!path || !now) return undefined;
  const { list, index, isInDag } = standingOf(path);
  for (let at = index - 1; at >= 0 && !isInDag; at--) {
    const id = valueAt(before.data, [...list, at, 'id']);
    const neighbor = { kind: 'task', id: String(id) } as const;
    if (typeof id === 'string' && id !== part.id && now.pathOf(neighbor))
      return { at: 'after', part: neighbor };
  }
  const next = valueAt(before.data, [...list, index + 1, 'id']);
  const following = { kind: 'task', id: String(next) } as const;
  if (!isInDag && typeof next === 'string' && now.pathOf(following)) return { at: 'before', part: following };
  const branch = flowBranches.find((name) => name === place.branch);
  if (place.parent === undefined) return branch && { at: 'flow', branch };
  const cases = 'cases.';
  const inside = place.branch.startsWith(cases)
    ? ['cases', place.branch.slice(cases.length)]
    : [place.branch];
  return { at: 'inside', id: place.parent, branch: inside };
}

/** Inputs and outputs are entries of a list of the flow; their order means nothing here. */
function restoreEntry(
  current: string,
  old: string,
  change: Exclude<FlowChange, { kind: 'flow' | 'moved' }>,
): string | undefined {
  const list = change.part === 'input' ? 'inputs' : 'outputs';
  const find = (source: string, id: string) => {
    const items = valueAt(readFlowText(source)?.data, [list]);
    const index = (Array.isArray(items) ? items : []).findIndex((item) => valueAt(item, ['id']) === id);
    return {
      index,
      value: Array.isArray(items) ? items[index] : undefined,
      count: Array.isArray(items) ? items.length : 0,
    };
  };
  const { index, count } = find(current, change.id);
  if (change.kind === 'removed') {
    const { value } = find(old, change.id);
    return editSource(current, { kind: 'insert', path: [list], index: count, value });
  }
  if (index === -1) return undefined;
  if (change.kind === 'added') return editSource(current, { kind: 'set', path: [list, index] });
  if (change.kind === 'changed') return setProperties(current, [list, index], change.properties);
  if (change.kind !== 'renamed') return undefined;
  return editSource(current, { kind: 'set', path: [list, index, 'id'], value: change.before });
}

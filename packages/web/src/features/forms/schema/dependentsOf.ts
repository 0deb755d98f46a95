import { isMap, valueAt } from '../source/edit.ts';

/** The id of a task in a list, and of those in the same list that say they depend on it. */
export function dependentsOf(elements: readonly unknown[], index: number): { id: string; by: string[] } {
  const id = idOf(elements[index]);
  if (id === undefined) return { id: '', by: [] };
  const by = elements.flatMap((element, at) => {
    const dependsOn = isMap(element) ? element.dependsOn : undefined;
    return at !== index && Array.isArray(dependsOn) && dependsOn.includes(id) ? [idOf(element) ?? ''] : [];
  });
  return { id, by };
}

/** In a Dag a task stands below `task`, beside what it depends on. */
function idOf(element: unknown): string | undefined {
  const id = valueAt(element, ['task', 'id']) ?? valueAt(element, ['id']);
  return typeof id === 'string' ? id : undefined;
}

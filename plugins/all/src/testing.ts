import { createCatalogue, type Definition, loadedFamily, type PluginCatalogue } from '@millrace/plugin-kit';
import { families } from './index.ts';

export { exampleProperties } from './testing/exampleProperties.ts';
export { canRun } from './testing/runExample.ts';

/** Every built-in type with its code loaded. */
export const allDefinitions: readonly Definition[] = families.flatMap(({ types }) => types);

export const createFullCatalogue = (): PluginCatalogue => createCatalogue(families.map(loadedFamily));

/** The first types of each group, for behavior that all types of a group share. */
export function firstOfEachGroup<T extends Definition>(
  catalogue: PluginCatalogue,
  types: readonly T[],
  count: number,
): T[] {
  const counts = new Map<unknown, number>();
  return types.filter(({ type }) => {
    const group = catalogue.groupOf(type);
    const before = counts.get(group) ?? 0;
    counts.set(group, before + 1);
    return before < count;
  });
}

import type { Path } from '@millrace/engine';
import { editSource, readYamlData, valueAt } from '../../forms/source/index.ts';
import { itemsAt } from './flowText.ts';

/** The ids that an item of a Dag depends on. */
export const dependenciesOf = (item: unknown): readonly string[] => {
  const dependsOn = valueAt(item, ['dependsOn']);
  return Array.isArray(dependsOn) ? dependsOn.filter((id) => typeof id === 'string') : [];
};

export const dagItemId = (item: unknown): unknown => valueAt(item, ['task', 'id']);

/** Changes what some tasks of a Dag depend on; a list that becomes empty is removed. */
export function editDependencies(
  source: string,
  list: Path,
  change: (id: unknown, dependsOn: readonly string[]) => readonly string[],
): string {
  let text = source;
  for (const [index, item] of itemsAt(readYamlData(source), list).entries()) {
    const before = dependenciesOf(item);
    const after = [...new Set(change(dagItemId(item), before))];
    if (after.join('\n') === before.join('\n')) continue;
    text = editSource(text, {
      kind: 'set',
      path: [...list, index, 'dependsOn'],
      value: after.length > 0 ? after : undefined,
    });
  }
  return text;
}

/** The tasks that depend on one that leaves the Dag depend on its own dependencies instead. */
export const bridge =
  (removed: string, own: readonly string[]) =>
  (_: unknown, dependsOn: readonly string[]): readonly string[] =>
    dependsOn.flatMap((id) => (id === removed ? own : [id]));

import type { Flow } from '@millrace/contract';
import type { PlacedTask } from '../children.ts';
import type { Findings } from '../findings.ts';
import type { Path } from '../path.ts';
import { writtenIndex } from '../written.ts';

/** [E120] Ids of tasks (at any depth), triggers, inputs and outputs are each used once in a flow. */
export function checkUniqueIds(flow: Flow, placed: readonly PlacedTask[], findings: Findings): void {
  const place = (list: string) => (entry: { id: string }, index: number) => ({
    id: entry.id,
    path: [list, writtenIndex(entry, index), 'id'],
  });
  const tasks = placed.map(({ task, path }) => ({ id: task.id, path: [...path, 'id'] }));
  report('task', tasks, findings);
  report('trigger', flow.triggers?.map(place('triggers')), findings);
  report('input', flow.inputs?.map(place('inputs')), findings);
  report('output', flow.outputs?.map(place('outputs')), findings);
}

function report(
  what: string,
  named: readonly { id: string; path: Path }[] | undefined,
  findings: Findings,
): void {
  const seen = new Set<string>();
  const repeated = new Map<string, Path>();
  for (const { id, path } of named ?? []) {
    if (seen.has(id) && !repeated.has(id)) repeated.set(id, path);
    seen.add(id);
  }
  const [first] = repeated.values();
  if (first) findings.flowError(first, `Duplicate ${what} id with name [${[...repeated.keys()].join(', ')}]`);
}

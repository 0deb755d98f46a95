import { controlOf } from '../control/index.ts';
import { type Playground, playgroundOf, type ReusedResult } from '../playground/playgroundFlow.ts';
import { endNode } from './end.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

/** Ends a run of a playground execution with its known outputs. False: the run is not reused and starts normally. */
export function reuseResult(run: Run, node: Node): boolean {
  const playground = playgroundOf(run.execution);
  if (!playground || isChosen(playground, node)) return false;
  const kind = controlOf(node.task.type)?.kind;
  if (kind === 'container' || kind === 'acting') return false;
  const result = resultOf(playground, node.task.id, run.valuesOf(node));
  if (!result) {
    // A loop before the chosen task has a value that it did not have before.
    if (playground.mode === 'upTo') return false;
    run.move(node, 'SKIPPED');
    return true;
  }
  run.move(node, 'RUNNING');
  run.update(node, {
    outputs: result.outputs ?? {},
    ...(result.from === 'pinned' ? { edited: true } : { copied: true }),
  });
  endNode(run, node, 'SUCCESS');
  return true;
}

function isChosen({ taskId }: Playground, node: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) if (at.task.id === taskId) return true;
  return false;
}

const resultOf = ({ results }: Playground, id: string, own: readonly string[]): ReusedResult | undefined =>
  results.find(({ taskId, values }) => taskId === id && (values === undefined || isSame(values, own)));

const isSame = (values: readonly string[], others: readonly string[]): boolean =>
  values.length === others.length && values.every((value, index) => value === others[index]);

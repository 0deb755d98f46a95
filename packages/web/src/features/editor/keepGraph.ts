import type { FlowGraph } from '@millrace/contract';

/**
 * The old graph if the new one would look the same. Most keystrokes change a property that the picture does
 * not show; they then cost no layout and no drawing.
 */
export const keepGraph = (known: FlowGraph | undefined, next: FlowGraph): FlowGraph =>
  known && lookOf(known) === lookOf(next) ? known : next;

const looks = new WeakMap<FlowGraph, string>();

function lookOf(graph: FlowGraph): string {
  let look = looks.get(graph);
  if (look === undefined) {
    look = JSON.stringify([
      graph.nodes.map(({ uid, type, branchType, task, triggerDeclaration }) => {
        const definition = task ?? triggerDeclaration;
        return [uid, type, branchType, definition?.id, definition?.type, definition?.disabled];
      }),
      graph.edges,
      graph.clusters.map(({ cluster, nodes, parents, start, end }) => [
        cluster.uid,
        cluster.branchType,
        nodes,
        parents,
        start,
        end,
      ]),
    ]);
    looks.set(graph, look);
  }
  return look;
}

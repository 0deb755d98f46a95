import type { Flow, FlowGraph } from '@millrace/contract';
import { Artist, type GraphOptions } from './graph/artist.ts';

/** Draws the topology of a flow. The same flow gives the same uids, whatever else is on the screen. */
export function flowGraph(flow: Flow, options: GraphOptions = {}): FlowGraph {
  const artist = new Artist(options);
  const top = { clusters: [], branchType: undefined, values: [], runId: undefined };
  const scope = artist.builder.open('root', top);
  artist.drawFlow(flow, scope);
  return artist.builder.graph;
}

/** Everything that can only happen after a node: what a replay from it must do again. */
export function successors(graph: FlowGraph, uid: string): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const edge of graph.edges) {
    const targets = next.get(edge.source);
    if (targets) targets.push(edge.target);
    else next.set(edge.source, [edge.target]);
  }
  const reached = new Set<string>();
  const open = [uid];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const target of next.get(node) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

export type { GraphOptions } from './graph/artist.ts';
export type { GraphTaskRun } from './graph/runs.ts';

import type { Flow, FlowGraph } from '@millrace/contract';
import { GraphBuilder, type GraphOptions } from './graph/builder.ts';

/** Draws the topology of a flow. The same flow always gives the same uids. */
export function flowGraph(flow: Flow, options: GraphOptions = {}): FlowGraph {
  const builder = new GraphBuilder(options);
  const top = { clusters: [], branchType: undefined, values: [], runId: undefined };
  const scope = builder.builder.open('root', top);
  builder.drawFlow(flow, scope);
  return builder.builder.graph;
}

/** The nodes that can only run after a node: a replay from it runs them again. */
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

export type { GraphOptions } from './graph/builder.ts';
export type { GraphTaskRun } from './graph/runs.ts';

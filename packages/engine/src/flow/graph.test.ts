import { describe, expect, it } from 'vitest';
import { flowGraph, successors } from './graph.ts';
import { parseFlow } from './parseFlow.ts';

const graphOf = (text: string) => {
  const { flow } = parseFlow(text);
  return flowGraph(flow!);
};

const edgesOf = (graph: ReturnType<typeof flowGraph>) =>
  graph.edges.map(({ source, target, relation }) => {
    const short = (uid: string) => uid.replace(/-[0-9a-z]+$/, '');
    const how = [relation.relationType, relation.value].filter((part) => part !== undefined).join(' ');
    return `${short(source)} > ${short(target)}${how ? ` ${how}` : ''}`;
  });

describe('flowGraph', () => {
  it('[E250] draws a parallel as a cluster and triggers as a cluster before the flow', () => {
    const graph = graphOf(`
id: f
namespace: n
tasks:
  - { id: a, type: core.log.Log }
  - { id: p, type: core.flow.Parallel, tasks: [ { id: b, type: core.log.Log }, { id: c, type: core.log.Log } ] }
triggers:
  - { id: t, type: core.trigger.Schedule, cron: "0 2 * * *" }
`);
    expect(edgesOf(graph).toSorted()).toEqual(
      [
        'root.Triggers.root > root.Triggers.t',
        'root.Triggers.t > root.Triggers.end',
        'root.Triggers.end > root.root',
        'root.root > root.a',
        'root.a > root.p.root SEQUENTIAL',
        'root.p.root > root.p',
        'root.p > root.p.b PARALLEL',
        'root.p > root.p.c PARALLEL',
        'root.p.b > root.p.end',
        'root.p.c > root.p.end',
        'root.p.end > root.end',
      ].toSorted(),
    );
    expect(graph.clusters.map(({ cluster, parents }) => [cluster.uid, parents])).toEqual([
      ['cluster_root.Triggers', []],
      ['cluster_root.p', []],
    ]);
  });
});

describe('successors', () => {
  it('[E259] reaches what follows and not what stands beside', () => {
    const graph = graphOf(`
id: f
namespace: n
tasks:
  - id: p
    type: core.flow.Parallel
    tasks: [ { id: b, type: core.log.Log }, { id: c, type: core.log.Log } ]
  - { id: z, type: core.log.Log }
`);
    const after = successors(graph, 'root.p.b');
    expect(after.has('root.z')).toBe(true);
    expect(after.has('root.p.c')).toBe(false);
    expect(after.has('root.p')).toBe(false);
  });
});

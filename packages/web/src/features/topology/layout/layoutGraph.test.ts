import { flowGraph } from '@millrace/engine';
import { describe, expect, test } from 'vitest';
import { aFlow } from '../../../testing/factories.ts';
import { aFlowGraph, type FlowShape, type TaskShape } from '../testing/aFlowGraph.ts';
import { layoutWithDagre } from './dagreLayout.ts';
import { type GraphLayout, metricsFor, type Orientation, type Rectangle } from './layout.ts';
import { layoutGraph } from './layoutGraph.ts';

const metrics = metricsFor(false, 'vertical');
const leaf = (id: string): TaskShape => ({ id });

const shapes: Record<string, FlowShape> = {
  'no task': { tasks: [] },
  'one task': { tasks: [leaf('a')] },
  'a chain': { tasks: [leaf('a'), leaf('b'), leaf('c')] },
  'triggers before the chain': { tasks: [leaf('a')], triggers: ['daily', 'hook'] },
  'parallel branches': { tasks: [{ id: 'p', parallel: [leaf('a'), leaf('b'), leaf('c')] }, leaf('z')] },
  'nested clusters': {
    tasks: [
      {
        id: 'p',
        parallel: [leaf('a'), { id: 'each', series: [leaf('b'), { id: 's', series: [leaf('c')] }] }],
      },
    ],
  },
  'a choice with an empty branch': {
    tasks: [{ id: 'if', choices: { true: [leaf('a'), leaf('b')], false: [] } }],
  },
  'an empty cluster': { tasks: [{ id: 'p', parallel: [] }, leaf('z')] },
  'errors and finally': { tasks: [leaf('a')], errors: [leaf('e'), leaf('f')], finally: [leaf('x')] },
  'errors inside a cluster': { tasks: [{ id: 's', series: [leaf('a'), leaf('b')], errors: [leaf('e')] }] },
  'a dag that is not series-parallel': {
    tasks: [
      {
        id: 'd',
        dag: [
          leaf('a'),
          leaf('b'),
          { id: 'c', after: ['a'] },
          { id: 'd2', after: ['a', 'b'] },
          { id: 'e', after: ['b', 'c'], series: [leaf('inner')] },
        ],
        errors: [leaf('err')],
      },
      leaf('z'),
    ],
  },
};

const orientations: Orientation[] = ['vertical', 'horizontal'];

describe.each(orientations)('%s', (orientation) => {
  test('the triggers of an expanded subflow stand beside the line from its header', () => {
    const calls = (id: string) => ({ id, type: 'core.flow.Subflow', namespace: 'shop', flowId: id });
    const triggers = ['daily', 'hook'].map((id) => ({
      id,
      type: 'core.trigger.Schedule',
      cron: '0 0 * * *',
    }));
    const called = aFlow({ tasks: [calls('inner'), { id: 'z', type: 'core.log.Log' }], triggers });
    const deepest = aFlow({ tasks: [{ id: 'a', type: 'core.log.Log' }], triggers });
    const expanded = new Map([
      ['root.child', called],
      ['root.child.inner', deepest],
    ]);
    const graph = flowGraph(aFlow({ tasks: [calls('child')] }), { expanded });
    const layout = layoutGraph(graph, { orientation, metrics });
    expectSound(layout);
    const boxes = layout.clusters.filter(({ role }) => role === 'triggers');
    expect(boxes).toHaveLength(2);
    const isOfTriggers = ({ edge }: GraphLayout['edges'][number]) => edge.source.includes('.Triggers');
    for (const box of boxes)
      expect(layout.edges.filter((one) => !isOfTriggers(one) && crosses(one.points, box))).toEqual([]);
    // Both lead to what follows the start.
    const ends = layout.edges.filter((one) => isOfTriggers(one) && one.hasArrow);
    expect(ends).toHaveLength(2);
  });

  test.each(Object.entries(shapes))('%s: nothing overlaps and boxes hold their members', (_, shape) => {
    for (const freeLayout of [undefined, layoutWithDagre]) {
      const graph = aFlowGraph(shape);
      const layout = layoutGraph(graph, { orientation, metrics, ...(freeLayout && { freeLayout }) });
      expectSound(layout);
      const drawn = new Set([
        ...layout.nodes.map((n) => n.uid),
        ...layout.clusters.flatMap((c) => c.header?.uid ?? []),
      ]);
      for (const node of graph.nodes)
        if (node.task || node.triggerDeclaration) expect(drawn).toContain(node.uid);
      for (const edge of layout.edges)
        expect(edge.points.every((p) => Number.isFinite(p.x + p.y))).toBe(true);
    }
  });

  test('random flows never overlap', () => {
    const random = seeded(7);
    for (let round = 0; round < 150; round += 1) {
      const shape = { tasks: randomTasks(random, 3), errors: randomTasks(random, 1), triggers: ['t'] };
      expectSound(layoutGraph(aFlowGraph(shape), { orientation, metrics }));
    }
  });
});

test('the line stays on one axis although an error branch stands beside it', () => {
  const { nodes } = layoutGraph(aFlowGraph(shapes['errors and finally']!), {
    orientation: 'vertical',
    metrics,
  });
  const middleOf = (id: string) => {
    const node = nodes.find((n) => n.uid === `root.${id}`)!;
    return node.x + node.width / 2;
  };
  expect(new Set(['root-0', 'a', 'finally-0', 'x', 'end-0'].map(middleOf)).size).toBe(1);
  expect(middleOf('e')).toBeGreaterThan(middleOf('a') + metrics.task.width);
});

test('a task appended at the end moves nothing before it', () => {
  const options = { orientation: 'vertical', metrics } as const;
  const before = layoutGraph(
    aFlowGraph({ tasks: [shapes['nested clusters']!.tasks[0]!, leaf('y')] }),
    options,
  );
  const after = layoutGraph(
    aFlowGraph({ tasks: [shapes['nested clusters']!.tasks[0]!, leaf('y'), leaf('z')] }),
    options,
  );
  for (const node of before.nodes.filter((n) => n.kind === 'task'))
    expect(after.nodes.find((n) => n.uid === node.uid)).toMatchObject({ x: node.x, y: node.y });
});

test('the same graph is drawn the same', () => {
  const graph = aFlowGraph(shapes['a dag that is not series-parallel']!);
  const options = { orientation: 'vertical', metrics } as const;
  expect(layoutGraph(graph, options)).toEqual(layoutGraph(structuredClone(graph), options));
});

test('an empty choice gets its own lane', () => {
  const { edges, nodes } = layoutGraph(aFlowGraph(shapes['a choice with an empty branch']!), {
    orientation: 'vertical',
    metrics,
  });
  const passing = edges.find(
    (edge) => edge.edge.source === 'root.if' && edge.edge.target === 'root.if.end-0',
  )!;
  const lane = passing.points[2]!.x;
  for (const node of nodes.filter((n) => n.kind === 'task'))
    expect(lane < node.x || lane > node.x + node.width).toBe(true);
});

test('a circle of dependencies is drawn rather than followed endlessly', () => {
  const graph = aFlowGraph({ tasks: [leaf('a'), leaf('b'), leaf('c')] });
  graph.edges.push({ source: 'root.c', target: 'root.a', relation: {} });
  const layout = layoutGraph(graph, { orientation: 'vertical', metrics });
  expect(layout.nodes).toHaveLength(5);
});

function expectSound(layout: GraphLayout): void {
  for (const [index, a] of layout.nodes.entries())
    for (const b of layout.nodes.slice(index + 1))
      if (overlaps(a, b)) throw new Error(`${a.uid} overlaps ${b.uid}`);
  for (const cluster of layout.clusters) {
    const path = cluster.uid.replace('cluster_', '');
    for (const other of [...layout.nodes, ...layout.clusters]) {
      if (other.uid === cluster.uid) continue;
      const inside = other.uid.replace('cluster_', '').startsWith(`${path}.`);
      const around = path.startsWith(`${other.uid.replace('cluster_', '')}.`);
      if (inside && !contains(cluster, other)) throw new Error(`${cluster.uid} does not hold ${other.uid}`);
      if (!inside && !around && overlaps(cluster, other))
        throw new Error(`${cluster.uid} overlaps ${other.uid}`);
    }
  }
  for (const rect of [...layout.nodes, ...layout.clusters])
    expect(contains({ x: 0, y: 0, width: layout.width, height: layout.height }, rect)).toBe(true);
}

const slack = 0.001;
const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x + slack < b.x + b.width &&
  b.x + slack < a.x + a.width &&
  a.y + slack < b.y + b.height &&
  b.y + slack < a.y + a.height;
const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  inner.x >= outer.x - slack &&
  inner.y >= outer.y - slack &&
  inner.x + inner.width <= outer.x + outer.width + slack &&
  inner.y + inner.height <= outer.y + outer.height + slack;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

let counter = 0;
function randomTasks(random: () => number, depth: number): TaskShape[] {
  return Array.from({ length: Math.floor(random() * 4) }, () => {
    counter += 1;
    const id = `t${counter}`;
    const kind = depth === 0 ? 0 : Math.floor(random() * 5);
    if (kind === 1) return { id, series: randomTasks(random, depth - 1), errors: randomTasks(random, 0) };
    if (kind === 2) return { id, parallel: randomTasks(random, depth - 1) };
    if (kind === 3)
      return { id, choices: { a: randomTasks(random, depth - 1), b: randomTasks(random, depth - 1) } };
    if (kind === 4) {
      const children = randomTasks(random, depth - 1);
      return {
        id,
        dag: children.map((child, index) => ({
          ...child,
          after: children
            .slice(0, index)
            .filter(() => random() < 0.5)
            .map((other) => other.id),
        })),
      };
    }
    return { id };
  });
}

/** True when a path of right angles enters the rectangle. */
function crosses(points: GraphLayout['edges'][number]['points'], box: Rectangle): boolean {
  return points.slice(1).some((to, index) => {
    const from = points[index]!;
    return (
      Math.max(from.x, to.x) > box.x &&
      Math.min(from.x, to.x) < box.x + box.width &&
      Math.max(from.y, to.y) > box.y &&
      Math.min(from.y, to.y) < box.y + box.height
    );
  });
}

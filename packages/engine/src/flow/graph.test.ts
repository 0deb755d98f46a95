import type { Flow, Task, TaskRun } from '@millrace/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allTasks } from './children.ts';
import { flowGraph, type GraphOptions, successors } from './graph.ts';
import { parseFlow } from './parseFlow.ts';

const log = (id: string): Task => ({ id, type: 'core.log.Log' });
const flow = (tasks: Task[], more: Partial<Flow> = {}): Flow => ({
  id: 'f',
  namespace: 'n',
  revision: 1,
  disabled: false,
  deleted: false,
  tasks,
  ...more,
});

const short = (uid: string) => uid.replace(/-[0-9a-z]+$/, '');
const draw = (drawn: Flow, options?: GraphOptions) => {
  const graph = flowGraph(drawn, options);
  const edges = graph.edges.map(({ source, target, relation }) =>
    [short(source), '>', short(target), relation.relationType, relation.value]
      .filter((part) => part)
      .join(' '),
  );
  return { graph, edges: edges.toSorted() };
};

describe('flowGraph', () => {
  it('[E250] draws a parallel as a cluster, and triggers as a cluster before the flow', () => {
    const triggers = [{ id: 't', type: 'core.trigger.Schedule', cron: '0 2 * * *' }];
    const parallel = { id: 'p', type: 'core.flow.Parallel', tasks: [log('b'), log('c')] };
    const { graph, edges } = draw(flow([log('a'), parallel], { triggers }));
    expect(edges).toEqual(
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
    expect(graph.clusters).toMatchObject([
      { cluster: { uid: 'cluster_root.Triggers', type: 'GraphCluster' }, parents: [] },
      {
        cluster: { uid: 'cluster_root.p', relationType: 'PARALLEL', taskNode: { uid: 'root.p' } },
        parents: [],
        nodes: [
          expect.stringContaining('root.p.root-'),
          'root.p',
          'root.p.b',
          'root.p.c',
          expect.stringContaining('end-'),
        ],
      },
    ]);
    expect(graph.nodes.find((node) => node.uid === 'root.p')?.relationType).toBe('PARALLEL');
  });

  it('[E251] an empty flow goes straight from its root to its end', () => {
    expect(draw(flow([])).edges).toEqual(['root.root > root.end']);
  });

  it.each<[string, Task, string[]]>([
    [
      'If',
      { id: 'c', type: 'core.flow.If', condition: 'x', then: [log('a'), log('b')], else: [log('d')] },
      [
        'root.c > root.c.a CHOICE then',
        'root.c.a > root.c.b SEQUENTIAL',
        'root.c > root.c.d CHOICE else',
        'root.c.b > root.c.end',
        'root.c.d > root.c.end',
      ],
    ],
    [
      'Switch',
      {
        id: 'c',
        type: 'core.flow.Switch',
        value: 'x',
        cases: { one: [log('a')], '2': [] },
        defaults: [log('d')],
      },
      [
        'root.c > root.c.a CHOICE one',
        'root.c > root.c.d CHOICE defaults',
        'root.c.a > root.c.end',
        'root.c.d > root.c.end',
      ],
    ],
    [
      'Dag',
      {
        id: 'c',
        type: 'core.flow.Dag',
        tasks: [
          { task: log('a') },
          { task: log('b'), dependsOn: ['a'] },
          { task: log('d'), dependsOn: ['a'] },
          { task: log('e'), dependsOn: ['b', 'd'] },
        ],
      },
      [
        'root.c > root.c.a PARALLEL',
        'root.c.a > root.c.b PARALLEL',
        'root.c.a > root.c.d PARALLEL',
        'root.c.b > root.c.e PARALLEL',
        'root.c.d > root.c.e PARALLEL',
        'root.c.e > root.c.end',
      ],
    ],
    [
      'ForEach',
      { id: 'c', type: 'core.flow.ForEach', values: ['x'], tasks: [log('a'), log('b')] },
      ['root.c > root.c.a DYNAMIC', 'root.c.a > root.c.b SEQUENTIAL', 'root.c.b > root.c.end'],
    ],
    [
      'EachParallel',
      { id: 'c', type: 'io.kestra.core.tasks.flows.EachParallel', value: ['x'], tasks: [log('a'), log('b')] },
      [
        'root.c > root.c.a DYNAMIC',
        'root.c > root.c.b DYNAMIC',
        'root.c.a > root.c.end',
        'root.c.b > root.c.end',
      ],
    ],
    [
      'ForEachItem',
      { id: 'c', type: 'core.flow.ForEachItem', items: 'x', namespace: 'n', flowId: 'g' },
      [
        'root.c > root.c.c_split DYNAMIC',
        'root.c.c_split > root.c.c_items SEQUENTIAL',
        'root.c.c_items > root.c.c_merge SEQUENTIAL',
        'root.c.c_merge > root.c.end',
      ],
    ],
    [
      'Sequential with errors and finally',
      {
        id: 'c',
        type: 'core.flow.Sequential',
        tasks: [log('a')],
        errors: [log('e'), log('g')],
        finally: [log('z')],
      },
      [
        'root.c > root.c.a SEQUENTIAL',
        'root.c.root > root.c.e ERROR',
        'root.c.e > root.c.g SEQUENTIAL',
        'root.c.a > root.c.finally',
        'root.c.g > root.c.finally',
        'root.c.finally > root.c.z FINALLY',
        'root.c.z > root.c.end',
      ],
    ],
    ['Parallel without tasks', { id: 'c', type: 'core.flow.Parallel', tasks: [] }, ['root.c > root.c.end']],
  ])('[E252] %s', (_, task, inside) => {
    const around = ['root.root > root.c.root', 'root.c.root > root.c', 'root.c.end > root.end'];
    expect(draw(flow([task])).edges).toEqual([...around, ...inside].toSorted());
  });

  it('[E253] a Pause without tasks and a Subflow are single nodes; a Subflow can be expanded', () => {
    const pause = { id: 'p', type: 'core.flow.Pause' };
    const call = { id: 's', type: 'core.flow.Subflow', namespace: 'n', flowId: 'g' };
    const { graph } = draw(flow([pause, call]));
    expect(graph.clusters).toEqual([]);
    expect(graph.nodes.find((node) => node.uid === 'root.s')?.type).toBe('SubflowGraphTask');
    const child = flow([log('x'), { ...call, id: 'deeper' }], { id: 'g' });
    const expanded = draw(flow([call]), {
      expanded: new Map([
        ['root.s', child],
        ['root.s.deeper', flow([log('y')])],
      ]),
    });
    expect(expanded.graph.nodes.map((node) => short(node.uid))).not.toContain('root.s');
    expect(
      expanded.graph.clusters.map(({ cluster, parents }) => [cluster.uid, cluster.type, parents]),
    ).toEqual([
      ['cluster_root.s', 'SubflowGraphCluster', []],
      ['cluster_root.s.deeper', 'SubflowGraphCluster', ['cluster_root.s']],
    ]);
    expect(expanded.edges).toContain('root.s.x > root.s.deeper.root SEQUENTIAL');
  });

  it('[E374] an expanded Subflow shows the triggers of the flow that it calls', () => {
    const call = { id: 's', type: 'core.flow.Subflow', namespace: 'n', flowId: 'g' };
    const child = flow([log('x')], { id: 'g', triggers: [{ id: 'daily', type: 'core.trigger.Schedule' }] });
    const { graph, edges } = draw(flow([call]), { expanded: new Map([['root.s', child]]) });
    expect(graph.nodes.find((node) => node.uid === 'root.s.Triggers.daily')?.type).toBe('GraphTrigger');
    expect(graph.clusters.map(({ cluster, parents }) => [cluster.uid, parents])).toEqual([
      ['cluster_root.s', []],
      ['cluster_root.s.Triggers', ['cluster_root.s']],
    ]);
    expect(edges).toContain('root.s.Triggers.end > root.s.root');
  });

  it('[E254] errors hang on the root, finally and afterExecution stand before the end', () => {
    const { edges, graph } = draw(
      flow([log('a')], { errors: [log('e')], finally: [log('z')], afterExecution: [log('y')] }),
    );
    expect(edges).toEqual(
      [
        'root.root > root.a',
        'root.root > root.e ERROR',
        'root.a > root.finally',
        'root.e > root.finally',
        'root.finally > root.z FINALLY',
        'root.z > root.after-execution',
        'root.after-execution > root.y AFTER_EXECUTION',
        'root.y > root.end',
      ].toSorted(),
    );
    expect(graph.nodes.find((node) => node.uid === 'root.z')?.branchType).toBe('FINALLY');
  });
});

describe('with an execution', () => {
  const state = { current: 'SUCCESS', histories: [], duration: 'PT0S', startDate: '' } as const;
  const run = (id: string, taskId: string, parentTaskRunId?: string, value?: string): TaskRun => ({
    id,
    executionId: 'e',
    namespace: 'n',
    flowId: 'f',
    taskId,
    outputs: null,
    state: { ...state, histories: [] },
    ...(parentTaskRunId && { parentTaskRunId }),
    ...(value && { value }),
  });
  const loop = (more: object): Task => ({
    id: 'each',
    type: 'core.flow.ForEach',
    tasks: [log('a'), log('b')],
    ...more,
  });
  const runs = [run('1', 'each'), run('2', 'a', '1', 'x'), run('3', 'b', '1', 'x'), run('4', 'a', '1', 'y')];

  it('[E255] a sequential loop is unrolled one iteration after the other', () => {
    const { edges, graph } = draw(flow([loop({})]), { taskRuns: runs });
    expect(edges).toEqual(
      [
        'root.root > root.each.root',
        'root.each.root > root.each',
        'root.each > root.each.a_x DYNAMIC x',
        'root.each.a_x > root.each.b_x SEQUENTIAL',
        'root.each.b_x > root.each.a_y DYNAMIC y',
        'root.each.a_y > root.each.b_y SEQUENTIAL',
        'root.each.b_y > root.each.end',
        'root.each.end > root.end',
      ].toSorted(),
    );
    expect(graph.nodes.find((node) => node.uid === 'root.each.a_y')).toMatchObject({
      taskRun: { id: '4' },
      values: ['y'],
    });
    expect(graph.nodes.find((node) => node.uid === 'root.each.b_y')?.taskRun).toBeUndefined();
  });

  it('[E255] a concurrent loop is unrolled side by side', () => {
    const { graph } = draw(flow([loop({ concurrencyLimit: 0 }), log('after')]), { taskRuns: runs });
    const after = successors(graph, 'root.each.a_x');
    expect([after.has('root.each.b_x'), after.has('root.each.a_y'), after.has('root.after')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('[E255] a folded loop is drawn once; only tasks outside of it have a task run', () => {
    const { edges, graph } = draw(flow([loop({})]), { taskRuns: runs, fold: true });
    expect(edges).toContain('root.each > root.each.a DYNAMIC');
    const runOf = (uid: string) => graph.nodes.find((node) => node.uid === uid)?.taskRun?.id;
    expect(['root.each', 'root.each.a', 'root.each.b'].map(runOf)).toEqual(['1', undefined, undefined]);
    expect(graph.nodes).toHaveLength(draw(flow([loop({})])).graph.nodes.length);
  });

  it('[E256] tasks show only their shape', () => {
    const { graph } = draw(flow([{ ...log('a'), message: 'secret' }]), { taskRuns: [] });
    expect(graph.nodes.find((node) => node.uid === 'root.a')?.task).toEqual({
      id: 'a',
      type: 'core.log.Log',
    });
  });
});

describe('successors', () => {
  it('[E259] are what follows, not what stands beside or around', () => {
    const parallel = { id: 'p', type: 'core.flow.Parallel', tasks: [log('b'), log('c')] };
    const after = successors(flowGraph(flow([parallel, log('z')])), 'root.p.b');
    expect([after.has('root.z'), after.has('root.p.c'), after.has('root.p')]).toEqual([true, false, false]);
  });
});

/** Any nesting of control tasks; ids are given afterwards so that each is used once. */
const shapes = fc.letrec<{ task: Task; list: Task[] }>((tie) => ({
  list: fc.array(tie('task'), { minLength: 1, maxLength: 3 }),
  task: fc.oneof(
    { depthSize: 'small' },
    fc.constant(log('')),
    tie('list').map((tasks) => ({ id: '', type: 'core.flow.Sequential', tasks })),
    fc
      .tuple(tie('list'), tie('list'))
      .map(([tasks, errors]) => ({ id: '', type: 'core.flow.Parallel', tasks, errors })),
    fc
      .tuple(tie('list'), tie('list'))
      .map(([then, other]) => ({ id: '', type: 'core.flow.If', then, else: other })),
    fc
      .tuple(tie('list'), tie('list'))
      .map(([one, defaults]) => ({ id: '', type: 'core.flow.Switch', cases: { one }, defaults })),
    tie('list').map((tasks) => ({
      id: '',
      type: 'core.flow.ForEach',
      values: [],
      tasks,
      finally: [log('')],
    })),
    tie('list').map((tasks) => ({ id: '', type: 'core.flow.Dag', tasks: tasks.map((task) => ({ task })) })),
    tie('list').map((tasks) => ({ id: '', type: 'core.flow.Pause', tasks })),
  ),
}));

function nameAll(value: unknown, counter = { next: 0 }): unknown {
  if (Array.isArray(value)) return value.map((item) => nameAll(item, counter));
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'id' ? `t${counter.next++}` : nameAll(inner, counter),
  ]);
  return Object.fromEntries(named);
}

it('[E257] the graph of any flow has every task once, reaches it from the root and leads to the end', () => {
  fc.assert(
    fc.property(fc.array(shapes.task, { minLength: 1, maxLength: 4 }), (shape) => {
      const source = JSON.stringify({ id: 'f', namespace: 'n', tasks: nameAll(shape) });
      const parsed = parseFlow(source);
      expect(parsed.issues).toEqual([]);
      const graph = flowGraph(parsed.flow!);
      const drawn = graph.nodes.flatMap((node) => (node.task ? [node.task.id] : []));
      expect(drawn.toSorted()).toEqual(
        allTasks(parsed.flow!)
          .map((task) => task.id)
          .toSorted(),
      );
      expect(new Set(graph.nodes.map((node) => node.uid)).size).toBe(graph.nodes.length);
      const root = graph.nodes[0]!.uid;
      expect(successors(graph, root).size).toBe(graph.nodes.length - 1);
      const end = graph.nodes.find((node) => /^root\.end-/.test(node.uid))!.uid;
      for (const node of graph.nodes)
        if (node.uid !== end) expect(successors(graph, node.uid).has(end)).toBe(true);
      expect(flowGraph(parsed.flow!)).toEqual(graph);
    }),
    { numRuns: 100 },
  );
});

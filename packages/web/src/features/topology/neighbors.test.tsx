import { describe, expect, it } from 'vitest';
import { svgOf } from './export/svgOf.ts';
import { factsOf } from './Facts.tsx';
import { metricsFor } from './layout/layout.ts';
import { layoutGraph } from './layout/layoutGraph.ts';
import { neighborOf } from './neighborOf.ts';
import { findNodes } from './TopologySearch.tsx';
import { aFlowGraph } from './testing/aFlowGraph.ts';

const graph = aFlowGraph({
  tasks: [{ id: 'extract' }, { id: 'decide', choices: { yes: [{ id: 'load' }], no: [{ id: 'skip' }] } }],
  errors: [{ id: 'alert<&>' }],
});
const layout = layoutGraph(graph, { orientation: 'vertical', metrics: metricsFor(false, 'vertical') });

describe('finding the way in a graph', () => {
  it('arrow keys lead to the nearest task in their direction, and to headers of containers', () => {
    const way = (from: string, ...keys: ('ArrowDown' | 'ArrowRight' | 'ArrowUp' | 'ArrowLeft')[]) =>
      keys.reduce((uid, key) => neighborOf(layout, uid, key) ?? uid, from);
    expect(way('root.extract', 'ArrowDown')).toBe('cluster_root.decide');
    expect(way('root.extract', 'ArrowDown', 'ArrowDown', 'ArrowRight')).toBe('root.decide.skip');
    expect(way('root.decide.skip', 'ArrowLeft')).toBe('root.decide.load');
    expect(way('root.extract', 'ArrowUp')).toBe('root.extract');
    expect(way('nothing', 'ArrowDown')).toBe('cluster_root.decide');
  });

  it('the search finds tasks by every word of id or type, exact beginnings first', () => {
    expect(findNodes(layout, 'log SK')).toEqual(['root.decide.skip']);
    expect(findNodes(layout, 'e')[0]).toBe('root.extract');
    expect(findNodes(layout, ' ')).toEqual([]);
  });
});

describe('the facts of a node', () => {
  const task = (properties: object) =>
    factsOf({ uid: 'x', type: 'GraphTask', task: { id: 'x', type: 'core.log.Log', ...properties } }).map(
      ({ kind, text }) => `${kind} ${text}`,
    );
  it.each([
    [{ runIf: '{{ inputs.a }}' }, ['condition inputs.a']],
    [
      { retry: { type: 'constant', interval: 'PT10S', maxAttempts: 3 }, timeout: 'PT1M' },
      ['retry 3 × PT10S', 'timeout PT1M'],
    ],
    [{ type: 'core.flow.ForEach', values: ['a', 'b'], concurrencyLimit: 2 }, ['loop × 2', 'concurrency 2']],
    [{ type: 'io.kestra.plugin.core.flow.Switch', value: '{{ a }}' }, ['condition a']],
    [{ allowFailure: true, retry: {} }, ['retry retry', 'allowFailure allowFailure']],
    [{}, []],
  ])('of %j', (properties, facts) => expect(task(properties)).toEqual(facts));

  it('of a trigger are its schedule', () => {
    const triggerDeclaration = { id: 't', type: 'core.trigger.Schedule', cron: '0 9 * * *' };
    expect(factsOf({ uid: 't', type: 'GraphTrigger', triggerDeclaration })).toEqual([
      { kind: 'schedule', text: '0 9 * * *' },
    ]);
  });
});

it('an exported picture has every task with its retry, and escapes its texts', () => {
  const palette = Object.fromEntries(
    ['page', 'surface', 'border', 'line', 'text', 'muted', 'box', 'error', 'late'].map((name) => [
      name,
      '#000',
    ]),
  ) as unknown as Parameters<typeof svgOf>[0]['palette']; // The nine names are those of the type.
  const tried = layout.nodes.map((placed) => {
    const { task } = placed.node;
    if (task?.id !== 'extract') return placed;
    return { ...placed, node: { ...placed.node, task: { ...task, retry: { maxAttempts: 3 } } } };
  });
  const { svg, width } = svgOf({
    layout: { ...layout, nodes: tried },
    orientation: 'vertical',
    palette,
    iconOf: () => undefined,
    stateColorOf: () => undefined,
    words: { triggers: 'Triggers', finally: 'Finally', afterExecution: 'After', onError: 'on error' },
  });
  expect(width).toBeGreaterThan(layout.width);
  for (const text of [
    'extract',
    'decide',
    'load',
    'skip',
    'alert&lt;&amp;&gt;',
    'on error',
    'yes',
    'log.Log · 3 ×',
  ])
    expect(svg).toContain(`>${text}<`);
  expect(new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')).toBeNull();
});

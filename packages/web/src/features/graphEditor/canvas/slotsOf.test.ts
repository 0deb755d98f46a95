import { flowGraph, parseFlow } from '@millrace/engine';
import { expect, it } from 'vitest';
import { metricsFor } from '../../topology/layout/layout.ts';
import { layoutGraph } from '../../topology/layout/layoutGraph.ts';
import { readFlowText } from '../edits/flowText.ts';
import { insertElement, resolve } from '../edits/graphEdits.ts';
import { rankTypes, withRecent } from '../TypePalette.tsx';
import { slotsOf } from './slotsOf.ts';

const source = `id: f
namespace: n
tasks:
  - { id: a, type: core.log.Log }
  - id: p
    type: core.flow.Parallel
    tasks:
      - id: b
        type: core.log.Log
  - id: empty
    type: core.flow.If
    condition: x
  - id: dag
    type: core.flow.Dag
    tasks:
      - task:
          id: d1
          type: core.log.Log
      - task:
          id: d2
          type: core.log.Log
        dependsOn: [d1]
    errors:
      - id: in_error
        type: core.log.Log
  - id: items
    type: core.flow.ForEachItem
    items: x
errors:
  - id: e
    type: core.log.Log
finally:
  - id: z
    type: core.log.Log
triggers:
  - id: t
    type: core.trigger.Schedule
    cron: "0 9 * * *"
`;

it('A-5.1 every edge of a flow has a slot, also the ways into containers, and each slot has a place in the text', () => {
  const graph = flowGraph(parseFlow(source).flow!);
  const layout = layoutGraph(graph, { orientation: 'vertical', metrics: metricsFor(false, 'vertical') });
  const slots = slotsOf(graph, layout).map(({ slot }) => slot);
  const short = slots.map((slot) => {
    if (slot.at === 'link') return `${slot.from ?? ''}>${slot.to ?? ''}`;
    if (slot.at === 'inside') return `inside ${slot.id}.${slot.branch.join('.')}`;
    return slot.at === 'flow' ? slot.branch : `${slot.at} ${slot.part.id}`;
  });
  const wanted = [
    'before a',
    'before p',
    'before b',
    'after b',
    'before empty',
    'inside empty.then',
    'before dag',
  ];
  const linked = ['>d1', 'd1>d2', 'd2>', 'before in_error', 'after in_error', 'before items', 'after items'];
  expect(short.toSorted()).toEqual(
    [...wanted, ...linked, 'before e', 'after e', 'before z', 'after z'].toSorted(),
  );
  const text = readFlowText(source)!;
  for (const slot of slots) {
    expect(resolve(text, slot)).toBeDefined();
    const changed = insertElement(source, slot, { id: 'new', type: 'core.log.Log' });
    expect(
      parseFlow(changed ?? '').flow &&
        flowGraph(parseFlow(changed ?? '').flow!).nodes.some((node) => node.task?.id === 'new'),
    ).toBe(true);
  }
});

it('an empty flow has one slot', () => {
  const graph = flowGraph(parseFlow('id: f\nnamespace: n\ntasks: []\n').flow!);
  const layout = layoutGraph(graph, { orientation: 'vertical', metrics: metricsFor(false, 'vertical') });
  expect(slotsOf(graph, layout).map(({ slot }) => slot)).toEqual([{ at: 'flow', branch: 'tasks' }]);
});

it('A-5.2 the palette offers recently used types first, then those whose name fits best', () => {
  const types = new Map([
    ['core.log.Log', 'Writes lines'],
    ['core.log.Fetch', 'Reads log lines'],
    ['aws.logs.Query', 'Queries'],
    ['azure.function.HttpFunction', 'Call an Azure function'],
    ['core.http.Request', 'Send an HTTP request'],
  ]);
  expect(rankTypes(types, 'http', []).others[0]?.type).toBe('core.http.Request');
  const ranked = rankTypes(types, 'log', ['core.log.Fetch', 'gone.Type']);
  expect(ranked.recent.map(({ type }) => type)).toEqual(['core.log.Fetch']);
  expect(ranked.others.map(({ type }) => type)).toEqual(['core.log.Log', 'aws.logs.Query']);
  expect(rankTypes(types, 'send http', []).others).toEqual([
    { type: 'core.http.Request', title: 'Send an HTTP request' },
  ]);
  expect(withRecent(['a', 'b'], 'b')).toEqual(['b', 'a']);
});

import type { Flow, TriggerDefinition } from '@millrace/contract';
import { expect, it } from 'vitest';
import { dependenciesBetween, flowDependencies } from './dependencies.ts';

const flow = (id: string, more: Partial<Flow> = {}): Flow => ({
  id,
  namespace: 'n.a',
  revision: 1,
  disabled: false,
  deleted: false,
  tasks: [{ id: 't', type: 'core.log.Log' }],
  ...more,
});
const listening = (rest: object): { triggers: TriggerDefinition[] } => ({
  triggers: [{ id: 'on', type: 'core.trigger.Flow', ...rest }],
});
const show = (list: ReturnType<typeof flowDependencies>) =>
  list.map(({ source, target, relation }) => `${source.id} ${relation} ${target.id}`);

it('[E270] calls are edges, wherever the task stands', () => {
  const call = { id: 's', type: 'core.flow.Subflow', namespace: 'n.a', flowId: 'b' };
  const a = flow('a', {
    tasks: [{ id: 'p', type: 'core.flow.Parallel', tasks: [call, { ...call, id: 's2' }] }],
  });
  const dynamic = flow('c', { tasks: [{ ...call, flowId: '{{ x }}' }] });
  expect(show(flowDependencies([a, flow('b'), dynamic]))).toEqual(['a FLOW_TASK b']);
});

it.each<[string, object, string[]]>([
  [
    'a flow by name',
    { conditions: [{ type: 'core.condition.ExecutionFlow', namespace: 'n.a', flowId: 'b' }] },
    ['b'],
  ],
  [
    'a namespace',
    { conditions: [{ type: 'core.condition.ExecutionNamespace', namespace: 'n', prefix: true }] },
    ['b', 'c'],
  ],
  [
    'a namespace but not one flow',
    {
      conditions: [
        { type: 'core.condition.ExecutionNamespace', namespace: 'n.a' },
        {
          type: 'core.condition.Not',
          conditions: [{ type: 'core.condition.ExecutionFlow', namespace: 'n.a', flowId: 'b' }],
        },
      ],
    },
    ['c'],
  ],
  ['preconditions', { preconditions: { id: 'p', flows: [{ namespace: 'n.a', flowId: 'c' }] } }, ['c']],
  [
    'filters',
    {
      preconditions: {
        id: 'p',
        where: [{ id: 'w', filters: [{ field: 'FLOW_ID', type: 'IN', values: ['b', 'z'] }] }],
      },
    },
    ['b'],
  ],
  [
    'a multiple condition',
    {
      conditions: [
        {
          type: 'core.condition.MultipleCondition',
          conditions: {
            x: { type: 'core.condition.ExecutionFlow', namespace: 'n.a', flowId: 'b' },
            y: { type: 'core.condition.ExecutionFlow', namespace: 'n.a', flowId: 'c' },
          },
        },
      ],
    },
    ['b', 'c'],
  ],
  ['everything', { conditions: [{ type: 'core.condition.ExecutionStatus', in: ['FAILED'] }] }, []],
])('[E271] listening to %s', (_, rest, sources) => {
  const down = flow('down', listening(rest));
  expect(show(flowDependencies([down, flow('b'), flow('c')]))).toEqual(
    sources.map((id) => `${id} FLOW_TRIGGER down`),
  );
  expect(show(dependenciesBetween(flow('b'), [down]))).toEqual(
    sources.includes('b') ? ['b FLOW_TRIGGER down'] : [],
  );
});

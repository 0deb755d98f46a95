import type { TriggerDefinition } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import type { ConditionContext, ConditionExecution } from '../conditions/context.ts';
import { evaluateFlowTrigger, type WindowState } from './flowTrigger.ts';
import { requireZone } from './nextDate.ts';
import { windowAt } from './windows.ts';

const at = (text: string): number => Date.parse(text);
const utc = requireZone('UTC');
const context: ConditionContext = {
  variables: {},
  host: { now: () => 0, random: () => 0, id: () => 'id' },
  zone: utc,
  flow: { namespace: 'n', id: 'down' },
};
const execution = (flowId: string, more: Partial<ConditionExecution> = {}): ConditionExecution => ({
  id: `e-${flowId}`,
  namespace: 'n',
  flowId,
  flowRevision: 1,
  state: 'SUCCESS',
  labels: [],
  outputs: { [flowId]: 1 },
  ...more,
});
const trigger = (more: object = {}): TriggerDefinition => ({ id: 't', type: 'core.trigger.Flow', ...more });

class Memory {
  readonly rows = new Map<string, WindowState>();
  async change(definition: TriggerDefinition, changed: ConditionExecution, now = at('2025-03-01T10:00:00Z')) {
    const decision = await evaluateFlowTrigger(definition, changed, this.rows, now, context);
    for (const [id, row] of decision.windows) {
      if (row) this.rows.set(id, row);
      else this.rows.delete(id);
    }
    return decision.fire?.variables;
  }
}

describe('evaluateFlowTrigger', () => {
  it('[E312] fires for the final states of other flows, with what it knows of the execution', async () => {
    const memory = new Memory();
    expect(await memory.change(trigger(), execution('up'))).toEqual({
      executionId: 'e-up',
      namespace: 'n',
      flowId: 'up',
      flowRevision: 1,
      state: 'SUCCESS',
      outputs: { up: 1 },
    });
    expect(await memory.change(trigger(), execution('up', { state: 'RUNNING' }))).toBeUndefined();
    expect(
      await memory.change(trigger({ states: ['RUNNING'] }), execution('up', { state: 'RUNNING' })),
    ).toBeDefined();
    expect(
      await memory.change(trigger({ states: ['CREATED'] }), execution('up', { state: 'CREATED' })),
    ).toBeUndefined();
    expect(await memory.change(trigger(), execution('down'))).toBeUndefined();
    expect(await memory.change(trigger({ disabled: true }), execution('up'))).toBeUndefined();
  });

  it('[E312] all of its conditions must hold', async () => {
    const only = trigger({
      conditions: [{ type: 'core.condition.ExecutionFlow', namespace: 'n', flowId: 'up' }],
    });
    expect(await new Memory().change(only, execution('up'))).toBeDefined();
    expect(await new Memory().change(only, execution('other'))).toBeUndefined();
  });

  const both = (more: object = {}) =>
    trigger({
      preconditions: {
        id: 'both',
        flows: [
          { namespace: 'n', flowId: 'a', states: ['SUCCESS'] },
          { namespace: 'n', flowId: 'b' },
        ],
        ...more,
      },
    });

  it('[E311] waits until each precondition was true in one window, and remembers the outputs', async () => {
    const memory = new Memory();
    expect(await memory.change(both(), execution('a', { state: 'FAILED' }))).toBeUndefined();
    expect(await memory.change(both(), execution('a'))).toBeUndefined();
    expect(await memory.change(both(), execution('a'))).toBeUndefined();
    expect(await memory.change(both(), execution('b'))).toMatchObject({ outputs: { a: 1, b: 1 } });
    expect(memory.rows.size).toBe(0);
    expect(await memory.change(both(), execution('b'))).toBeUndefined();
  });

  it('[E311] without a reset each further event in the window fires again', async () => {
    const memory = new Memory();
    const keeping = both({ resetOnSuccess: false });
    await memory.change(keeping, execution('a'));
    expect(await memory.change(keeping, execution('b'))).toBeDefined();
    expect(await memory.change(keeping, execution('a'))).toBeDefined();
    expect(await memory.change(keeping, execution('other'))).toBeUndefined();
  });

  it('[E311] a window that has ended does not count', async () => {
    const memory = new Memory();
    await memory.change(both(), execution('a'), at('2025-03-01T10:00:00Z'));
    expect(await memory.change(both(), execution('b'), at('2025-03-02T10:00:00Z'))).toBeUndefined();
  });

  it('[E311] a MultipleCondition is the older form of the same', async () => {
    const memory = new Memory();
    const multiple = trigger({
      conditions: [
        {
          type: 'core.condition.MultipleCondition',
          id: 'm',
          window: 'P1D',
          conditions: {
            one: { type: 'core.condition.ExecutionFlow', namespace: 'n', flowId: 'a' },
            two: { type: 'core.condition.ExecutionFlow', namespace: 'n', flowId: 'b' },
          },
        },
      ],
    });
    expect(await memory.change(multiple, execution('b'))).toBeUndefined();
    expect(await memory.change(multiple, execution('a'))).toBeDefined();
  });

  it.each([
    [{ field: 'FLOW_ID', type: 'EQUAL_TO', value: 'a' }, true],
    [{ field: 'FLOW_ID', type: 'NOT_EQUAL_TO', value: 'a' }, false],
    [{ field: 'FLOW_ID', type: 'IN', values: ['a', 'b'] }, true],
    [{ field: 'FLOW_ID', type: 'NOT_IN', values: ['b'] }, true],
    [{ field: 'NAMESPACE', type: 'STARTS_WITH', value: 'n' }, true],
    [{ field: 'NAMESPACE', type: 'ENDS_WITH', value: 'x' }, false],
    [{ field: 'STATE', type: 'REGEX', value: 'SUC.*' }, true],
    [{ field: 'STATE', type: 'REGEX', value: 'SUC' }, false],
    [{ field: 'STATE', type: 'CONTAINS', value: 'CESS' }, true],
    [{ field: 'EXPRESSION', type: 'IS_TRUE', value: '{{ 1 == 1 }}' }, true],
    [{ field: 'EXPRESSION', type: 'IS_FALSE', value: '{{ 1 == 1 }}' }, false],
    [{ field: 'EXPRESSION', type: 'IS_NULL', value: '{{ null }}' }, true],
    [{ field: 'EXPRESSION', type: 'IS_NOT_NULL', value: '{{ null }}' }, false],
  ])('[E313] the filter %j gives %s', async (filter, expected) => {
    const where = [{ id: 'w', filters: [filter] }];
    const fired = await new Memory().change(trigger({ preconditions: { id: 'p', where } }), execution('a'));
    expect(fired !== undefined).toBe(expected);
  });

  it('[E313] the filters of a group are joined by its operand', async () => {
    const filters = [
      { field: 'FLOW_ID', type: 'EQUAL_TO', value: 'a' },
      { field: 'FLOW_ID', type: 'EQUAL_TO', value: 'b' },
    ];
    const fires = async (operand: string) =>
      (await new Memory().change(
        trigger({ preconditions: { id: 'p', where: [{ id: 'w', operand, filters }] } }),
        execution('a'),
      )) !== undefined;
    expect(await fires('OR')).toBe(true);
    expect(await fires('AND')).toBe(false);
  });
});

describe('windowAt', () => {
  const show = (window: ReturnType<typeof windowAt>) =>
    window && [new Date(window.start).toISOString(), new Date(window.end).toISOString()];
  it.each([
    [undefined, '2025-03-01T10:20:00Z', ['2025-03-01T00:00:00.000Z', '2025-03-01T23:59:59.999Z']],
    [{ window: 'PT6H' }, '2025-03-01T10:20:00Z', ['2025-03-01T06:00:00.000Z', '2025-03-01T11:59:59.999Z']],
    [{ window: 'PT15M' }, '2025-03-01T10:20:00Z', ['2025-03-01T10:15:00.000Z', '2025-03-01T10:29:59.999Z']],
    [
      { window: 'P1D', windowAdvance: 'PT6H' },
      '2025-03-01T05:00:00Z',
      ['2025-02-28T06:00:00.000Z', '2025-03-01T05:59:59.999Z'],
    ],
    [
      { type: 'SLIDING_WINDOW', window: 'PT1H' },
      '2025-03-01T10:20:00Z',
      ['2025-03-01T10:20:00.000Z', '2025-03-01T11:20:00.000Z'],
    ],
    [
      { type: 'DAILY_TIME_DEADLINE', deadline: '11:00:00Z' },
      '2025-03-01T10:20:00Z',
      ['2025-03-01T00:00:00.000Z', '2025-03-01T11:00:00.000Z'],
    ],
    [{ type: 'DAILY_TIME_DEADLINE', deadline: '10:00:00' }, '2025-03-01T10:20:00Z', undefined],
    [
      { type: 'DAILY_TIME_WINDOW', startTime: '10:00', endTime: '12:00' },
      '2025-03-01T10:20:00Z',
      ['2025-03-01T10:00:00.000Z', '2025-03-01T12:00:00.000Z'],
    ],
    [
      { type: 'DAILY_TIME_WINDOW', startTime: '22:00', endTime: '02:00' },
      '2025-03-01T01:00:00Z',
      ['2025-02-28T22:00:00.000Z', '2025-03-01T02:00:00.000Z'],
    ],
    [{ type: 'DAILY_TIME_WINDOW', startTime: '12:00', endTime: '13:00' }, '2025-03-01T10:20:00Z', undefined],
  ])('[E310] %j at %s is %j', (written, now, expected) => {
    expect(show(windowAt(written, at(now), utc))).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { requireZone } from '../schedule/nextDate.ts';
import type { Condition, ConditionContext, ConditionExecution } from './context.ts';
import { evaluateCondition } from './evaluateCondition.ts';

const paris = requireZone('Europe/Paris');
const context = (more: Partial<ConditionContext> = {}): ConditionContext => ({
  variables: { trigger: { date: '2025-03-03T09:30:00+01:00', id: 't' }, flow: { id: 'f' } },
  host: {
    now: () => 0,
    random: () => 0,
    id: () => 'id',
    isPublicHoliday: async (date, country) => date === '2025-07-14' && country === 'FR',
  },
  zone: requireZone('UTC'),
  flow: { namespace: 'a.b', id: 'f' },
  ...more,
});
const execution: ConditionExecution = {
  id: 'e',
  namespace: 'shop.orders',
  flowId: 'up',
  flowRevision: 2,
  state: 'FAILED',
  labels: [{ key: 'team', value: 'data' }],
  outputs: { rows: 3 },
  attempts: [['FAILED', 'SUCCESS'], ['SUCCESS']],
};
const evaluate = (condition: Condition, more: Partial<ConditionContext> = {}) =>
  evaluateCondition(condition, context(more));

const monday = { date: { at: Date.parse('2025-03-03T08:30:00Z'), zone: paris } };

describe('conditions about a date', () => {
  it.each<[Omit<Condition, 'type'>, string, boolean]>([
    [{ dayOfWeek: 'MONDAY' }, 'DayWeek', true],
    [{ dayOfWeek: 'TUESDAY' }, 'DayWeek', false],
    [{ dayOfWeek: 'MONDAY', dayInMonth: 'FIRST' }, 'DayWeekInMonth', true],
    [{ dayOfWeek: 'MONDAY', dayInMonth: 'SECOND' }, 'DayWeekInMonth', false],
    [{ dayOfWeek: 'MONDAY', dayInMonth: 'LAST', date: '2025-03-31T00:00:00Z' }, 'DayWeekInMonth', true],
    [{}, 'Weekend', false],
    [{ date: '2025-03-02T23:30:00+01:00' }, 'Weekend', true],
    [{ after: '2025-03-03T08:29:59Z' }, 'DateTimeBetween', true],
    [{ after: '2025-03-03T08:30:00Z' }, 'DateTimeBetween', false],
    [{ after: '2025-03-01T00:00:00Z', before: '2025-03-03T08:30:00Z' }, 'DateTimeBetween', false],
    [{ after: '09:00:00+01:00', before: '10:00:00+01:00' }, 'TimeBetween', true],
    [{ after: '09:00:00Z' }, 'TimeBetween', false],
    [{ before: '09:30:00' }, 'TimeBetween', false],
    [{ country: 'FR' }, 'PublicHoliday', false],
    [{ country: 'FR', date: '2025-07-14' }, 'PublicHoliday', true],
  ])('[E342] %j of %s is %s', async (properties, type, expected) => {
    expect(await evaluate({ type: `core.condition.${type}`, ...properties }, monday)).toBe(expected);
  });

  it('[E342] take the date of the trigger from the variables where no schedule gives it', async () => {
    expect(await evaluate({ type: 'core.condition.DayWeek', dayOfWeek: 'MONDAY' })).toBe(true);
  });
});

describe('conditions about an execution', () => {
  it.each<[string, Omit<Condition, 'type'>, boolean]>([
    ['ExecutionFlow', { namespace: 'shop.orders', flowId: 'up' }, true],
    ['ExecutionFlow', { namespace: 'shop', flowId: 'up' }, false],
    ['ExecutionNamespace', { namespace: 'shop' }, false],
    ['ExecutionNamespace', { namespace: 'shop', prefix: true }, true],
    ['ExecutionNamespace', { namespace: 'orders', comparison: 'SUFFIX' }, true],
    ['ExecutionStatus', { in: ['FAILED', 'WARNING'] }, true],
    ['ExecutionStatus', { notIn: ['FAILED'] }, false],
    ['ExecutionLabels', { labels: { team: 'data' } }, true],
    ['ExecutionLabels', { labels: [{ key: 'team', value: 'web' }] }, false],
    ['ExecutionOutputs', { expression: '{{ trigger.outputs.rows > 2 }}' }, true],
    ['ExecutionOutputs', { expression: '{{ trigger.outputs.rows > 5 }}' }, false],
    ['HasRetryAttempt', { in: ['FAILED'] }, true],
    ['HasRetryAttempt', { in: ['KILLED'] }, false],
    ['FlowCondition', { namespace: 'a.b', flowId: 'f' }, true],
    ['FlowNamespaceCondition', { namespace: 'a', prefix: true }, true],
  ])('[E343] %s %j is %s', async (type, properties, expected) => {
    expect(
      await evaluate({ type: `io.kestra.plugin.core.condition.${type}`, ...properties }, { execution }),
    ).toBe(expected);
  });

  it('[E344] cannot be answered without one', async () => {
    await expect(evaluate({ type: 'core.condition.ExecutionStatus', in: ['FAILED'] })).rejects.toThrow(
      'needs an execution',
    );
  });
});

describe('logic', () => {
  const yes = { type: 'core.condition.Expression', expression: 'true' };
  const no = { type: 'io.kestra.core.models.conditions.types.VariableCondition', expression: '{{ false }}' };
  it.each<[Condition, boolean]>([
    [yes, true],
    [no, false],
    [{ type: 'core.condition.ExpressionCondition', expression: ' ' }, false],
    [{ type: 'core.condition.Not', conditions: [no, no] }, true],
    [{ type: 'core.condition.Not', conditions: [no, yes] }, false],
    [{ type: 'core.condition.OrCondition', conditions: [no, yes] }, true],
    [{ type: 'core.condition.Or', conditions: [no] }, false],
  ])('[E345] %j is %s', async (condition, expected) => {
    expect(await evaluate(condition)).toBe(expected);
  });

  it('[E345] an unknown condition and a failing expression are errors', async () => {
    await expect(evaluate({ type: 'core.condition.Nope' })).rejects.toThrow('cannot be evaluated');
    await expect(evaluate({ type: 'core.condition.Expression', expression: '{{ nope }}' })).rejects.toThrow(
      'nope',
    );
  });
});

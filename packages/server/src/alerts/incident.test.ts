import { AlertRule } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { addOccurrences, type Occurrence, recover, remind } from './incident.ts';

const minute = 60_000;
const noon = Date.parse('2026-03-02T12:00:00Z');
const aRule = (more: object = {}) =>
  AlertRule.parse({ id: 'r', when: { type: 'state' }, channels: ['c'], ...more });
const failure = (at: number, flowId = 'load'): Occurrence => ({
  key: 'k',
  title: 'load failed',
  at,
  namespace: 'company',
  flowId,
});
const context = (now: number) => ({ now, newId: () => 'i1' });
const opened = (rule: AlertRule, now = noon) => addOccurrences(rule, undefined, [failure(now)], context(now));

describe('an incident', () => {
  it('sends one message when it opens, and none for further events', () => {
    const { incident, message } = opened(aRule());
    expect(message).toEqual({ kind: 'opened', dueAt: noon });
    const more = addOccurrences(aRule(), incident, [failure(noon + 1), failure(noon + 2)], context(noon + 2));
    expect(more.message).toBeUndefined();
    expect(more.incident).toMatchObject({ id: 'i1', count: 3, openedAt: noon, at: noon + 2 });
  });

  it('O-8.4 collects events before its first message', () => {
    const { message } = opened(aRule({ groupWait: 'PT30S' }));
    expect(message).toEqual({ kind: 'opened', dueAt: noon + 30_000 });
  });

  it('O-8.5 repeats its message at most every so often, only while events continue', () => {
    const rule = aRule({ repeatEvery: 'PT10M' });
    const { incident } = opened(rule);
    const early = addOccurrences(rule, incident, [failure(noon + minute)], context(noon + minute));
    expect(early.message).toBeUndefined();
    const later = addOccurrences(
      rule,
      early.incident,
      [failure(noon + 10 * minute)],
      context(noon + 10 * minute),
    );
    expect(later.message).toEqual({ kind: 'repeated', dueAt: noon + 10 * minute });
    expect(remind(rule, later.incident, noon + 19 * minute).message).toBeUndefined();
    expect(remind(rule, later.incident, noon + 20 * minute).message?.kind).toBe('repeated');
  });

  it('tells about its recovery unless the rule does not want that', () => {
    const { incident } = opened(aRule());
    const change = recover(aRule(), incident, noon + minute);
    expect(change.message).toEqual({ kind: 'recovered', dueAt: noon + minute });
    expect(change.incident.recoveredAt).toBe(noon + minute);
    expect(recover(aRule({ recovery: false }), incident, noon + minute).message).toBeUndefined();
  });

  it('needs no second message when it recovers while the first one waits', () => {
    const quietHours = { from: '11:00', to: '13:00' };
    const { incident, message } = opened(aRule({ quietHours }));
    expect(message?.dueAt).toBe(noon + 60 * minute);
    expect(recover(aRule({ quietHours }), incident, noon + minute).message).toBeUndefined();
  });

  it('remembers every flow it is about', () => {
    const { incident } = addOccurrences(
      aRule(),
      undefined,
      [failure(noon, 'a'), failure(noon, 'b'), failure(noon, 'a')],
      context(noon),
    );
    expect(incident.flows.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

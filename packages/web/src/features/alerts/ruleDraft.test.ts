import { AlertRule } from '@millrace/contract';
import { expect, it } from 'vitest';
import { draftOf, readDraft } from './ruleDraft.ts';

const aRule = (more: object) =>
  AlertRule.parse({ id: 'r', when: { type: 'state' }, channels: ['c'], ...more });

it.each([
  aRule({}),
  aRule({
    description: 'd',
    enabled: false,
    namespace: 'a.b',
    flowId: 'f',
    repeatEvery: 'PT1H',
    recovery: false,
  }),
  aRule({ when: { type: 'sla' }, severity: 'critical', groupBy: 'cause', groupWait: 'PT30S' }),
  aRule({ when: { type: 'late', after: 'PT10M' } }),
  aRule({ when: { type: 'duration', factor: 2.5, atLeast: 'PT5M' } }),
  aRule({ when: { type: 'failureRate', percent: 30, window: 'P1D', minExecutions: 10 } }),
  aRule({ when: { type: 'noRun', for: 'PT2H' } }),
  aRule({ quietHours: { from: '20:00', to: '06:30', timeZone: 'Europe/Paris', days: ['SAT', 'SUN'] } }),
])('a rule survives its form: %#', (rule) => {
  expect(readDraft(draftOf(rule, 'UTC'))).toEqual({ rule });
});

it('names the fields that are wrong', () => {
  const draft = {
    ...draftOf(undefined, 'UTC'),
    type: 'late' as const,
    after: 'soon',
    quiet: true,
    quietFrom: '25:00',
  };
  const read = readDraft(draft);
  expect('wrong' in read && [...read.wrong].sort()).toEqual(['after', 'channels', 'id', 'quietFrom']);
});

import { QuietHours } from '@millrace/contract';
import type { RunBucket } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { failureGroupId, normalizeMessage } from './cause.ts';
import { failureRateOf, isAbove } from './failureRate.ts';
import { missingSince } from './noRun.ts';
import { endOfQuietHours } from './quietHours.ts';
import { filtersOf, isInScope, nameScope } from './scope.ts';
import { limitOf, usualDurationOf } from './usualDuration.ts';

const at = (text: string): number => Date.parse(text);

describe('quiet hours', () => {
  const quiet = (more: object) => QuietHours.parse({ from: '22:00', to: '07:00', ...more });
  const end = (more: object, text: string) => new Date(endOfQuietHours(quiet(more), at(text))).toISOString();

  it.each([
    ['before they begin', '2026-03-02T21:59:00.000Z', '2026-03-02T21:59:00.000Z'],
    ['at their beginning', '2026-03-02T22:00:00.000Z', '2026-03-03T07:00:00.000Z'],
    ['after midnight', '2026-03-03T06:59:59.000Z', '2026-03-03T07:00:00.000Z'],
    ['at their end', '2026-03-03T07:00:00.000Z', '2026-03-03T07:00:00.000Z'],
  ])('decide %s', (_, now, due) => {
    expect(end({}, now)).toBe(due);
  });

  it('follow the clock of their time zone when it changes in the night', () => {
    const more = { timeZone: 'Europe/Paris' };
    expect(end(more, '2026-03-28T23:00:00.000Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(end(more, '2026-10-24T23:00:00.000Z')).toBe('2026-10-25T06:00:00.000Z');
  });

  it('apply to the days on which they begin', () => {
    expect(end({ days: ['FRI'] }, '2026-03-07T03:00:00.000Z')).toBe('2026-03-07T07:00:00.000Z');
    expect(end({ days: ['FRI'] }, '2026-03-08T03:00:00.000Z')).toBe('2026-03-08T03:00:00.000Z');
    const weekend = { from: '00:00', to: '00:00', days: ['SAT', 'SUN'] };
    expect(end({ ...weekend, to: '23:59' }, '2026-03-07T12:00:00.000Z')).toBe('2026-03-07T23:59:00.000Z');
    expect(end(weekend, '2026-03-07T12:00:00.000Z')).toBe('2026-03-09T00:00:00.000Z');
  });
});

describe('the cause of a failure', () => {
  it.each([
    ['Row 12 of 3,000 is wrong', 'Row 99 of 4,500 is wrong'],
    ['Cannot read "a.csv" from \'bucket\'', 'Cannot read "b.csv" from \'other\''],
    ['No answer at 2026-01-31T08:00:00.123Z', 'No answer at 2025-12-01 09:10:11'],
    ['Job 5cBZ1JF8kim8fbFg13bumX failed', 'Job 7dCA2KG9ljn9gcGh24cvnY failed'],
    ['id 123e4567-e89b-12d3-a456-426614174000', 'id 00000000-e89b-12d3-a456-426614174fff'],
    ['commit 9bb70e95ab failed', 'commit 2b6fe88b11 failed'],
    ['exit code 1\n  at line 5', 'exit code 2\n  at other'],
  ])('is the same for %j and %j', (one, other) => {
    expect(normalizeMessage(one)).toBe(normalizeMessage(other));
  });

  it('keeps the words that tell causes apart', () => {
    expect(normalizeMessage("The file can't be read")).toBe("The file can't be read");
    expect(normalizeMessage('Connection refused')).not.toBe(normalizeMessage('Connection reset'));
    expect(normalizeMessage('x'.repeat(100_000)).length).toBe(300);
  });

  it('is another one in another flow or task', () => {
    const cause = { namespace: 'a', flowId: 'b', taskId: 'c', normalized: 'm' };
    const ids = [cause, { ...cause, flowId: 'x' }, { ...cause, taskId: 'x' }, { ...cause, normalized: 'x' }];
    expect(new Set(ids.map(failureGroupId)).size).toBe(4);
  });
});

describe('the scope of a rule', () => {
  const team = { namespace: 'company.team', flowId: 'load' };

  it('O-8.3 is everything, a namespace with its children, or one flow', () => {
    expect(isInScope({}, team)).toBe(true);
    expect(isInScope({ namespace: 'company' }, team)).toBe(true);
    expect(isInScope({ namespace: 'company.tea' }, team)).toBe(false);
    expect(isInScope(team, team)).toBe(true);
    expect(isInScope(team, { ...team, flowId: 'other' })).toBe(false);
    expect(isInScope({ namespace: 'company', flowId: 'load' }, team)).toBe(false);
  });

  it('has filters and a name', () => {
    expect(filtersOf({})).toEqual([]);
    expect(filtersOf({ namespace: 'a' })).toMatchObject([{ operation: 'PREFIX', value: 'a' }]);
    expect(filtersOf(team)).toHaveLength(2);
    expect([{}, { namespace: 'a' }, team].map(nameScope)).toEqual([
      'all flows',
      'namespace a',
      'company.team.load',
    ]);
  });
});

const bucket = (counts: RunBucket['counts'], duration: Partial<RunBucket['duration']> = {}): RunBucket => ({
  at: 0,
  counts,
  duration: { count: 0, sum: 0, ...duration },
});

describe('the usual duration', () => {
  it('is the average of enough executions', () => {
    const some = bucket({}, { count: 4, sum: 400, max: 200 });
    expect(usualDurationOf([{ buckets: [some] }])).toBeUndefined();
    const usual = usualDurationOf([{ buckets: [some, bucket({}, { count: 4, sum: 800, max: 500 })] }]);
    expect(usual).toEqual({ count: 8, averageMs: 150, longestMs: 500 });
    expect(usual && limitOf(usual, 2, 60_000)).toBe(60_000);
    expect(usual && limitOf(usual, 2, 10)).toBe(300);
  });
});

describe('the failure rate', () => {
  it('is the share of failed among ended executions', () => {
    const rate = failureRateOf([
      { buckets: [bucket({ FAILED: 3, SUCCESS: 2, RUNNING: 9 }), bucket({ WARNING: 1 })] },
    ]);
    expect(rate).toEqual({ ended: 6, failed: 3, percent: 50 });
    expect(isAbove(rate, { percent: 50, minExecutions: 6 })).toBe(true);
    expect(isAbove(rate, { percent: 51, minExecutions: 1 })).toBe(false);
    expect(isAbove(rate, { percent: 50, minExecutions: 7 })).toBe(false);
    expect(isAbove(failureRateOf([]), { percent: 1, minExecutions: 1 })).toBe(false);
  });
});

describe('a missing run', () => {
  it('O-8.2 is reported when the last one started too long ago', () => {
    expect(missingSince(100, 0, 50, 149)).toBeUndefined();
    expect(missingSince(100, 0, 50, 150)).toBe(150);
    expect(missingSince(undefined, 120, 50, 169)).toBeUndefined();
    expect(missingSince(undefined, 120, 50, 170)).toBe(170);
  });
});

import { describe, expect, it } from 'vitest';
import { type ForecastFlow, forecastFlow, loadOf } from './forecast.ts';

const trigger = (id: string, dates: number[], more: object = {}) => ({
  id,
  dates,
  allowConcurrent: false,
  recovery: 'ALL' as const,
  ...more,
});
const flow = (more: Partial<ForecastFlow>): ForecastFlow => ({
  usualMs: 10,
  runningUntil: [],
  triggers: [],
  ...more,
});

describe('a forecast', () => {
  it('starts a date late while the last execution of its schedule runs', () => {
    const { runs, conflicts } = forecastFlow(flow({ triggers: [trigger('a', [0, 5, 30])] }));
    expect(runs).toEqual([
      { start: 0, end: 10 },
      { start: 10, end: 20 },
      { start: 30, end: 40 },
    ]);
    expect(conflicts).toEqual([
      { date: 5, triggerId: 'a', reason: 'overlap', outcome: 'late', startsAt: 10 },
    ]);
  });

  it.each([
    ['LAST', [5, 7], [[7, 'skipped']]],
    [
      'NONE',
      [5, 7],
      [
        [5, 'skipped'],
        [7, 'skipped'],
      ],
    ],
  ] as const)('recovers missed dates as %s', (recovery, dates, skipped) => {
    const { conflicts } = forecastFlow(flow({ triggers: [trigger('a', [0, ...dates], { recovery })] }));
    expect(
      conflicts.filter(({ outcome }) => outcome === 'skipped').map(({ date, outcome }) => [date, outcome]),
    ).toEqual(skipped);
  });

  it('queues, cancels or fails what exceeds the limit of the flow', () => {
    const triggers = [trigger('a', [0]), trigger('b', [2]), trigger('c', [4])];
    const of = (behavior: 'QUEUE' | 'CANCEL' | 'FAIL', runningUntil: number[] = []) =>
      forecastFlow(flow({ triggers, runningUntil, concurrency: { limit: 1, behavior } })).conflicts.map(
        ({ triggerId, reason, outcome, startsAt }) => [triggerId, reason, outcome, startsAt],
      );
    expect(of('QUEUE')).toEqual([
      ['b', 'limit', 'late', 10],
      ['c', 'limit', 'late', 20],
    ]);
    expect(of('CANCEL')).toEqual([
      ['b', 'limit', 'cancelled', undefined],
      ['c', 'limit', 'cancelled', undefined],
    ]);
    expect(of('FAIL', [3])).toEqual([
      ['a', 'limit', 'failed', undefined],
      ['b', 'limit', 'failed', undefined],
    ]);
  });

  it('allows as many at a time as the limit', () => {
    const parallel = [trigger('a', [0, 2, 4], { allowConcurrent: true })];
    const limited = (limit: number) =>
      forecastFlow(flow({ triggers: parallel, concurrency: { limit, behavior: 'QUEUE' } })).conflicts;
    expect(limited(3)).toEqual([]);
    expect(limited(2)).toMatchObject([{ date: 4, startsAt: 10 }]);
  });
});

describe('the load', () => {
  it('is the average and the most at a time, in each span', () => {
    const runs = [
      { start: 0, end: 10 },
      { start: 5, end: 15 },
      { start: 20, end: 20 },
    ];
    expect(loadOf(runs, [0, 10, 20, 30])).toEqual([
      { average: 1.5, peak: 2 },
      { average: 0.5, peak: 1 },
      { average: 0.1, peak: 1 },
    ]);
  });

  it('does not count an end and a start at the same moment twice', () => {
    const runs = [
      { start: 0, end: 10 },
      { start: 10, end: 20 },
    ];
    expect(loadOf(runs, [0, 20])).toEqual([{ average: 1, peak: 1 }]);
  });
});

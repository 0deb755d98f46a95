import { describe, expect, it, test } from 'vitest';
import type { AggregateCondition } from '../port/aggregate.ts';
import { aggregateRows } from './aggregateRows.ts';
import { matchesCondition } from './matchesCondition.ts';

const at = new Date('2026-02-03T10:20:30Z');
const row = { TEXT: 'abc', SIZE: 5, ON: true, AT: at, NONE: null };

const cases: readonly [AggregateCondition, boolean][] = [
  [{ type: 'EQUAL_TO', field: 'TEXT', value: 'abc' }, true],
  [{ type: 'EQUAL_TO', field: 'SIZE', value: '5' }, true],
  [{ type: 'EQUAL_TO', field: 'NONE', value: 'x' }, false],
  [{ type: 'EQUAL_TO', field: 'AT', value: '2026-02-03T10:20:30Z' }, true],
  [{ type: 'NOT_EQUAL_TO', field: 'NONE', value: 'x' }, true],
  [{ type: 'NOT_EQUAL_TO', field: 'TEXT', value: 'abc' }, false],
  [{ type: 'IN', field: 'TEXT', value: ['x', 'abc'] }, true],
  [{ type: 'NOT_IN', field: 'TEXT', value: ['x', 'abc'] }, false],
  [{ type: 'NOT_IN', field: 'NONE', value: ['x'] }, true],
  [{ type: 'IS_NULL', field: 'NONE' }, true],
  [{ type: 'IS_NULL', field: 'UNKNOWN' }, true],
  [{ type: 'IS_NOT_NULL', field: 'TEXT' }, true],
  [{ type: 'IS_TRUE', field: 'ON' }, true],
  [{ type: 'IS_FALSE', field: 'ON' }, false],
  [{ type: 'CONTAINS', field: 'TEXT', value: 'b' }, true],
  [{ type: 'STARTS_WITH', field: 'TEXT', value: 'b' }, false],
  [{ type: 'ENDS_WITH', field: 'TEXT', value: 'bc' }, true],
  [{ type: 'REGEX', field: 'TEXT', value: '^a.c$' }, true],
  [{ type: 'GREATER_THAN', field: 'SIZE', value: 4 }, true],
  [{ type: 'GREATER_THAN', field: 'SIZE', value: 10 }, false],
  [{ type: 'LESS_THAN_OR_EQUAL_TO', field: 'AT', value: '2026-02-03T10:20:30Z' }, true],
  [{ type: 'LESS_THAN', field: 'AT', value: '2026-02-03T10:20:30Z' }, false],
  [
    {
      type: 'OR',
      conditions: [
        { type: 'IS_NULL', field: 'TEXT' },
        { type: 'EQUAL_TO', field: 'SIZE', value: 5 },
      ],
    },
    true,
  ],
];

test.each(cases)('%j on a row in memory', (condition, holds) => {
  expect(matchesCondition(row, condition)).toBe(holds);
});

describe('rows that are not in the database', () => {
  const ask = (columns: Parameters<typeof aggregateRows>[1]['columns'], more: object = {}) =>
    aggregateRows(
      [
        { K: 'b', N: 1, AT: at },
        { K: 'a', N: 2, AT: new Date('2026-02-03T23:30:00Z') },
        { K: 'b', N: 4, AT: new Date('2026-02-04T00:30:00Z') },
        { K: null, N: null },
      ],
      { columns, conditions: [], width: 'day', timeZone: 'Europe/Berlin', ...more },
    );

  it('are grouped by the columns without an aggregate, nothing first', async () => {
    const columns = [
      { alias: 'k', field: 'K' },
      { alias: 'n', aggregation: 'COUNT' as const },
      { alias: 'sum', field: 'N', aggregation: 'SUM' as const },
      { alias: 'avg', field: 'N', aggregation: 'AVG' as const },
    ];
    expect(await ask(columns)).toEqual({
      results: [
        { k: null, n: 1, sum: null, avg: null },
        { k: 'a', n: 1, sum: 2, avg: 2 },
        { k: 'b', n: 2, sum: 5, avg: 2.5 },
      ],
      total: 3,
    });
    const ordered = await ask(columns, { orderBy: [{ alias: 'n', descending: true }], page: 2, size: 1 });
    expect(ordered).toMatchObject({ results: [{ k: null }], total: 3 });
  });

  it('are cut into days of the time zone', async () => {
    const columns = [
      { alias: 'day', field: 'AT' },
      { alias: 'n', aggregation: 'COUNT' as const },
    ];
    expect((await ask(columns)).results).toEqual([
      { day: null, n: 1 },
      { day: '2026-02-03', n: 1 },
      { day: '2026-02-04', n: 2 },
    ]);
  });

  it('stand for themselves without an aggregate, and for one row with nothing else', async () => {
    expect((await ask([{ alias: 'k', field: 'K' }])).results.map(({ k }) => k)).toEqual([
      null,
      'a',
      'b',
      'b',
    ]);
    const extremes = [
      { alias: 'first', field: 'AT', aggregation: 'MIN' as const },
      { alias: 'most', field: 'N', aggregation: 'MAX' as const },
    ];
    expect((await ask(extremes)).results).toEqual([{ first: at.toISOString(), most: 4 }]);
    const none = { conditions: [{ type: 'EQUAL_TO', field: 'K', value: 'zzz' }] };
    expect((await ask([{ alias: 'n', aggregation: 'COUNT' }], none)).results).toEqual([{ n: 0 }]);
  });

  it('are refused when a sum makes no sense', async () => {
    const words = [{ alias: 'x', field: 'K', aggregation: 'SUM' as const }];
    await expect(ask(words)).rejects.toThrow('SUM of K is not possible: "b" is not a number.');
  });
});

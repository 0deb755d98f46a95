import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AggregateQuery, AggregateRow } from '../port/aggregate.ts';
import type { OpenedStore } from './opened.ts';
import { aLog, aMetric, anExecution, day, insert } from './records.ts';

/** Half past eleven at night in UTC is the next day in Berlin. */
const at = Date.UTC(2025, 2, 9, 23, 30);

const executions = [
  { id: 'agg1', namespace: 'a', flowId: 'x', start: at, state: 'SUCCESS', end: at + 1_000, team: 'data' },
  {
    id: 'agg2',
    namespace: 'a',
    flowId: 'x',
    start: at + 60_000,
    state: 'SUCCESS',
    end: at + 63_000,
    team: 'ops',
  },
  {
    id: 'agg3',
    namespace: 'a.b',
    flowId: 'y',
    start: at + day,
    state: 'FAILED',
    end: at + day + 500,
    team: 'data',
  },
  {
    id: 'agg4',
    namespace: 'a.b',
    flowId: 'y',
    start: at + day,
    state: 'RUNNING',
    end: at + day + 5,
    team: 'data',
  },
  {
    id: 'agg5',
    namespace: 'c',
    flowId: 'z',
    start: at + 30 * day,
    state: 'SUCCESS',
    end: at + 30 * day,
    team: 'ops',
  },
] as const;

export function aggregateTests(open: () => Promise<OpenedStore>): void {
  describe('aggregations of a dashboard', () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open();
      for (const { team, ...execution } of executions) {
        await opened.store.commit([
          insert(anExecution({ ...execution, labels: [{ key: 'team', value: team }] })),
        ]);
      }
      await opened.store.commit([
        {
          op: 'log.insert',
          log: aLog({ at, level: 'ERROR', namespace: 'a', executionId: 'agg1', message: 'disk' }),
        },
        {
          op: 'log.insert',
          log: aLog({ at, level: 'INFO', namespace: 'a', executionId: 'agg1', message: 'fine' }),
        },
        { op: 'metric.insert', metric: aMetric({ at, namespace: 'a', name: 'rows', value: 2.5 }) },
        {
          op: 'metric.insert',
          metric: aMetric({ at: at + 1, namespace: 'a', name: 'rows', value: 4.5, type: 'gauge' }),
        },
      ]);
    });
    afterAll(() => opened.close());

    const base = {
      conditions: [],
      from: at - day,
      to: at + 40 * day,
      width: 'day',
      timeZone: 'UTC',
    } as const;
    const count = { alias: 'n', field: 'ID', aggregation: 'COUNT' } as const;
    const cases: [
      string,
      Omit<AggregateQuery, keyof typeof base> & Partial<AggregateQuery>,
      AggregateRow[],
    ][] = [
      [
        'counts by day and state in the time zone',
        {
          subject: 'executions',
          columns: [
            { alias: 'day', field: 'START_DATE' },
            { alias: 'state', field: 'STATE' },
            { alias: 'n', aggregation: 'COUNT' },
          ],
          timeZone: 'Europe/Berlin',
          to: at + 10 * day,
        },
        [
          { day: '2025-03-10', state: 'SUCCESS', n: 2 },
          { day: '2025-03-11', state: 'FAILED', n: 1 },
          { day: '2025-03-11', state: 'RUNNING', n: 1 },
        ],
      ],
      [
        'adds up durations in seconds, from the roll-up',
        {
          subject: 'executions',
          columns: [
            { alias: 'ns', field: 'NAMESPACE' },
            ...(['SUM', 'AVG', 'MIN', 'MAX', 'COUNT'] as const).map((aggregation) => ({
              alias: aggregation,
              field: 'DURATION',
              aggregation,
            })),
          ],
          orderBy: [{ alias: 'SUM', descending: true }],
        },
        [
          { ns: 'a', SUM: 4, AVG: 2, MIN: 1, MAX: 3, COUNT: 2 },
          { ns: 'a.b', SUM: 0.5, AVG: 0.5, MIN: 0.5, MAX: 0.5, COUNT: 1 },
          { ns: 'c', SUM: 0, AVG: 0, MIN: 0, MAX: 0, COUNT: 1 },
        ],
      ],
      [
        'groups by months and weeks',
        {
          subject: 'executions',
          columns: [
            { alias: 'month', field: 'START_DATE' },
            { ...count, field: 'STATE' },
          ],
          width: 'month',
        },
        [
          { month: '2025-03', n: 4 },
          { month: '2025-04', n: 1 },
        ],
      ],
      [
        'numbers weeks as ISO does',
        { subject: 'executions', columns: [{ alias: 'week', field: 'START_DATE' }, count], width: 'week' },
        [
          { week: '2025-10', n: 2 },
          { week: '2025-11', n: 2 },
          { week: '2025-15', n: 1 },
        ],
      ],
      [
        'groups by a label, and keeps to what a condition on a label allows',
        {
          subject: 'executions',
          columns: [{ alias: 'team', field: 'LABELS', labelKey: 'team' }, count],
          conditions: [{ type: 'STARTS_WITH', field: 'LABELS', labelKey: 'team', value: 'd' }],
        },
        [{ team: 'data', n: 3 }],
      ],
      [
        'joins conditions with OR',
        {
          subject: 'executions',
          columns: [{ alias: 'flow', field: 'FLOW_ID' }, count],
          conditions: [
            {
              type: 'OR',
              conditions: [
                { type: 'EQUAL_TO', field: 'FLOW_ID', value: 'z' },
                { type: 'GREATER_THAN', field: 'DURATION', value: 2 },
              ],
            },
          ],
        },
        [
          { flow: 'x', n: 1 },
          { flow: 'z', n: 1 },
        ],
      ],
      [
        'lists rows when nothing is aggregated',
        {
          subject: 'executions',
          columns: [
            { alias: 'id', field: 'ID' },
            { alias: 'took', field: 'DURATION' },
          ],
          conditions: [{ type: 'IN', field: 'STATE', value: ['FAILED', 'RUNNING'] }],
          orderBy: [{ alias: 'id', descending: true }],
        },
        [
          { id: 'agg4', took: null },
          { id: 'agg3', took: 0.5 },
        ],
      ],
      [
        'counts logs by level',
        {
          subject: 'logs',
          columns: [
            { alias: 'level', field: 'LEVEL' },
            { alias: 'n', aggregation: 'COUNT' },
          ],
        },
        [
          { level: 'INFO', n: 1 },
          { level: 'ERROR', n: 1 },
        ],
      ],
      [
        'searches the messages of logs',
        {
          subject: 'logs',
          columns: [
            { alias: 'level', field: 'LEVEL' },
            { alias: 'n', aggregation: 'COUNT' },
          ],
          conditions: [{ type: 'CONTAINS', field: 'MESSAGE', value: 'isk' }],
        },
        [{ level: 'ERROR', n: 1 }],
      ],
      [
        'aggregates metrics by name and type',
        {
          subject: 'metrics',
          columns: [
            { alias: 'type', field: 'TYPE' },
            { alias: 'sum', field: 'VALUE', aggregation: 'SUM' },
            { alias: 'last', field: 'DATE', aggregation: 'MAX' },
          ],
        },
        [
          { type: 'counter', sum: 2.5, last: new Date(at).toISOString() },
          { type: 'gauge', sum: 4.5, last: new Date(at + 1).toISOString() },
        ],
      ],
    ];
    it.each(cases)('%s', async (_, wanted, expected) => {
      const page = await opened.store.aggregate({ ...base, ...wanted });
      expect(page).toEqual({ results: expected, total: expected.length });
    });

    it('are the same from the rows as from the roll-up', async () => {
      const columns: AggregateQuery['columns'] = [
        { alias: 'flow', field: 'FLOW_ID' },
        { alias: 'n', field: 'NAMESPACE', aggregation: 'COUNT' },
        { alias: 'max', field: 'DURATION', aggregation: 'MAX' },
      ];
      const fast = { ...base, subject: 'executions', columns, from: at + 1, to: at + 30 * day } as const;
      // The revision is not in the roll-up.
      const slow = { ...fast, conditions: [{ type: 'EQUAL_TO', field: 'FLOW_REVISION', value: 1 }] } as const;
      expect(await opened.store.aggregate(fast)).toEqual(await opened.store.aggregate(slow));
    });

    it('give a page and the number of groups', async () => {
      const columns = [{ alias: 'flow', field: 'FLOW_ID' }, count];
      const page = await opened.store.aggregate({
        ...base,
        subject: 'executions',
        columns,
        page: 2,
        size: 2,
      });
      expect(page).toEqual({ results: [{ flow: 'z', n: 1 }], total: 3 });
    });

    const refusals: [Partial<AggregateQuery>, string][] = [
      [{ columns: [{ alias: 'x', field: 'SOURCE; DROP TABLE logs' }] }, 'is not a field of executions'],
      [
        { columns: [{ alias: 'x', field: 'NAMESPACE', aggregation: 'SUM' }] },
        'SUM of NAMESPACE is not possible',
      ],
      [{ columns: [{ alias: 'x', field: 'LABELS' }] }, 'needs a "labelKey"'],
      [{ columns: [count], orderBy: [{ alias: 'y', descending: false }] }, 'There is no column "y"'],
      [
        { columns: [count], conditions: [{ type: 'EQUAL_TO', field: 'DURATION', value: 'long' }] },
        'a number, not "long"',
      ],
    ];
    it.each(refusals)('refuse what cannot be: %j', async (wrong, sentence) => {
      const asked = opened.store.aggregate({ ...base, subject: 'executions', columns: [count], ...wrong });
      await expect(asked).rejects.toMatchObject({
        code: 'illegal-argument',
        message: expect.stringContaining(sentence),
      });
    });
  });
}

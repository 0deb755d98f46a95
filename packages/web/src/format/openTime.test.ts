import { type StateRecord, type StateType, stateTimes } from '@millrace/contract';
import { expect, test } from 'vitest';
import { aState, atMs } from '../features/gantt/testing/anExecution.ts';
import { openMs, openPeriods, openTime } from './openTime.ts';

type Move = readonly [StateType, number];

const restarted: Move[] = [
  ['CREATED', 0],
  ['RUNNING', 10],
  ['FAILED', 14],
  ['RESTARTED', 2_700_000],
  ['RUNNING', 2_700_001],
  ['SUCCESS', 2_700_006],
];

test.each<[string, Move[]]>([
  [
    'has ended',
    [
      ['CREATED', 0],
      ['RUNNING', 40],
      ['SUCCESS', 100],
    ],
  ],
  ['was restarted', restarted],
  [
    'was marked 45 minutes after its end',
    [
      ['CREATED', 0],
      ['FAILED', 14],
      ['SUCCESS', 2_700_000],
    ],
  ],
  [
    'is paused',
    [
      ['CREATED', 0],
      ['RUNNING', 5],
      ['PAUSED', 30],
    ],
  ],
  [
    'runs',
    [
      ['CREATED', 0],
      ['RUNNING', 5],
    ],
  ],
  ['runs again', restarted.slice(0, 5)],
])('the duration of a run that %s is the one of the API', (_, moves) => {
  const record: StateRecord = {
    current: moves.at(-1)![0],
    histories: moves.map(([state, ms]) => ({ state, date: atMs(ms) })),
  };
  const now = atMs(3_000_000);
  expect(openMs(openTime(aState(...moves)), now)).toBe(stateTimes(record, now).durationMs);
});

test('a restart opens another period', () => {
  expect(openPeriods(aState(...restarted))).toEqual([
    { startMs: atMs(0), endMs: atMs(14) },
    { startMs: atMs(2_700_000), endMs: atMs(2_700_006) },
  ]);
});

test('runs beside each other count once, and gaps between them do not', () => {
  const done = openTime(
    aState(['CREATED', 0], ['SUCCESS', 40]),
    aState(['CREATED', 20], ['SUCCESS', 60]),
    aState(['CREATED', 500], ['SUCCESS', 510]),
  );
  expect(done).toEqual({ endedMs: 70 });
  const live = openTime(aState(['CREATED', 0], ['SUCCESS', 40]), aState(['CREATED', 20], ['RUNNING', 30]));
  expect(live).toEqual({ endedMs: 40, sinceMs: atMs(40) });
});

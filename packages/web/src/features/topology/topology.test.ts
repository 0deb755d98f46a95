import { describe, expect, test } from 'vitest';
import { anExecution, aState, aTaskRun } from '../gantt/testing/anExecution.ts';
import { arrowOf, pathOf } from './Edges.tsx';
import { shortType } from './nodes.tsx';
import { groupRuns, summarizeRuns } from './runSummary.ts';

test.each([
  ['core.log.Log', 'log.Log'],
  ['io.kestra.plugin.core.http.Request', 'http.Request'],
  ['Custom', 'Custom'],
])('%s reads %s', (type, text) => {
  expect(shortType(type)).toBe(text);
});

describe('summarizeRuns', () => {
  const node = { uid: 'root.a', type: 'GraphTask', task: { id: 'a', type: 'core.log.Log' } } as const;
  const runs = groupRuns(
    anExecution({
      taskRunList: [
        aTaskRun({ id: '1', taskId: 'a', value: 'eu', state: aState(['CREATED', 0], ['SUCCESS', 40]) }),
        aTaskRun({ id: '2', taskId: 'a', value: 'us', state: aState(['CREATED', 20], ['FAILED', 60]) }),
        aTaskRun({ id: '3', taskId: 'b', state: aState(['CREATED', 20], ['RUNNING', 30]) }),
      ],
    }),
  );

  test('several runs show the worst state, their count and the whole time', () => {
    expect(summarizeRuns(node, runs)).toEqual({
      state: 'FAILED',
      counts: [
        ['FAILED', 1],
        ['SUCCESS', 1],
      ],
      time: { endedMs: 60 },
      isCopied: false,
    });
  });

  test('an iteration shows its own run', () => {
    expect(summarizeRuns({ ...node, values: ['eu'] }, runs)).toMatchObject({
      state: 'SUCCESS',
      counts: [['SUCCESS', 1]],
    });
  });

  test('a run that lasts has no end', () => {
    expect(summarizeRuns({ ...node, task: { id: 'b', type: 'x' } }, runs)?.time).toEqual({
      endedMs: 0,
      sinceMs: Date.parse('2026-03-01T08:00:00.020Z'),
    });
  });

  test('a task that never ran has no summary', () => {
    expect(summarizeRuns({ ...node, task: { id: 'never', type: 'x' } }, runs)).toBeUndefined();
  });
});

test.each([
  [[], ''],
  [
    [
      { x: 0, y: 0 },
      { x: 0, y: 10 },
    ],
    'M0 0L0 10',
  ],
  [
    [
      { x: 0, y: 0 },
      { x: 0, y: 20 },
      { x: 40, y: 20 },
    ],
    'M0 0L0 12Q0 20 8 20L40 20',
  ],
  [
    [
      { x: 0, y: 0 },
      { x: 0, y: 4 },
      { x: 4, y: 4 },
    ],
    'M0 0L0 2Q0 4 2 4L4 4',
  ],
])('corners are rounded, and less where there is no room: %j', (points, path) => {
  expect(pathOf(points)).toBe(path);
});

test('points the head of an arrow where its line ends, or along the flow where that is a curve', () => {
  const down = [
    { x: 0, y: 0 },
    { x: 0, y: 50 },
  ];
  expect(arrowOf(down)).toBe('M4.2 40.8L0 50L-4.2 40.8Z');
  const aslant = [
    { x: -30, y: 0 },
    { x: 0, y: 50 },
  ];
  expect(arrowOf(aslant, 'vertical')).toBe(arrowOf(down));
  expect(arrowOf(aslant, 'horizontal')).toBe('M-9.2 45.8L0 50L-9.2 54.2Z');
  expect(arrowOf([{ x: 0, y: 0 }])).toBe('');
});

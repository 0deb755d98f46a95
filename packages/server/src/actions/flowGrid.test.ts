import type { StateType } from '@millrace/contract';
import type { TaskStateCount } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { cellsOf, currentTask } from './flowGrid.ts';

const entry = (taskId: string, state: StateType, startedAt: number, count = 1): TaskStateCount => ({
  executionId: 'x',
  taskId,
  state,
  count,
  taskRunId: `${taskId}-${state}`,
  firstStartedAt: startedAt,
  lastStartedAt: startedAt,
  attempts: state === 'FAILED' ? 3 : 1,
  ...(state === 'RUNNING' ? {} : { durationMs: startedAt }),
});

it('O-11.2 O-11.3 a cell shows the worst state of its runs, leads to a run in that state, and counts all', () => {
  expect(cellsOf([entry('item', 'SUCCESS', 10, 1_990), entry('item', 'FAILED', 20, 10)])).toEqual([
    {
      taskId: 'item',
      state: 'FAILED',
      counts: { SUCCESS: 1_990, FAILED: 10 },
      taskRunId: 'item-FAILED',
      startDate: '1970-01-01T00:00:00.010Z',
      durationMs: 20,
      attempts: 3,
    },
  ]);
});

describe('the current task', () => {
  it.each([
    ['the innermost one that runs', [entry('outer', 'RUNNING', 1), entry('inner', 'RUNNING', 2)], 'inner', 1],
    ['what runs, although another failed', [entry('bad', 'FAILED', 9), entry('on', 'RUNNING', 2)], 'on', 0],
    ['the one that failed last', [entry('ok', 'SUCCESS', 9), entry('bad', 'FAILED', 2)], 'bad', 0],
    ['the one that waits', [entry('ok', 'SUCCESS', 1), entry('ask', 'PAUSED', 2)], 'ask', 0],
  ])('is %s', (_, states, taskId, others) => {
    expect(currentTask(states)).toMatchObject({ taskId, others });
  });

  it('of an execution that ended well is none', () => {
    expect(currentTask([entry('ok', 'SUCCESS', 1)])).toBeUndefined();
  });
});

import type { FlowGrid, GridCell, StateType } from '@millrace/contract';
import { describe, expect, test } from 'vitest';
import { aState } from '../gantt/testing/anExecution.ts';
import { barHeights, columnDates, gridModel, placeAfter, placeOf } from './gridModel.ts';

const cell = (taskId: string, state: StateType): GridCell => ({
  taskId,
  state,
  counts: { [state]: 1 },
  taskRunId: `${taskId}-run`,
  startDate: '2026-03-01T08:00:00.000Z',
  attempts: 1,
});
const execution = (id: string, cells: GridCell[]) => ({
  id,
  state: aState(['CREATED', 0], ['SUCCESS', 10]),
  flowRevision: 1,
  isPartial: false,
  cells,
});
const task = (id: string, depth: number) => ({ id, type: 'core.log.Log', depth, branch: 'tasks' as const });
const grid: FlowGrid = {
  tasks: [task('load', 0), task('each', 0), task('group', 1), task('item', 2), task('last', 0)],
  executions: [
    execution('new', [cell('load', 'SUCCESS'), cell('item', 'FAILED')]),
    execution('old', [cell('load', 'WARNING')]),
  ],
  total: 2,
};
const none: ReadonlySet<string> = new Set();

describe('gridModel', () => {
  test('has the newest execution on the right and a row per task in flow order', () => {
    const { columns, rows } = gridModel(grid, none);
    expect(columns.map(({ id }) => id)).toEqual(['old', 'new']);
    expect(
      rows.map(({ task: { id }, isContainer, cells }) => [id, isContainer, cells.map((c) => c?.state)]),
    ).toEqual([
      ['load', false, ['WARNING', 'SUCCESS']],
      ['each', true, [undefined, undefined]],
      ['group', true, [undefined, undefined]],
      ['item', false, [undefined, 'FAILED']],
      ['last', false, [undefined, undefined]],
    ]);
  });

  test.each([
    [['each'], ['load', 'each', 'last']],
    [['group'], ['load', 'each', 'group', 'last']],
    [['load'], ['load', 'each', 'group', 'item', 'last']],
  ])('collapsing %j shows %j', (collapsed, ids) => {
    expect(gridModel(grid, new Set(collapsed)).rows.map((row) => row.task.id)).toEqual(ids);
  });
});

describe('places', () => {
  const model = gridModel(grid, none);

  test.each([
    ['ArrowDown', { row: 0, column: 1 }, { row: 1, column: 1 }],
    ['ArrowUp', { row: 0, column: 1 }, { row: -1, column: 1 }],
    ['ArrowUp', { row: -1, column: 1 }, { row: -1, column: 1 }],
    ['ArrowRight', { row: 2, column: 1 }, { row: 2, column: 1 }],
    ['Home', { row: 2, column: 1 }, { row: 2, column: 0 }],
    ['PageDown', { row: 0, column: 0 }, { row: 4, column: 0 }],
    ['x', { row: 0, column: 0 }, undefined],
  ])('%s moves %j to %j', (key, from, to) => {
    expect(placeAfter(key, from, model)).toEqual(to);
  });

  test('stay at their execution and task when a new execution arrives', () => {
    const more = { ...grid, executions: [execution('newest', []), ...grid.executions] };
    const place = placeOf(gridModel(more, none), { executionId: 'old', taskId: 'item' });
    expect(place).toEqual({ row: 3, column: 0 });
    expect(placeOf(model, undefined)).toEqual({ row: -1, column: 1 });
  });
});

test('bars are shares of the longest duration, and never invisible', () => {
  expect(barHeights([0, 50, 100])).toEqual([0.04, 0.5, 1]);
  expect(barHeights([])).toEqual([]);
});

test('every fourth column has its time unless it repeats the last one, and the first of a day that day', () => {
  const starts = [
    '01T08:00',
    '01T09:00',
    '01T10:00',
    '01T11:00',
    '01T12:00',
    '02T08:00',
    '',
    '',
    '02T09:00',
    ...Array(12).fill('02T09:01'),
  ];
  const columns = starts.map((text) => ({
    state: { ...aState(['CREATED', 0]), startDate: `2026-03-${text || '02T08:30'}:00Z` },
  }));
  const dates = columnDates(columns, (iso) => iso).map((date) => date && [date.iso.slice(8, 16), date.isDay]);
  expect(dates.flatMap((date, column) => (date ? [[column, ...date]] : []))).toEqual([
    [0, '01T08:00', true],
    [4, '01T12:00', false],
    [8, '02T09:00', true],
    [12, '02T09:01', false],
  ]);
});

import type { TaskRunRecord } from '@millrace/contract';
import { expect, it } from 'vitest';
import { searchOutputs } from './searchOutputs.ts';

const aRun = (id: string, outputs: Record<string, unknown>, value?: string): TaskRunRecord => ({
  id,
  executionId: 'e',
  taskId: 'load',
  order: 0,
  state: { current: 'SUCCESS', histories: [] },
  attempts: [],
  outputs,
  ...(value === undefined ? {} : { value }),
});

it('finds values by their text and by their name, with the path to them', () => {
  const runs = [
    aRun('1', { rows: [{ city: 'Berlin' }, { city: 'Rome' }], size: 42 }, 'eu'),
    aRun('2', { note: 'nothing here', Berlin: null }),
  ];
  expect(searchOutputs(runs, 'berlin')).toEqual({
    results: [
      { taskRunId: '1', taskId: 'load', value: 'eu', path: 'rows[0].city', text: 'Berlin' },
      { taskRunId: '2', taskId: 'load', path: 'Berlin', text: 'null' },
    ],
    total: 2,
  });
  expect(searchOutputs(runs, '42').total).toBe(1);
  expect(searchOutputs(runs, 'absent')).toEqual({ results: [], total: 0 });
});

it('shows the place in a long text, hides secrets, and counts what it does not list', () => {
  const long = `${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}`;
  const { results } = searchOutputs([aRun('1', { long })], 'needle');
  expect(results[0]?.text).toMatch(/^…x{40}needley+…$/);
  const secret = { type: 'io.kestra.datatype:aes_encrypted', value: 'cipher' };
  expect(searchOutputs([aRun('1', { secret })], 'cipher').total).toBe(0);
  const many = Array.from({ length: 10_000 }, (_, n) => aRun(String(n), { n: `row ${n}` }));
  const found = searchOutputs(many, 'row');
  expect([found.results.length, found.total]).toEqual([200, 10_000]);
});

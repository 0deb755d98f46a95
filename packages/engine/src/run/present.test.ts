import { expect, it } from 'vitest';
import { maxShownTaskRuns, presentExecution, presentState } from './present.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

it('shows dates as Date does, whatever the moment', () => {
  const moments = [
    0, 1, 999, 1_000, 1_700_000_000_000, 1_700_000_000_007, 1_700_000_000_070, -1, -1_001, 1.5,
    253_402_300_799_999,
  ];
  for (const date of [...moments, ...moments.toReversed()]) {
    const { startDate } = presentState({ current: 'CREATED', histories: [{ state: 'CREATED', date }] }, date);
    expect(startDate).toBe(new Date(date).toISOString());
  }
});

it('shows the failed task run of a very long loop with its parent, and says how many there are', () => {
  const count = maxShownTaskRuns + 50;
  const values = JSON.stringify(Array.from({ length: count }, (_, index) => index));
  const loop = aControl('ForEach', 'f', {
    values,
    concurrencyLimit: 0,
    tasks: [aTask('x', { allowFailure: true })],
  });
  const run = new Harness(aFlow({ tasks: [loop] }), { x: 'HOLD' }).start();
  run.end('x', 'FAILED', String(count - 10));
  const { taskRunList = [], taskRunTotal } = presentExecution(run.execution, run.live.taskRuns(), run.now);
  expect(taskRunTotal).toBe(count + 1);
  expect(taskRunList).toHaveLength(maxShownTaskRuns);
  expect(taskRunList[0]).toMatchObject({ taskId: 'f' });
  expect(taskRunList).toContainEqual(expect.objectContaining({ value: String(count - 10) }));
  // A task after the loop is shown although it came last.
  const after = { ...run.live.taskRuns()[0]!, id: 'after', taskId: 'after', order: count + 1 };
  const whole = presentExecution(run.execution, [...run.live.taskRuns(), after], run.now);
  expect(whole.taskRunList?.at(-1)).toMatchObject({ taskId: 'after' });
  const small = presentExecution(run.execution, run.live.taskRuns().slice(0, maxShownTaskRuns), run.now);
  expect(small.taskRunTotal).toBeUndefined();
});

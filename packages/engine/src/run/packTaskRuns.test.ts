import { expect, it } from 'vitest';
import { presentPackedExecution, unpackTaskRuns } from './packTaskRuns.ts';
import { presentExecution } from './present.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

it('unpacks packed task runs to the task runs that the API shows', () => {
  const loop = aControl('ForEach', 'each', {
    values: '["a","b","c"]',
    concurrencyLimit: 2,
    tasks: [aTask('value')],
  });
  const run = new Harness(aFlow({ tasks: [loop] }), { value: 'HOLD' }).start();
  run.end('value', 'SUCCESS', 'a');
  const [parent, first, ...rest] = run.live.taskRuns();
  if (!parent || !first) throw new Error('the loop has not begun');
  const unusual = {
    ...first,
    outputs: { text: 'x', list: [1, null] },
    copied: true,
    attempts: first.attempts.map((attempt) => ({ ...attempt, logFile: 'millrace:///log.txt' })),
    state: {
      ...first.state,
      histories: first.state.histories.map((entry) => ({
        ...entry,
        by: { type: 'user', id: 'ada' } as const,
      })),
    },
  };
  const orphan = { ...first, id: 'orphan', parentId: 'not-in-the-list' };
  const taskRuns = [parent, unusual, ...rest, orphan];
  const { packedTaskRuns } = presentPackedExecution(run.execution, taskRuns, run.now + 5);
  const sent: unknown = JSON.parse(JSON.stringify(packedTaskRuns));
  expect(unpackTaskRuns(sent as NonNullable<typeof packedTaskRuns>, run.execution)).toEqual(
    presentExecution(run.execution, taskRuns, run.now + 5).taskRunList,
  );
});

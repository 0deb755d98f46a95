import type { Execution } from '@millrace/contract';
import { expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

// Each paused execution below counts as six: one task run and five for the execution itself.
const shared = sharedServer(sqlite, { settings: { executions: { maxIdleTaskRuns: 14 } } });
const paused =
  'tasks:\n  - id: ask\n    type: core.flow.Pause\n  - id: done\n    type: core.debug.Return\n    format: yes\n';

it('the executions that have been idle longest leave memory, and resume from their rows', async () => {
  const id = anId();
  await shared().saveFlow(aFlow(id, paused));
  const started: string[] = [];
  for (let count = 0; count < 5; count++) {
    const { body } = await shared().call('POST', `/executions/company.team/${id}`);
    started.push(String(body.id));
    await shared().waitForState(String(body.id), 'PAUSED');
  }
  await expect.poll(() => shared().product.executor.openCount).toBe(2);
  for (const executionId of started) {
    await shared().call('POST', `/executions/${executionId}/resume`);
    const ended = await shared().waitForState(executionId, 'SUCCESS');
    // `as`: the shape of an execution in the API.
    const { state, taskRunList } = ended as unknown as Execution;
    expect(state.histories.map((each) => each.state)).toEqual([
      'CREATED',
      'RUNNING',
      'PAUSED',
      'RESTARTED',
      'RUNNING',
      'SUCCESS',
    ]);
    expect(taskRunList?.map((each) => each.taskId)).toEqual(['ask', 'done']);
  }
  await expect.poll(() => shared().product.executor.openCount).toBe(0);
});

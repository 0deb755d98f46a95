import { Conflict, type Store } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

const steps = (door: string) => `tasks:
  - id: one
    type: core.log.Log
    message: one
  - id: two
    type: test.Door
    door: ${door}
  - id: three
    type: core.log.Log
    message: three
`;

describe('a commit that fails', () => {
  const shared = sharedServer(sqlite);

  /** Lets the next commits of steps fail, and the ones after them pass. */
  function failNextCommits(store: Store, errors: Error[]): void {
    const commit = store.commit.bind(store);
    store.commit = async (unit) => {
      const isStep = unit.some(({ op }) => op === 'execution.update');
      const error = isStep ? errors.shift() : undefined;
      if (error) throw error;
      await commit(unit);
    };
  }

  it.each([
    ['the disk', () => new Error('disk full')],
    ['someone else who changed the row', () => new Conflict('The execution')],
  ])('because of %s drops what was in memory and does the step again', async (_name, anError) => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    openDoor(id);
    failNextCommits(server.product.store, [anError(), anError(), anError()]);
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    expect(taskRunsOf(execution).map((run) => [run.taskId, stateOf(run)])).toEqual([
      ['one', 'SUCCESS'],
      ['two', 'SUCCESS'],
      ['three', 'SUCCESS'],
    ]);
    expect(arrivals(id)).toBe(1);
    const { body } = await server.call('GET', `/logs/${execution.id}`);
    expect((body as unknown as { message: string }[]).map(({ message }) => message)).toEqual([
      'one',
      'three',
    ]);
  });

  it('[E9] a step that the engine cannot apply ends the execution and says why, and nothing hangs', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    server.product.executor.tell(executionId, { type: 'woken', wake: null as never });
    await server.waitForState(executionId, 'FAILED');
    openDoor(id);
    const { body } = await server.call('GET', `/logs/${executionId}?minLevel=ERROR`);
    expect(JSON.stringify(body)).toContain('could not carry on');
  });

  it('refuses the request that it was made for', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, steps(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    failNextCommits(server.product.store, [new Error('disk full')]);
    const refused = await server.call('DELETE', `/executions/${executionId}/kill`);
    expect(refused.status).toBe(503);
    expect(stateOf(await server.read(executionId))).toBe('RUNNING');
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
  });
});

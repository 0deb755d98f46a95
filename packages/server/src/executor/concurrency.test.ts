import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, statesOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

const limited = (id: string, limit: number, behavior: string) =>
  aFlow(
    id,
    `concurrency: { limit: ${limit}, behavior: ${behavior} }\ntasks:\n  - id: x\n    type: test.Door\n    door: ${id}`,
  );

describe.each(databases)('concurrency limits on $name (engine 1.9)', (database) => {
  const shared = sharedServer(database);

  it('queues above the limit and starts the next in the order they came', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(limited(id, 2, 'QUEUE'));
    const started = [];
    for (let i = 0; i < 5; i++) started.push(await server.start(id));
    await expect.poll(() => arrivals(id)).toBe(2);
    for (const { id: queued } of started.slice(2)) await server.waitForState(queued, 'QUEUED');
    await server.call('DELETE', `/executions/${started[0]?.id}/kill`);
    await server.waitForState(started[2]?.id ?? '', 'RUNNING');
    expect(stateOf(await server.read(started[3]?.id ?? ''))).toBe('QUEUED');
    openDoor(id);
    for (const { id: executionId } of started.slice(1)) {
      const execution = await server.waitForState(executionId, 'SUCCESS');
      expect(statesOf(execution).at(-1)).toBe('SUCCESS');
    }
  });

  it('never exceeds the limit when many start at once', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(limited(id, 1, 'QUEUE'));
    const started = await Promise.all(Array.from({ length: 10 }, () => server.start(id)));
    const states = async () => {
      const { body } = await server.call('GET', `/executions/search?flowId=${id}&size=100`);
      return (body.results as Record<string, unknown>[]).map(stateOf).sort();
    };
    await expect.poll(states).toEqual([...Array.from({ length: 9 }, () => 'QUEUED'), 'RUNNING']);
    await expect.poll(() => arrivals(id)).toBe(1);
    openDoor(id);
    for (const { id: executionId } of started) await server.waitForState(executionId, 'SUCCESS');
  });

  it.each([
    ['CANCEL', 'CANCELLED'],
    ['FAIL', 'FAILED'],
  ])('answers %s above the limit with %s', async (behavior, state) => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(limited(id, 1, behavior));
    const first = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const second = await server.run(id);
    expect(stateOf(second)).toBe(state);
    expect(second.taskRunList).toBeUndefined();
    openDoor(id);
    await server.waitForState(first.id, 'SUCCESS');
    // The end can be stored a moment before the server knows it, as when the response to a commit is lost.
    expect(stateOf(await server.run(id))).toBe('SUCCESS');
  });

  it('gives the place of a deleted execution to the next', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(limited(id, 1, 'QUEUE'));
    const [first, second] = [await server.start(id), await server.start(id)];
    await server.waitForState(second.id, 'QUEUED');
    await server.call('DELETE', `/executions/${first.id}`);
    await server.waitForState(second.id, 'RUNNING');
    openDoor(id);
    await server.waitForState(second.id, 'SUCCESS');
  });

  it('never starts a queued execution that was killed', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(limited(id, 1, 'QUEUE'));
    const [first, second, third] = [await server.start(id), await server.start(id), await server.start(id)];
    await server.waitForState(third.id, 'QUEUED');
    await server.call('DELETE', `/executions/${second.id}/kill`);
    await server.waitForState(second.id, 'KILLED');
    openDoor(id);
    await server.waitForState(first.id, 'SUCCESS');
    await server.waitForState(third.id, 'SUCCESS');
    expect(statesOf(await server.read(second.id))).toEqual(['CREATED', 'QUEUED', 'KILLING', 'KILLED']);
  });
});

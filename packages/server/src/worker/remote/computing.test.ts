import { describe, expect, it, vi } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, stateOf, type TestServer, taskRunsOf } from '../../testing/aServer.ts';
import { severalServers } from '../../testing/severalServers.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

// A test starts several servers and one of them is marked dead.
vi.setConfig({ testTimeout: 60_000 });

const group = '    workerGroup: { key: far }\n';
const thinking = (door: string) =>
  `tasks:\n  - id: think\n    type: test.Thought\n    door: ${door}\n${group}`;

describe('pure tasks, on workers in separate processes', () => {
  const cluster = severalServers();
  const start = async () => {
    const executor = await cluster.start('api', 'executor');
    return { executor, worker: await startWorker() };
  };
  const startWorker = () => cluster.startWith({ worker: { group: 'far' } }, 'worker');
  const linesOf = async (server: TestServer, executionId: string) => {
    const { body } = await server.call('GET', `/logs/${executionId}`);
    return (body as unknown as { message: string }[]).map(({ message }) => message);
  };
  const attemptsOf = (execution: Record<string, unknown>) =>
    ((taskRunsOf(execution)[0]?.attempts ?? []) as Record<string, unknown>[]).map(stateOf);
  const started = () => cluster.query('SELECT attempt FROM worker_attempts');
  const jobs = async () =>
    Number((await cluster.query('SELECT count(*) FROM graphile_worker._private_jobs'))[0]?.count);
  /** No attempt, job or message is left. */
  const expectNothingLeft = async () => {
    await expect
      .poll(async () => [await jobs(), await started(), await cluster.messages()])
      .toEqual([0, [], 0]);
  };

  it('start and end in one commit, whatever their execution was started with', async () => {
    const { executor } = await start();
    const id = anId();
    const tasks = `  - id: make\n    type: core.debug.Return\n    format: "hello {{ inputs.name }}"\n${group}`;
    const log = `  - id: say\n    type: core.log.Log\n    message: "{{ outputs.make.value }}"\n${group}`;
    await executor.saveFlow(aFlow(id, `inputs:\n  - id: name\n    type: STRING\ntasks:\n${tasks}${log}`));
    for (const name of ['World', 'nul \u0000 and half \ud800 a pair', 'x'.repeat(100_000)]) {
      const execution = await executor.run(id, { name });
      expect([stateOf(execution), attemptsOf(execution)]).toEqual(['SUCCESS', ['SUCCESS']]);
      const commits = await cluster.query(
        'SELECT events FROM execution_events WHERE execution_id = $1 ORDER BY seq',
        [execution.id],
      );
      const types = commits.map(({ events }) =>
        (JSON.parse(String(events)) as { type: string }[]).map(({ type }) => type),
      );
      // The worker reads inputs that are too large for the job after the attempt has started.
      const turns = [
        ['start', 'state'],
        ['taskStarted', 'taskEnded'],
        ['taskStarted', 'taskEnded', 'state'],
      ];
      if (name.length > 16_384) expect(types.flat()).toEqual(turns.flat());
      else expect(types).toEqual(turns);
      if (name.length < 100) expect(await linesOf(executor, String(execution.id))).toHaveLength(2);
    }
    await expectNothingLeft();
  });

  it('[A35] come to another worker when theirs leaves, again and again', async () => {
    const { executor, worker } = await start();
    const id = anId();
    await executor.saveFlow(aFlow(id, thinking(id)));
    const { id: executionId } = await executor.start(id);
    let last = worker;
    for (const times of [1, 2, 3]) {
      await expect.poll(() => arrivals(id)).toBe(times);
      const leaving = last;
      last = await startWorker();
      await leaving.close(0);
    }
    await expect.poll(() => arrivals(id)).toBe(4);
    openDoor(id);
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    // Attempts whose start was not reported yet are not listed.
    expect(
      attemptsOf(execution)
        .slice(0, -1)
        .every((state) => state === 'KILLED'),
    ).toBe(true);
    const lines = await linesOf(executor, executionId);
    expect(lines.filter((line) => line === 'thought')).toHaveLength(1);
    await expectNothingLeft();
  }, 180_000);

  it('that take their time are seen to run, and end like any other', async () => {
    const { executor } = await start();
    const id = anId();
    await executor.saveFlow(aFlow(id, thinking(id)));
    const { id: executionId } = await executor.start(id);
    const running = async () =>
      taskRunsOf((await executor.call('GET', `/executions/${executionId}`)).body).map(stateOf);
    await expect.poll(running).toEqual(['RUNNING']);
    expect(await started()).toHaveLength(1);
    openDoor(id);
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    expect(attemptsOf(execution)).toEqual(['SUCCESS']);
    expect(await linesOf(executor, executionId)).toEqual(['thought']);
    await expectNothingLeft();
  });

  it('[A35] that were handed out twice answer once, and nothing they say is doubled', async () => {
    const { executor, worker } = await start();
    const id = anId();
    await executor.saveFlow(aFlow(id, thinking(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    // As when an executor crashes before it knows that a job was stored.
    const addCopy = () =>
      cluster.query(
        `SELECT graphile_worker.add_job(t.identifier, j.payload) FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id LIMIT 1`,
      );
    const workers = [worker, await startWorker()];
    // The worker that already runs the attempt ignores copies of its job; eventually the other worker gets
    // one.
    await expect
      .poll(async () => {
        await addCopy();
        return arrivals(id);
      })
      .toBe(2);
    openDoor(id);
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    expect(attemptsOf(execution)).toEqual(['SUCCESS']);
    await expectNothingLeft();
    // Lines that a worker still has are stored too.
    for (const { product } of workers) await product.logs.flush();
    expect(await linesOf(executor, executionId)).toEqual(['thought']);
  });

  it('are killed with their execution, and what they answer after that counts for nothing', async () => {
    const { executor } = await start();
    const id = anId();
    await executor.saveFlow(aFlow(id, thinking(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await executor.call('DELETE', `/executions/${executionId}/kill`);
    await executor.waitForState(executionId, 'KILLED');
    openDoor(id);
    await expectNothingLeft();
    expect(attemptsOf((await executor.call('GET', `/executions/${executionId}`)).body)).not.toContain(
      'SUCCESS',
    );
  });
});

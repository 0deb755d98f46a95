import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, stateOf, type TestServer, taskRunsOf } from '../../testing/aServer.ts';
import { severalServers } from '../../testing/severalServers.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const atDoor = (door: string, more = '') => `tasks:
  - id: wait
    type: test.Door
    door: ${door}
${more}  - id: after
    type: core.log.Log
    message: "{{ taskrun.id }}"
`;
const attemptsOf = (execution: Record<string, unknown>) =>
  ((taskRunsOf(execution)[0]?.attempts ?? []) as Record<string, unknown>[]).map(stateOf);

describe('workers in separate processes', () => {
  const cluster = severalServers();
  const started = () => cluster.query('SELECT worker_id, attempt, lost FROM worker_attempts');
  const jobs = async () =>
    Number((await cluster.query('SELECT count(*) FROM graphile_worker._private_jobs'))[0]?.count);
  /** Simulates a crash, as the other servers see it. */
  const silence = async (server: TestServer) => server.product.membership?.stop();

  it('an api, an executor and a worker do together what one server does, in whatever order they start', async () => {
    const api = await cluster.start('api');
    const id = anId();
    await api.saveFlow(
      aFlow(
        id,
        `inputs:\n  - id: name\n    type: STRING\noutputs:\n  - id: greeting\n    type: STRING\n    value: "{{ outputs.make.value }}"\n` +
          `tasks:\n  - id: make\n    type: core.debug.Return\n    format: "hello {{ inputs.name }}"\n` +
          `  - id: wait\n    type: test.Door\n    door: "{{ inputs.name }}"\n`,
      ),
    );
    const { id: executionId } = await api.start(id, { name: id });
    await cluster.start('worker');
    const executor = await cluster.start('executor');
    await expect.poll(() => arrivals(id)).toBe(1);
    expect(await cluster.ownerOf(executionId)).toBe(executor.product.membership?.id);
    openDoor(id);
    await api.waitForState(executionId, 'SUCCESS');
    const waited = await api.run(id, { name: id });
    expect(stateOf(waited)).toBe('SUCCESS');
    await expect.poll(jobs).toBe(0);
    expect([await started(), await cluster.messages()]).toEqual([[], 0]);
  });

  it('[A35] a lost worker is replaced, its late answer counts for nothing, and nothing stays in the queue (users ask B13, B14)', async () => {
    const [executor, lost] = [await cluster.start('api', 'executor'), await cluster.start('worker')];
    const id = anId();
    await executor.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await silence(lost);
    await cluster.start('worker');
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    expect(attemptsOf(execution)).toEqual(['KILLED', 'SUCCESS']);
    await expect.poll(jobs).toBe(0);
    await expect.poll(started).toEqual([]);
  });

  it('[A35] a worker whose heartbeat alone stops takes nothing more and gives back what it has', async () => {
    const [executor, unheard] = [await cluster.start('api', 'executor'), await cluster.start('worker')];
    const [first, second] = [anId(), anId()];
    for (const id of [first, second]) await executor.saveFlow(aFlow(id, atDoor(id)));
    const { id: running } = await executor.start(first);
    await expect.poll(() => arrivals(first)).toBe(1);
    await silence(unheard);
    // Its attempts are handed back as drained, not as lost.
    await expect.poll(started).toEqual([]);
    const { id: waiting } = await executor.start(second);
    const free = async () =>
      (await cluster.query('SELECT locked_by FROM graphile_worker._private_jobs')).map(
        (row) => row.locked_by,
      );
    await expect.poll(free).toEqual([null, null]);
    expect([arrivals(first), arrivals(second)]).toEqual([1, 0]);
    await cluster.start('worker');
    await expect.poll(() => [arrivals(first), arrivals(second)]).toEqual([2, 1]);
    for (const door of [first, second]) openDoor(door);
    expect(attemptsOf(await executor.waitForState(running, 'SUCCESS'))).toEqual(['KILLED', 'SUCCESS']);
    expect(attemptsOf(await executor.waitForState(waiting, 'SUCCESS'))).toEqual(['SUCCESS']);
    await expect.poll(jobs).toBe(0);
  });

  it('a drained worker returns the attempts that it cannot finish, and they do not count as lost', async () => {
    const [executor, leaving] = [await cluster.start('api', 'executor'), await cluster.start('worker')];
    const id = anId();
    await executor.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const next = await cluster.start('worker');
    await leaving.close(0);
    await expect.poll(() => arrivals(id)).toBe(2);
    await next.close(0);
    for (let more = 3; more <= 5; more++) {
      const another = await cluster.start('worker');
      await expect.poll(() => arrivals(id)).toBe(more);
      if (more < 5) await another.close(0);
    }
    openDoor(id);
    expect(attemptsOf(await executor.waitForState(executionId, 'SUCCESS'))).toHaveLength(5);
  });

  it('a kill reaches the worker', async () => {
    const executor = await cluster.start('api', 'executor');
    await cluster.start('worker');
    const id = anId();
    await executor.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await executor.waitForState(executionId, 'RUNNING');
    await expect
      .poll(async () => stateOf(taskRunsOf(await executor.read(executionId))[0] ?? {}))
      .toBe('RUNNING');
    await executor.call('DELETE', `/executions/${executionId}/kill`);
    expect(attemptsOf(await executor.waitForState(executionId, 'KILLED'))).toEqual(['KILLED']);
  });

  it('the executor can go while the worker works: another one gets the result and nothing runs twice', async () => {
    const [going] = [await cluster.start('api', 'executor'), await cluster.start('worker')];
    const id = anId();
    await going.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await going.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await expect
      .poll(async () => stateOf(taskRunsOf(await going.read(executionId))[0] ?? {}))
      .toBe('RUNNING');
    await going.close(0);
    openDoor(id);
    const next = await cluster.start('api', 'executor');
    const execution = await next.waitForState(executionId, 'SUCCESS');
    expect([attemptsOf(execution), arrivals(id)]).toEqual([['SUCCESS'], 1]);
  });

  it('tasks go to workers of their group; without one they wait, fail or cancel as they say', async () => {
    const executor = await cluster.start('api', 'executor', 'worker');
    const [waiting, failing, cancelling] = [anId(), anId(), anId()];
    const flow = (id: string, fallback: string) =>
      aFlow(
        id,
        atDoor(
          id,
          `    workerSelector: { tags: [gpu], match: ALL, fallback: ${fallback}, broadcast: false }\n`,
        ),
      );
    await executor.saveFlow(flow(waiting, 'WAIT'));
    await executor.saveFlow(flow(failing, 'FAIL'));
    await executor.saveFlow(flow(cancelling, 'CANCEL'));
    openDoor(waiting);
    const { id: executionId } = await executor.start(waiting);
    const failed = await executor.run(failing);
    expect([stateOf(failed), attemptsOf(failed)]).toEqual(['FAILED', ['FAILED']]);
    const logs = await executor.call('GET', `/logs/${String(failed.id)}`);
    expect(JSON.stringify(logs.body)).toContain('No worker of the group \\"gpu\\" is running.');
    expect(stateOf(await executor.run(cancelling))).toBe('KILLED');
    expect(stateOf(await executor.read(executionId))).toBe('RUNNING');
    expect(arrivals(waiting)).toBe(0);
    const jobs = () =>
      cluster.query(`SELECT j.payload->>'owner' AS owner FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'millrace:run:gpu'`);
    expect(await jobs()).toHaveLength(1);
    // A server that takes the execution over adds the job again: it replaces the one that waits.
    await executor.close(0);
    const next = await cluster.start('api', 'executor', 'worker');
    const owner = next.product.membership?.id;
    await expect.poll(jobs).toEqual([{ owner }]);
    await cluster.startWith({ worker: { group: 'gpu' } }, 'worker');
    await next.waitForState(executionId, 'SUCCESS');
    expect(arrivals(waiting)).toBe(1);
  });

  /** Makes the database act on jobs from now on. */
  async function onJob(
    when: 'BEFORE INSERT' | 'BEFORE DELETE',
    body: string,
  ): Promise<() => Promise<unknown>> {
    await cluster.query(
      `CREATE OR REPLACE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`,
    );
    await cluster.query(
      `CREATE TRIGGER trouble ${when} ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION trouble()`,
    );
    return () => cluster.query('DROP TRIGGER trouble ON graphile_worker._private_jobs');
  }

  it('[A35] a queue that gives up because the database fails is opened again', async () => {
    const executor = await cluster.start('api', 'executor');
    await cluster.start('worker');
    const [id, next] = [anId(), anId()];
    for (const flow of [id, next]) await executor.saveFlow(aFlow(flow, atDoor(flow)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const mend = await onJob('BEFORE DELETE', `RAISE EXCEPTION 'no';`);
    openDoor(id);
    await executor.waitForState(executionId, 'SUCCESS');
    const { id: nextId } = await executor.start(next);
    await expect.poll(() => arrivals(next)).toBe(1);
    await mend();
    openDoor(next);
    await executor.waitForState(nextId, 'SUCCESS');
    expect([arrivals(id), arrivals(next)]).toEqual([1, 1]);
  });

  it.each(['that is gone', 'of a connected worker that does not know it'])(
    '[A35] a job that is locked for a queue %s is free within seconds, not hours',
    async (which) => {
      const executor = await cluster.start('api', 'executor');
      const worker = await cluster.start('worker');
      const poolOf = `(SELECT data::json -> 'poolIds' ->> 0 FROM servers WHERE id = '${worker.product.membership?.id}')`;
      const id = anId();
      await executor.saveFlow(aFlow(id, atDoor(id)));
      openDoor(id);
      const holder = which === 'that is gone' ? `'pool-gone'` : poolOf;
      const mend = await onJob(
        'BEFORE INSERT',
        `NEW.locked_by := ${holder}; NEW.locked_at := now() - interval '1 minute'; RETURN NEW;`,
      );
      const { id: executionId } = await executor.start(id);
      await expect.poll(jobs).toBeGreaterThan(0);
      await mend();
      await executor.waitForState(executionId, 'SUCCESS');
      expect(arrivals(id)).toBe(1);
    },
  );
});

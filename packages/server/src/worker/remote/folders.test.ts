import { existsSync, readdirSync } from 'node:fs';
import { temporaryFolder } from '@millrace/store/suite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readText } from '../../files/internalStorage.ts';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, stateOf, type TestServer, taskRunsOf } from '../../testing/aServer.ts';
import { severalServers } from '../../testing/severalServers.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

// A test starts several servers and one of them is marked dead.
vi.setConfig({ testTimeout: 60_000 });

/** The first task records its folder and adds a line; the last one outputs the content it finds. */
const inFolder = (door: string, more = '') => `tasks:
  - id: folder
    type: core.flow.WorkingDirectory
${more}    inputFiles:
      given.txt: "from {{ flow.id }}"
    outputFiles: ["out.txt"]
    tasks:
      - id: write
        type: scripts.shell.Commands
        commands: ["cat given.txt > out.txt; echo once >> out.txt; pwd > where.txt"]
      - id: compute
        type: core.debug.Return
        format: "{{ taskrun.id }}"
      - id: wait
        type: test.Door
        door: ${door}
      - id: read
        type: scripts.shell.Commands
        commands:
          - test "$(pwd)" = "$(cat where.txt)"
          - echo "::{\\"outputs\\":{\\"where\\":\\"$(pwd)\\"}}::"
`;

const runOf = (execution: Record<string, unknown>, taskId: string) =>
  taskRunsOf(execution).find((run) => run.taskId === taskId) ?? {};
const whereOf = (execution: Record<string, unknown>) =>
  (runOf(execution, 'read').outputs as { vars?: { where?: string } } | undefined)?.vars?.where ?? '';

async function collected(server: TestServer, execution: Record<string, unknown>): Promise<string> {
  const { outputFiles } = (runOf(execution, 'folder').outputs ?? {}) as {
    outputFiles?: Record<string, string>;
  };
  return readText(await server.product.files.read(outputFiles?.['out.txt'] ?? ''), 1_000);
}

describe('tasks that share a folder, on workers in separate processes', () => {
  const storage = temporaryFolder();
  afterAll(() => storage.remove());
  const cluster = severalServers({ settings: { storage: { path: storage.path } } });
  const rows = async (text: string) => (await cluster.query(text)).length;
  const leftovers = async () => ({
    folders: await rows('SELECT 1 FROM worker_folders'),
    attempts: await rows('SELECT 1 FROM worker_attempts'),
    jobs: await rows('SELECT 1 FROM graphile_worker._private_jobs'),
    messages: await cluster.messages(),
  });
  const nothing = { folders: 0, attempts: 0, jobs: 0, messages: 0 };
  const soon = { timeout: 60_000 };

  /** Simulates a crash, as the other servers see it: no heartbeats and no new jobs. */
  const silence = async ({ product }: TestServer) => {
    await product.membership?.stop();
    const poolOf = `(SELECT data::json -> 'poolIds' ->> 0 FROM servers WHERE id = '${product.membership?.id}')`;
    await cluster.query(
      `CREATE OR REPLACE FUNCTION dead() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF NEW.locked_by = ${poolOf} THEN RETURN NULL; END IF; RETURN NEW; END $$`,
    );
    await cluster.query(
      `CREATE OR REPLACE TRIGGER dead BEFORE UPDATE ON graphile_worker._private_jobs
       FOR EACH ROW EXECUTE FUNCTION dead()`,
    );
  };

  it('[E347] all of them run on one worker of the group that their WorkingDirectory asks for, none on the executor', async () => {
    const executor = await cluster.start('api', 'executor');
    const plain = [await cluster.start('worker'), await cluster.start('worker')];
    const [id, grouped, failing] = [anId(), anId(), anId()];
    await executor.saveFlow(aFlow(id, inFolder(id)));
    await executor.saveFlow(aFlow(grouped, inFolder(grouped, '    workerGroup: { key: gpu }\n')));
    await executor.saveFlow(
      aFlow(failing, inFolder(failing, '    workerGroup: { key: gpu, fallback: FAIL }\n')),
    );
    openDoor(id);
    const execution = await executor.run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    expect(plain.filter(({ product }) => whereOf(execution).startsWith(product.workFolder))).toHaveLength(1);
    expect(await collected(executor, execution)).toBe(`from ${id}once\n`);
    // The group has no worker: the task waits, or fails if its author chose that.
    const { id: waiting } = await executor.start(grouped);
    const failed = await executor.run(failing);
    expect([stateOf(failed), stateOf(runOf(failed, 'folder'))]).toEqual(['FAILED', 'FAILED']);
    const gpu = await cluster.startWith({ worker: { group: 'gpu' } }, 'worker');
    await expect.poll(() => arrivals(grouped), soon).toBe(1);
    openDoor(grouped);
    const there = await executor.waitForState(waiting, 'SUCCESS');
    expect(whereOf(there).startsWith(gpu.product.workFolder)).toBe(true);
    await expect.poll(leftovers, soon).toEqual(nothing);
    for (const { product } of [...plain, gpu]) expect(readdirSync(product.workFolder)).toEqual([]);
  });

  it('[E346] [A35] when the worker is lost in the middle they start over on another one, in a new folder', async () => {
    const executor = await cluster.start('api', 'executor');
    const lost = await cluster.start('worker');
    const id = anId();
    await executor.saveFlow(aFlow(id, inFolder(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id), soon).toBe(1);
    await silence(lost);
    const next = await cluster.start('worker');
    await expect.poll(() => arrivals(id), soon).toBe(2);
    openDoor(id);
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    expect(whereOf(execution).startsWith(next.product.workFolder)).toBe(true);
    expect(await collected(executor, execution)).toBe(`from ${id}once\n`);
    await expect.poll(leftovers, soon).toEqual(nothing);
  });

  it('[E346] one that is drained takes its folder with it, which is no loss, however often', async () => {
    const executor = await cluster.start('api', 'executor');
    const id = anId();
    await executor.saveFlow(aFlow(id, inFolder(id)));
    const { id: executionId } = await executor.start(id);
    for (let worker = 1; worker <= 4; worker++) {
      const leaving = await cluster.start('worker');
      await expect.poll(() => arrivals(id), soon).toBe(worker);
      await leaving.close(0);
    }
    openDoor(id);
    await cluster.start('worker');
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    expect(await collected(executor, execution)).toBe(`from ${id}once\n`);
  });

  it('[E347] the executor can stop meanwhile: another one continues with the folder where it is', async () => {
    const going = await cluster.start('api', 'executor');
    const worker = await cluster.start('worker');
    const id = anId();
    await going.saveFlow(aFlow(id, inFolder(id)));
    const { id: executionId } = await going.start(id);
    await expect.poll(() => arrivals(id), soon).toBe(1);
    await expect
      .poll(async () => stateOf(runOf(await going.read(executionId), 'wait')), soon)
      .toBe('RUNNING');
    await going.close(0);
    const next = await cluster.start('api', 'executor');
    openDoor(id);
    const execution = await next.waitForState(executionId, 'SUCCESS');
    expect([arrivals(id), whereOf(execution).startsWith(worker.product.workFolder)]).toEqual([1, true]);
  });

  it('[E346] [A35] a worker that has no such folder says so, and they start over', async () => {
    const executor = await cluster.start('api', 'executor');
    const worker = await cluster.start('worker');
    const id = anId();
    await executor.saveFlow(aFlow(id, inFolder(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id), soon).toBe(1);
    // The rows are deleted without a notification.
    await cluster.query('DELETE FROM worker_folders');
    await expect.poll(() => readdirSync(worker.product.workFolder), soon).toEqual([]);
    openDoor(id);
    const execution = await executor.waitForState(executionId, 'SUCCESS');
    expect([arrivals(id), await collected(executor, execution)]).toEqual([2, `from ${id}once\n`]);
    await expect.poll(leftovers, soon).toEqual(nothing);
  });

  it('[E347] [A35] a worker that looks after its folders while it opens one does not take it for a left one', async () => {
    const executor = await cluster.start('api', 'executor');
    const worker = await cluster.start('worker');
    const id = anId();
    await executor.saveFlow(aFlow(id, inFolder(id)));
    await cluster.query(
      `CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$`,
    );
    await cluster.query(
      'CREATE TRIGGER slow BEFORE INSERT ON worker_folders FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    const rowsOfWorker = worker.product.store.cluster;
    if (!rowsOfWorker) throw new Error('This database is shared.');
    const { keptFolders } = rowsOfWorker;
    // A stale result from before the row existed, which arrives when the tasks already run.
    const late = vi.spyOn(rowsOfWorker, 'keptFolders').mockImplementation(async (workerId) => {
      const kept = await keptFolders(workerId);
      if (kept.length === 0) await expect.poll(() => arrivals(id), soon).toBe(1);
      return kept;
    });
    try {
      const { id: executionId } = await executor.start(id);
      await expect.poll(() => arrivals(id), soon).toBe(1);
      openDoor(id);
      const execution = await executor.waitForState(executionId, 'SUCCESS');
      expect([arrivals(id), await collected(executor, execution)]).toEqual([1, `from ${id}once\n`]);
    } finally {
      late.mockRestore();
      await cluster.query('DROP TRIGGER slow ON worker_folders');
    }
  });

  it('a folder goes with an execution that is killed in the middle of it', async () => {
    const executor = await cluster.start('api', 'executor');
    const worker = await cluster.start('worker');
    const id = anId();
    await executor.saveFlow(aFlow(id, inFolder(id)));
    const { id: executionId } = await executor.start(id);
    await expect.poll(() => arrivals(id), soon).toBe(1);
    expect(existsSync(worker.product.workFolder)).toBe(true);
    await executor.call('DELETE', `/executions/${executionId}/kill`);
    await executor.waitForState(executionId, 'KILLED');
    await expect.poll(() => readdirSync(worker.product.workFolder), soon).toEqual([]);
    await expect.poll(leftovers, soon).toEqual(nothing);
  });
});

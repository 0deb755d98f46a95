import { parseDuration } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { breakable, mend } from '../testing/breakable.ts';
import { databases } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

type Body = Record<string, unknown>;

const minute = 60_000;
const say = (id: string) => `  - { id: ${id}, type: core.debug.Return, format: ${id} }\n`;
const broken = (name: string, more = '') => `  - { id: ko, type: test.Breakable, name: ${name}${more} }\n`;
const states = (execution: Body) => taskRunsOf(execution).map((run) => `${run.taskId}:${stateOf(run)}`);
const msOf = (thing: Body) => parseDuration(String((thing.state as Body).duration)) ?? Number.NaN;
const startOf = (thing: Body) => Date.parse(String((thing.state as Body).startDate));
const runOf = (execution: Body, taskId: string): Body =>
  taskRunsOf(execution).find((run) => run.taskId === taskId) ?? {};

/** All calls use a real connection, as a client does. The clock stands still until the test moves it. */
describe.each(databases)('a client that repairs executions on $name', (database) => {
  const time = { now: Date.parse('2025-03-01T08:00:00Z') };
  const shared = sharedServer(database, { definitions: [breakable], clock: () => time.now });
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body }> => {
    const { app } = shared();
    const origin = app.server.listening
      ? app.listeningOrigin
      : await app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${origin}/api/v1/main/executions/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const read = async (id: unknown) => (await ask('GET', String(id))).body;
  const reaches = async (id: unknown, ...wanted: string[]): Promise<Body> => {
    await expect.poll(async () => wanted.includes(stateOf(await read(id)))).toBe(true);
    return read(id);
  };
  const run = async (flowId: string) => (await ask('POST', `company.team/${flowId}?wait=true`)).body;
  const logsOf = async (executionId: unknown) =>
    (await shared().call('GET', `/logs/${String(executionId)}`)).body as unknown as Body[];

  it('restarts only what failed, in nested tasks too, and counts the time that it ran', async () => {
    const id = anId();
    await shared().saveFlow(
      aFlow(
        id,
        `tasks:\n${say('a')}  - id: each\n    type: core.flow.ForEach\n    values: [x, y]\n    tasks:\n      - { id: inner, type: core.debug.Return, format: "{{ taskrun.value }}" }\n      - { id: ko, type: test.Breakable, name: ${id} }\n${say('b')}`,
      ),
    );
    const failed = await run(id);
    expect(stateOf(failed)).toBe('FAILED');
    mend(id);
    time.now += 45 * minute;
    expect((await ask('POST', `${failed.id}/restart`)).status).toBe(200);
    const done = await reaches(failed.id, 'SUCCESS');
    // Task runs that had finished still have one attempt.
    for (const taskRun of taskRunsOf(done).filter(({ taskId }) => taskId === 'a' || taskId === 'inner'))
      expect(taskRun.attempts ?? [{}]).toHaveLength(1);
    expect(states(done).every((state) => state.endsWith(':SUCCESS'))).toBe(true);
    for (const taskRun of taskRunsOf(done)) expect(msOf(taskRun)).toBeLessThan(minute);
    expect(msOf(done)).toBeLessThan(minute);
  });

  it('restarts an execution that ended with WARNING, and repeats nothing that finished', async () => {
    const id = anId();
    const inside = `    tasks:\n      - { id: ko, type: test.Breakable, name: ${id} }\n`;
    await shared().saveFlow(
      aFlow(id, `tasks:\n${say('a')}  - id: soft\n    type: core.flow.AllowFailure\n${inside}${say('b')}`),
    );
    const warned = await run(id);
    expect(stateOf(warned)).toBe('WARNING');
    mend(id);
    expect((await ask('POST', `${warned.id}/restart`)).status).toBe(200);
    const done = await reaches(warned.id, 'SUCCESS', 'WARNING');
    expect(runOf(done, 'a').id).toBe(runOf(warned, 'a').id);
    expect(stateOf(runOf(done, 'ko'))).toBe('SUCCESS');
  });

  it('replays from a task: earlier task runs are marked as copied, and the replay starts when it starts', async () => {
    const id = anId();
    await shared().saveFlow(aFlow(id, `tasks:\n${say('a')}${say('b')}${say('c')}`));
    const original = await run(id);
    time.now += 45 * minute;
    const from = String(runOf(original, 'b').id);
    const replayed = await ask('POST', `${original.id}/replay?taskRunId=${from}`);
    expect(replayed.status).toBe(200);
    expect(replayed.body.id).not.toBe(original.id);
    const done = await reaches(replayed.body.id, 'SUCCESS');
    expect(states(done)).toEqual(['a:SUCCESS', 'b:SUCCESS', 'c:SUCCESS']);
    expect(taskRunsOf(done).map(({ copied }) => copied === true)).toEqual([true, false, false]);
    expect(startOf(done)).toBe(time.now);
    expect(startOf(runOf(done, 'b'))).toBe(time.now);
    expect(msOf(done)).toBeLessThan(minute);
    expect(startOf(runOf(done, 'a'))).toBe(startOf(runOf(original, 'a')));
  });

  it('marks a task run: its duration stays the time that it ran', async () => {
    const id = anId();
    await shared().saveFlow(aFlow(id, `tasks:\n${broken(id)}${say('b')}`));
    const failed = await run(id);
    time.now += 45 * minute;
    const change = { taskRunId: runOf(failed, 'ko').id, state: 'SUCCESS' };
    expect((await ask('POST', `${failed.id}/state`, change)).status).toBe(200);
    const done = await reaches(failed.id, 'SUCCESS');
    expect(states(done)).toEqual(['ko:SUCCESS', 'b:SUCCESS']);
    expect(msOf(runOf(done, 'ko'))).toBeLessThan(minute);
    expect(msOf(done)).toBeLessThan(minute);
  });

  it('gives a restart and a replay the whole time of an SLA', async () => {
    const id = anId();
    const sla =
      'sla:\n  - { id: late, type: MAX_DURATION, duration: PT10M, behavior: FAIL, labels: { sla: missed } }\n';
    await shared().saveFlow(
      aFlow(id, `${sla}tasks:\n${say('a')}${broken(id)}  - { id: wait, type: test.Door, door: ${id} }\n`),
    );
    const failed = await run(id);
    mend(id);
    time.now += 45 * minute;
    const replayed = await ask('POST', `${failed.id}/replay?taskRunId=${String(runOf(failed, 'ko').id)}`);
    await ask('POST', `${failed.id}/restart`);
    await expect.poll(() => arrivals(id)).toBe(2);
    for (const execution of [replayed.body.id, failed.id])
      expect(stateOf(await read(execution))).toBe('RUNNING');
    openDoor(id);
    for (const execution of [replayed.body.id, failed.id]) await reaches(execution, 'SUCCESS');
  });

  it('reads a line of Return at DEBUG and of Sleep at INFO', async () => {
    const id = anId();
    await shared().saveFlow(
      aFlow(id, `tasks:\n${say('hello')}  - { id: rest, type: core.flow.Sleep, duration: PT0.01S }\n`),
    );
    const done = await run(id);
    expect(stateOf(done)).toBe('SUCCESS');
    const lines = (await logsOf(done.id)).map(({ taskId, level }) => `${String(taskId)} ${String(level)}`);
    expect(lines).toEqual(expect.arrayContaining(['hello DEBUG', 'rest INFO']));
  });

  it('sees how the batches of a ForEachItem ended, with every counter, while and after a repair', async () => {
    const [child, parent] = [anId(), anId()];
    await shared().saveFlow(
      aFlow(
        child,
        `inputs:\n  - { id: n, type: INT }\ntasks:\n  - id: choose\n    type: core.flow.If\n    condition: "{{ inputs.n == 1 }}"\n    then:\n      - { id: ko, type: test.Breakable, name: ${child} }\n    else:\n      - { id: fine, type: core.debug.Return, format: fine }\n`,
      ),
    );
    await shared().saveFlow(
      aFlow(
        parent,
        `tasks:\n  - { id: file, type: core.storage.Write, content: "a\\nb\\n" }\n  - id: each\n    type: core.flow.ForEachItem\n    items: "{{ outputs.file.uri }}"\n    batch: { rows: 1 }\n    namespace: company.team\n    flowId: ${child}\n    inputs: { n: "{{ taskrun.iteration }}" }\n`,
      ),
    );
    const failed = await run(parent);
    expect(stateOf(failed)).toBe('FAILED');
    const counters = { CREATED: 0, RUNNING: 0, SUCCESS: 0, WARNING: 0, FAILED: 0, KILLED: 0, CANCELLED: 0 };
    const iterationsOf = (execution: Body) => (runOf(execution, 'each_items').outputs as Body).iterations;
    expect(iterationsOf(failed)).toEqual({ ...counters, SUCCESS: 1, FAILED: 1 });
    mend(child);
    await ask('POST', `${failed.id}/restart`);
    const done = await reaches(failed.id, 'SUCCESS');
    expect(iterationsOf(done)).toEqual({ ...counters, SUCCESS: 2 });
  });

  it('gets a clear error for what cannot be repaired', async () => {
    const id = anId();
    await shared().saveFlow(aFlow(id));
    const done = await run(id);
    expect((await ask('POST', 'nowhere/restart')).status).toBe(404);
    const nowhere = { taskRunId: 'nowhere', state: 'SUCCESS' };
    for (const refused of [
      await ask('POST', `${done.id}/restart`),
      await ask('POST', `${done.id}/replay?taskRunId=nowhere`),
      await ask('POST', `${done.id}/state`, nowhere),
    ])
      expect(refused).toMatchObject({ status: 422, body: { message: expect.stringMatching(/./) } });
  });
});

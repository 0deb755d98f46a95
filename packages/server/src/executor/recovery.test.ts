import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionRecord } from '@millrace/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, stateOf, statesOf, taskRunsOf } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';
import { recoverExecutions } from './recovery.ts';

const thenLog = (door: string) =>
  `tasks:\n  - id: wait\n    type: test.Door\n    door: ${door}\n  - id: after\n    type: core.log.Log\n    message: x\n`;

describe.each(databases)('recovery on $name', (database) => {
  it('[A35] runs again what was running when the process ended', async () => {
    const server = await aServer(database);
    const id = anId();
    await server.saveFlow(aFlow(id, thenLog(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await server.reopen();
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    const execution = await server.waitForState(executionId, 'SUCCESS');
    const [wait, after] = taskRunsOf(execution);
    const attempts = (wait?.attempts ?? []) as Record<string, unknown>[];
    expect(attempts.map(stateOf)).toEqual(['KILLED', 'SUCCESS']);
    expect(stateOf(after ?? {})).toBe('SUCCESS');
    expect(taskRunsOf(execution)).toHaveLength(2);
  });

  it('[E346] starts over in a shared folder that went with the machine', async () => {
    const server = await aServer(database);
    const id = anId();
    const door = `      - id: wait\n        type: test.Door\n        door: ${id}\n`;
    const step = (name: string, command: string) =>
      `      - id: ${name}\n        type: scripts.shell.Commands\n        commands: ["${command}"]\n`;
    const tasks = `${step('write', 'echo content > file.txt')}${door}${step('read', 'grep content file.txt')}`;
    await server.saveFlow(
      aFlow(id, `tasks:\n  - id: folder\n    type: core.flow.WorkingDirectory\n    tasks:\n${tasks}`),
    );
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await server.close(0);
    rmSync(join(server.product.config.data, 'work'), { recursive: true });
    await server.reopen();
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
  });

  it('keeps dates, queues and children over a restart', async () => {
    const server = await aServer(database);
    const [scheduled, limited, child, parent] = [anId(), anId(), anId(), anId()];
    await server.saveFlow(aFlow(scheduled));
    await server.saveFlow(aFlow(limited, `concurrency: { limit: 1 }\n${thenLog(limited)}`));
    await server.saveFlow(aFlow(child, thenLog(child)));
    await server.saveFlow(
      aFlow(
        parent,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${child}`,
      ),
    );
    const soon = encodeURIComponent(new Date(Date.now() + 1_500).toISOString());
    const later = await server.start(scheduled, {}, `?scheduleDate=${soon}`);
    const [first, second] = [await server.start(limited), await server.start(limited)];
    const caller = await server.start(parent);
    await server.waitForState(second.id, 'QUEUED');
    await expect.poll(() => [arrivals(limited), arrivals(child)]).toEqual([1, 1]);
    await server.reopen();
    await expect.poll(() => [arrivals(limited), arrivals(child)]).toEqual([2, 2]);
    expect(stateOf(await server.read(second.id))).toBe('QUEUED');
    openDoor(limited);
    openDoor(child);
    for (const { id } of [first, second, caller, later]) await server.waitForState(id, 'SUCCESS');
    const { body } = await server.call('GET', `/executions/search?flowId=${child}`);
    expect(body.total).toBe(1);
  });

  it('starts what was stored and not yet started', async () => {
    const server = await aServer(database);
    const id = anId();
    await server.saveFlow(aFlow(id));
    const template = (await server.product.store.getExecution((await server.run(id)).id))?.execution;
    // Only stored, as by a process that ended right after the first commit.
    const stored = justCreated(template, 'storedOnly');
    await server.product.store.commit([{ op: 'execution.insert', execution: stored }]);
    await server.reopen();
    const execution = await server.waitForState('storedOnly', 'SUCCESS');
    expect(statesOf(execution)).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
  });

  it('[A37] marks executions that cannot continue and starts nevertheless', async () => {
    const server = await aServer(database);
    const id = anId();
    await server.saveFlow(aFlow(id));
    const { store } = server.product;
    const template = (await store.getExecution((await server.run(id)).id))?.execution;
    const flow = await store.getFlow('company.team', id);
    if (!flow) throw new Error('The flow was just saved.');
    const broken = {
      ...flow,
      id: 'broken',
      source: 'id: broken\nnamespace: company.team\ntasks:\n  - id: x\n    type: gone.Plugin\n',
    };
    await store.commit([
      { op: 'flow.insert', flow: broken, expectRevision: 0 },
      { op: 'execution.insert', execution: { ...justCreated(template, 'poisoned'), flowId: 'broken' } },
      { op: 'execution.insert', execution: { ...justCreated(template, 'orphaned'), flowId: 'nowhere' } },
      { op: 'execution.insert', execution: justCreated(template, 'healthy') },
    ]);
    await server.reopen();
    await server.waitForState('poisoned', 'FAILED');
    await server.waitForState('orphaned', 'FAILED');
    await server.waitForState('healthy', 'SUCCESS');
    const logs = (await server.call('GET', '/logs/poisoned')).body as unknown as { message: string }[];
    expect(logs.map(({ message }) => message).join()).toContain('gone.Plugin');
    const shown = await server.call('GET', '/flows/company.team/broken?source=true');
    expect(shown.body).toMatchObject({ tasks: [], exception: expect.stringContaining('gone.Plugin') });
    expect((await server.call('POST', '/executions/company.team/broken')).status).toBe(409);
  });
});

describe('working folders after a crash', () => {
  it('keeps those of attempts that recovery starts and of open task runs, and removes the others', async () => {
    const server = await aServer(sqlite);
    const id = anId();
    await server.saveFlow(aFlow(id, thenLog(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const { executor, store, workFolder } = server.product;
    const taskRunId = (await store.getExecution(executionId))?.taskRuns[0]?.id;
    const inWork = (name: string) => join(workFolder, name);
    for (const name of [`${taskRunId}-0`, `${taskRunId}.1`, 'gone-0', 'gone', 'gone-1.log'])
      mkdirSync(inWork(name));
    const recover = executor.recover.bind(executor);
    onTestFinished(() => {
      executor.recover = recover;
    });
    // An attempt may start at once, long before recovery has come to the last execution.
    executor.recover = () => void mkdirSync(inWork(`${taskRunId}-1`));
    await recoverExecutions(executor, executor.parts, workFolder);
    expect(readdirSync(workFolder).sort()).toEqual([`${taskRunId}-1`, `${taskRunId}.1`]);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
  });
});

function justCreated(template: ExecutionRecord | undefined, id: string): ExecutionRecord {
  if (!template) throw new Error('There is no execution to copy.');
  const { closedAt: _, ...rest } = template;
  return {
    ...rest,
    id,
    originalId: id,
    state: { current: 'CREATED', histories: [{ state: 'CREATED', date: 1 }] },
  };
}

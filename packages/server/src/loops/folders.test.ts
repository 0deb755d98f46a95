import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { arrivals } from '../testing/testTasks.ts';

describe('tasks that run processes', () => {
  const shared = sharedServer(sqlite);

  it('runs a shell command and keeps its output as log lines', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: x\n    type: scripts.shell.Commands\n    commands:\n      - echo hello from $((40 + 2))`,
      ),
    );
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    await server.product.logs.flush();
    const { body } = await server.call('GET', `/logs/${execution.id}`);
    expect(JSON.stringify(body)).toContain('hello from 42');
  });

  it('shares a folder between tasks, fills it before and keeps files of it after', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        `tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    inputFiles:
      in.txt: "given to {{ flow.id }}"
    outputFiles: ["out.txt"]
    tasks:
      - id: write
        type: scripts.shell.Commands
        commands: ["cat in.txt > out.txt; echo more >> out.txt"]
      - id: read
        type: scripts.shell.Commands
        commands: ["grep more out.txt"]`,
      ),
    );
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('SUCCESS');
    const folder = taskRunsOf(execution).find((run) => run.taskId === 'folder');
    const { outputFiles } = (folder?.outputs ?? {}) as { outputFiles?: Record<string, string> };
    const uri = outputFiles?.['out.txt'] ?? '';
    const chunks = [];
    for await (const chunk of await server.product.files.read(uri)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(`given to ${id}more\n`);
  });

  it('fails with the exit code of the command', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(id, `tasks:\n  - id: x\n    type: scripts.shell.Commands\n    commands: ["exit 3"]`),
    );
    expect(stateOf(await server.run(id))).toBe('FAILED');
  });

  it('a shared folder goes with an execution that is killed in the middle of it', async () => {
    const [server, id] = [shared(), anId()];
    const door = `      - id: wait\n        type: test.Door\n        door: ${id}\n`;
    const write = `      - id: write\n        type: scripts.shell.Commands\n        commands: ["echo x > file.txt"]\n`;
    await server.saveFlow(
      aFlow(id, `tasks:\n  - id: folder\n    type: core.flow.WorkingDirectory\n    tasks:\n${write}${door}`),
    );
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    expect(readdirSync(server.product.workFolder)).toHaveLength(1);
    await server.call('DELETE', `/executions/${executionId}/kill`);
    await server.waitForState(executionId, 'KILLED');
    await expect.poll(() => readdirSync(server.product.workFolder)).toEqual([]);
  });
});

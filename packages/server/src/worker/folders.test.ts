import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toStream } from '../files/internalStorage.ts';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf, yaml } from '../testing/aServer.ts';
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

  it('brings files of the namespace, and files that an earlier execution kept, until they expire', async () => {
    const [server, id] = [shared(), anId()];
    const { files, namespaceFiles, janitor } = server.product;
    await namespaceFiles.write('company.team', 'lib/a.txt', toStream('from the namespace'));
    await namespaceFiles.write('company.team', 'lib/b.md', toStream('not wanted'));
    const source = (ttl: string) =>
      aFlow(
        id,
        `tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    namespaceFiles: {include: ["**/*.txt"]}
    cache: {patterns: ["deps/**"], ttl: ${ttl}}
    tasks:
      - id: work
        type: scripts.shell.Commands
        commands:
          - mkdir -p deps && echo again >> deps/count
          - ln -sf /etc/passwd deps/link
          - echo "::{\\"outputs\\":{\\"n\\":\\"$(wc -l < deps/count | tr -d ' ')\\",\\"files\\":\\"$(ls lib)\\"}}::"`,
      );
    const varsOf = async () => {
      const execution = await server.run(id);
      const work = taskRunsOf(execution).find((run) => run.taskId === 'work');
      return [stateOf(execution), (work?.outputs as { vars?: unknown } | undefined)?.vars];
    };
    await server.saveFlow(source('PT1H'));
    expect(await varsOf()).toEqual(['SUCCESS', { n: '1', files: 'a.txt' }]);
    expect(await varsOf()).toEqual(['SUCCESS', { n: '2', files: 'a.txt' }]);
    const kept = async () => {
      const uris: string[] = [];
      for await (const { uri } of files.walk(['cache', 'folders'])) uris.push(uri);
      return uris.length;
    };
    // The list and one file: neither the link nor the files of the first execution.
    expect(await kept()).toBe(2);
    await server.call('PUT', `/flows/company.team/${id}`, yaml(source('PT0S')));
    expect(await varsOf()).toEqual(['SUCCESS', { n: '3', files: 'a.txt' }]);
    expect(await varsOf()).toEqual(['SUCCESS', { n: '1', files: 'a.txt' }]);
    await janitor.runRound();
    expect(await kept()).toBe(0);
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

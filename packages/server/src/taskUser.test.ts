import { describe, expect, it, onTestFinished } from 'vitest';
import { findTaskUser } from './taskUser.ts';
import { aFlow } from './testing/aFlow.ts';
import { aServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('tasks.user', () => {
  it('[A34] runs processes as another user, who reads its working folder and not the data of the server', async () => {
    const umask = process.umask();
    onTestFinished(() => void process.umask(umask));
    const server = await aServer(sqlite, {
      settings: { tasks: { user: 'nobody' } },
      env: { PATH: process.env.PATH ?? '', HOME: '/root' },
    });
    const { data } = server.product.config;
    await server.saveFlow(
      aFlow(
        'other',
        `tasks:
  - id: shared
    type: core.flow.WorkingDirectory
    inputFiles:
      in.txt: from the flow
    tasks:
      - id: first
        type: scripts.shell.Script
        inputFiles:
          folder/more.txt: from the task
        outputFiles: [out.txt]
        script: |
          cat in.txt folder/more.txt && echo changed >> in.txt && id -u > out.txt && mkdir mine && echo x > mine/x
          if ls ${data} || cat ${data}/*.db; then exit 7; fi
          if [ "$HOME" = /root ]; then exit 8; fi
      - id: second
        type: scripts.shell.Script
        inputFiles:
          mine/y: beside
        script: cat mine/x mine/y && rm -r mine folder
`,
      ),
    );
    const execution = await server.run('other');
    expect(stateOf(execution)).toBe('SUCCESS');
    const first = taskRunsOf(execution).find(({ taskId }) => taskId === 'first');
    expect(first?.outputs).toMatchObject({ outputFiles: { 'out.txt': expect.any(String) } });
  }, 180_000);

  it('names the user by name or number, and refuses root and unknown users', async () => {
    expect(await findTaskUser('nobody')).toMatchObject({ uid: 65_534 });
    expect(await findTaskUser('1234')).toEqual({ uid: 1_234, gid: 1_234, home: '/' });
    await expect(findTaskUser('root')).rejects.toThrow('is root');
    await expect(findTaskUser('0')).rejects.toThrow('is root');
    await expect(findTaskUser('no such user')).rejects.toThrow('no such user on this machine');
  });
});

it.runIf(!isRoot)('tasks.user is refused without root', async () => {
  await expect(findTaskUser('nobody')).rejects.toThrow('runs as root');
});

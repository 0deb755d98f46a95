import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { readStream } from '../testing/readStream.ts';

const writes = `inputs:
  - {id: data, type: FILE, required: false}
tasks:
  - {id: write, type: core.storage.Write, content: hello}
  - {id: say, type: core.log.Log, message: "stored at {{ outputs.write.uri }}"}
  - {id: echo, type: core.debug.Return, format: core.log.Log}
`;
type Written = { taskRunList: { outputs: { uri?: string; value?: string } }[] };

describe.each(databases)('compatibility: kestra on $name', (database) => {
  const shared = sharedServer(database, { settings: { compatibility: 'kestra' } });
  const plain = sharedServer(database);

  it('presents addresses of files and names of types as Kestra does', async () => {
    const [server, id] = [shared(), anId()];
    const saved = await server.saveFlow(aFlow(id, writes));
    expect(saved).toMatchObject({
      source: expect.stringContaining('type: core.storage.Write'),
      tasks: [
        { type: 'io.kestra.plugin.core.storage.Write' },
        { type: 'io.kestra.plugin.core.log.Log' },
        { type: 'io.kestra.plugin.core.debug.Return' },
      ],
      inputs: [{ type: 'FILE' }],
    });
    const execution = (await server.run(id)) as unknown as Written & { id: string };
    const [write, , echo] = execution.taskRunList;
    expect(write?.outputs.uri).toMatch(/^kestra:\/\/\//);
    // A value of the flow that looks like a type stays unchanged.
    expect(echo?.outputs.value).toBe('core.log.Log');
    const logs = (await server.call('GET', `/logs/${execution.id}?taskId=say`)).body as unknown as object[];
    expect(logs).toMatchObject([{ message: `stored at ${write?.outputs.uri}` }]);
    const plugins = (await server.call('GET', '/plugins')).body as unknown as {
      group: string;
      tasks: { cls: string }[];
      manifest: object;
    }[];
    const core = plugins.find(({ group }) => group === 'io.kestra.plugin.core');
    expect(core?.tasks).toContainEqual({ cls: 'io.kestra.plugin.core.log.Log', deprecated: false });
    expect(core?.manifest).toMatchObject({ 'X-Kestra-Group': 'io.kestra.plugin.core' });
    const icons = (await server.call('GET', '/plugins/icons')).body;
    expect(icons).toHaveProperty(['io.kestra.plugin.core.log.Log', 'icon']);
    const groupIcons = (await server.call('GET', '/plugins/icons/groups')).body;
    expect(groupIcons).toHaveProperty(['io.kestra.plugin.core']);
    const origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const frames = await (await readStream(`${origin}/api/v1/executions/${execution.id}/follow`)).all();
    expect(frames.at(-1)?.data).toMatchObject({
      taskRunList: [{ outputs: { uri: write?.outputs.uri } }, {}, {}],
    });
  });

  it('accepts both forms of addresses and names, with and without the setting', async () => {
    for (const server of [shared(), plain()]) {
      const id = anId();
      await server.saveFlow(aFlow(id, writes.replaceAll('type: core.', 'type: io.kestra.plugin.core.')));
      const first = (await server.run(id)) as unknown as Written & { id: string };
      const uri = String(first.taskRunList[0]?.outputs.uri).replace(/^\w+:/, '');
      for (const scheme of ['kestra', 'millrace']) {
        const path = encodeURIComponent(`${scheme}:${uri}`);
        const read = await server.call('GET', `/executions/${first.id}/file?path=${path}`);
        expect([read.status, read.body]).toEqual([200, 'hello']);
        expect(await server.run(id, { data: `${scheme}:${uri}` })).toMatchObject({
          state: { current: 'SUCCESS' },
        });
      }
      for (const cls of ['core.log.Log', 'io.kestra.plugin.core.log.Log'])
        expect((await server.call('GET', `/plugins/${cls}`)).status).toBe(200);
    }
  });

  it('is off unless chosen', async () => {
    const [server, id] = [plain(), anId()];
    expect(await server.saveFlow(aFlow(id, writes))).toMatchObject({
      tasks: [{ type: 'core.storage.Write' }, {}, {}],
    });
    const { taskRunList } = (await server.run(id)) as unknown as Written;
    expect(taskRunList[0]?.outputs.uri).toMatch(/^millrace:\/\/\//);
  });
});

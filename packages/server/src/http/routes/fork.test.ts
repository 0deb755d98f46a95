import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const value = (id: string, text: string) =>
  `  - id: ${id}\n    type: core.debug.Return\n    format: "${text}"\n`;
const broken = '  - id: ko\n    type: core.execution.Fail\n';
const inputs =
  'inputs:\n  - { id: day, type: STRING, defaults: mon }\n  - { id: size, type: INT, defaults: 1 }\n';
const outputsOf = (body: Record<string, unknown>) =>
  Object.fromEntries(
    taskRunsOf(body).map((run) => [run.taskId, (run.outputs as { value?: unknown } | null)?.value]),
  );

describe.each(databases)('forks on $name', (database) => {
  const shared = sharedServer(database);
  const forkFrom = async (execution: Record<string, unknown>, taskId: string, payload: object) => {
    const taskRunId = taskRunsOf(execution).find((run) => run.taskId === taskId)?.id ?? taskId;
    return shared().call('POST', `/executions/${execution.id}/taskruns/${taskRunId}/fork`, { payload });
  };
  const source = (id: string, tasks: string) => aFlow(id, `${inputs}tasks:\n${tasks}`);
  const chain = (id: string) =>
    source(id, `${value('a', '{{ inputs.day }}')}${value('b', '{{ outputs.a.value }}')}${broken}`);

  it('O-4.1 O-4.3 [E392] runs what follows with edited outputs, linked to its origin', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(source(id, `${value('a', 'one')}${value('b', '{{ outputs.a.value }}')}`));
    const origin = await server.run(id);
    const forked = await forkFrom(origin, 'a', { outputs: { value: 'edited' } });
    expect(forked.status).toBe(200);
    expect(forked.body).toMatchObject({ parentId: origin.id, originalId: origin.id });
    const done = await server.waitForState(String(forked.body.id), 'SUCCESS');
    expect(outputsOf(done)).toEqual({ a: 'edited', b: 'edited' });
    expect(taskRunsOf(done)[0]).toMatchObject({ edited: true });
    const search = `/executions/search?labels=${encodeURIComponent(`system.fork:${origin.id}`)}`;
    expect((await server.call('GET', search)).body).toMatchObject({ results: [{ id: done.id }] });
    const after = await server.read(String(origin.id));
    expect(after.labels).toContainEqual({ key: 'system.replayed', value: 'true' });
  });

  it('O-4.2 [E395] runs an edited text and other inputs as a draft, also after a restart, and keeps the flow', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(chain(id));
    const origin = await server.run(id);
    expect(stateOf(origin)).toBe('FAILED');
    const text = source(
      id,
      `${value('a', '{{ inputs.day }}')}${value('b', '{{ inputs.day }}!')}${value('ko', 'mended')}`,
    );
    const forked = await forkFrom(origin, 'b', { source: text, inputs: { day: 'tue' } });
    expect(forked.body).toMatchObject({ flowRevision: -1, inputs: { day: 'tue', size: 1 } });
    const done = await server.waitForState(String(forked.body.id), 'SUCCESS');
    expect(outputsOf(done)).toEqual({ a: 'mon', b: 'tue!', ko: 'mended' });
    await server.reopen();
    const flow = `/flows/company.team/${id}`;
    const draft = await server.call('GET', `${flow}?source=true&revision=-1`);
    expect(draft.body.source).toContain('mended');
    expect((await server.call('GET', flow)).body.revision).toBe(1);
    expect((await server.call('GET', `${flow}/revisions`)).body).toHaveLength(1);
    const replayed = await server.call('POST', `/executions/${done.id}/replay`);
    await server.waitForState(String(replayed.body.id), 'SUCCESS');
    const again = await forkFrom(origin, 'b', { source: text.replace('mended', 'again') });
    expect(again.body.flowRevision).toBe(-2);
    await server.waitForState(String(again.body.id), 'SUCCESS');
  });

  it('[E394] [E395] refuses an edit that cannot run, with the reason', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(chain(id));
    const origin = await server.run(id);
    const refusals: readonly [object, string, string][] = [
      [{ inputs: { size: 'many' } }, 'b', 'Invalid input for `size`'],
      [{ source: 'tasks: [' }, 'b', 'yaml'],
      [{ source: chain('other') }, 'b', `the id must stay "${id}"`],
      [{ source: source(id, value('a', 'x')) }, 'b', 'the flow to run has no task "b"'],
      [{ source: chain(id), revision: 1 }, 'b', 'either a source or a revision'],
      [{ revision: 7 }, 'b', 'no revision 7'],
      [{ outputs: ['x'] }, 'b', 'outputs'],
      [{ outputs: { a: { type: 'io.kestra.datatype:aes_encrypted', value: 'x' } } }, 'b', 'encrypted value'],
      [{}, 'nothing', 'there is no task run "nothing"'],
    ];
    for (const [payload, taskId, reason] of refusals) {
      const refused = await forkFrom(origin, taskId, payload);
      expect(refused.status, JSON.stringify(payload)).toBeGreaterThanOrEqual(400);
      expect(refused.status).toBeLessThan(500);
      expect(JSON.stringify(refused.body).replaceAll('\\"', '"')).toContain(reason);
    }
    expect((await server.call('POST', '/executions/none/taskruns/x/fork', { payload: {} })).status).toBe(404);
    expect((await server.call('GET', `/flows/company.team/${id}?revision=-1`)).status).toBe(404);
  });

  it('shows the properties of a task as they render for a task run, with secrets hidden', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      source(id, `${value('a', '{{ inputs.day }} {{ taskrun.id }}')}${value('b', '{{ 1 / nothing }}')}`),
    );
    const { body } = await server.call('POST', `/executions/company.team/${id}?wait=true`);
    const [a, b] = taskRunsOf(body);
    const properties = (run: unknown) =>
      server.call('GET', `/executions/${body.id}/taskruns/${run}/properties`);
    expect((await properties(a?.id)).body).toEqual({
      type: 'core.debug.Return',
      properties: { format: `mon ${a?.id}` },
      problems: [],
    });
    if (b) {
      const failed = await properties(b.id);
      expect(failed.body).toMatchObject({ problems: [{ property: 'format' }] });
    }
    expect((await properties('nothing')).status).toBe(404);
  });
});

import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, form, sharedServer, stateOf, statesOf, taskRunsOf } from '../../testing/aServer.ts';
import { breakable, mend } from '../../testing/breakable.ts';
import { databases } from '../../testing/databases.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const log = (id: string, message = id) =>
  `  - id: ${id}\n    type: core.log.Log\n    message: "${message}"\n`;
const value = (id: string, text: string) =>
  `  - id: ${id}\n    type: core.debug.Return\n    format: "${text}"\n`;
const broken = (name: string) => `  - id: ko\n    type: test.Breakable\n    name: ${name}\n`;
const door = (name: string) => `  - id: wait\n    type: test.Door\n    door: ${name}\n`;
const pause = (id: string, rest = '') => `  - id: ${id}\n    type: core.flow.Pause\n${rest}`;
const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});
const labelsOf = (body: Record<string, unknown>) =>
  Object.fromEntries((body.labels as { key: string; value: string }[]).map(({ key, value: v }) => [key, v]));
const states = (body: Record<string, unknown>) =>
  taskRunsOf(body).map((run) => `${run.taskId}:${stateOf(run)}`);

describe.each(databases)('actions on executions on $name', (database) => {
  const shared = sharedServer(database, {
    definitions: [breakable],
    env: { SECRET_TOKEN: Buffer.from('{"user":"ada"}').toString('base64') },
  });
  const post = (path: string, options = {}) => shared().call('POST', `/executions/${path}`, options);

  it('[S2-7e.1] restarts the failed task of the same execution', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${log('a')}${broken(id)}${log('b')}`));
    const failed = await server.run(id);
    expect(stateOf(failed)).toBe('FAILED');
    mend(id);
    const restarted = await post(`${failed.id}/restart`);
    expect(restarted.status).toBe(200);
    expect(statesOf(restarted.body)).toEqual(['CREATED', 'RUNNING', 'FAILED', 'RESTARTED']);
    expect(restarted.body).toMatchObject({ id: failed.id, metadata: { attemptNumber: 2 } });
    expect(labelsOf(restarted.body)['system.restarted']).toBe('true');
    const done = await server.waitForState(failed.id, 'SUCCESS');
    expect(states(done)).toEqual(['a:SUCCESS', 'ko:SUCCESS', 'b:SUCCESS']);
    expect(taskRunsOf(done)[1]?.attempts).toHaveLength(2);
  });

  it('[E78] stops at breakpoints, over a restart of the server too, and resumes from there', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${log('a')}${log('b')}${log('c')}`));
    const { id: executionId } = await server.start(id, {}, '?breakpoints=b,c');
    const stopped = await server.waitForState(executionId, 'BREAKPOINT');
    expect(states(stopped)).toEqual(['a:SUCCESS', 'b:CREATED']);
    expect(stopped.breakpoints).toEqual([{ id: 'b' }, { id: 'c' }]);
    await server.reopen();
    const found = await server.call('GET', '/executions/search?state=BREAKPOINT');
    expect(found.body).toMatchObject({ results: [{ id: executionId }] });
    const on = await post(`${executionId}/resume-from-breakpoint?breakpoints=c`);
    expect([on.status, on.body]).toEqual([204, '']);
    await expect.poll(async () => states(await server.read(executionId))).toHaveLength(3);
    expect((await post(`${executionId}/actions/resume-from-breakpoint`)).status).toBe(204);
    const done = await server.waitForState(executionId, 'SUCCESS');
    expect(states(done)).toEqual(['a:SUCCESS', 'b:SUCCESS', 'c:SUCCESS']);
    expect((await post(`${executionId}/resume-from-breakpoint`)).status).toBe(409);
    expect((await post('nobody/resume-from-breakpoint')).status).toBe(404);
    expect((await post(`company.team/${id}?breakpoints=.x`)).status).toBe(422);
  });

  it('[S2-7e.1] [S2-4.2] restarts on another revision as a new execution', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${value('a', 'kept')}${broken(id)}`));
    const failed = await server.run(id);
    const source = aFlow(
      id,
      `tasks:\n${value('a', 'new')}${value('ko', '{{ outputs.a.value }}')}${log('b')}`,
    );
    const saved = await server.call('PUT', `/flows/company.team/${id}`, {
      headers: { 'content-type': 'application/x-yaml' },
      payload: source,
    });
    expect(saved.status).toBe(200);
    const { status, body } = await post(`${failed.id}/restart?revision=2`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ parentId: failed.id, originalId: failed.id, flowRevision: 2 });
    expect(body.id).not.toBe(failed.id);
    const done = await server.waitForState(String(body.id), 'SUCCESS');
    expect(states(done)).toEqual(['a:SUCCESS', 'ko:SUCCESS', 'b:SUCCESS']);
    expect(taskRunsOf(done)[1]?.outputs).toEqual({ value: 'kept' });
    expect(stateOf(await server.read(failed.id))).toBe('FAILED');
    expect((await post(`${failed.id}/restart?revision=9`)).status).toBe(404);
    expect((await post(`${body.id}/restart`)).status).toBe(422);
  });

  it('refuses to restart what runs, and what is unknown', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${door(id)}`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const refused = await post(`${executionId}/restart`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(/^Illegal state: .*RUNNING/),
    ]);
    openDoor(id);
    for (const action of ['restart', 'replay', 'pause', 'resume', 'unqueue', 'force-run', 'eval']) {
      expect([action, (await post(`unknown/${action}`)).status]).toEqual([action, 404]);
    }
    expect((await post('unknown/change-status?status=FAILED')).status).toBe(404);
    expect((await post('unknown/labels', json([]))).status).toBe(404);
    expect((await post('unknown/state', json({ taskRunId: 'x', state: 'FAILED' }))).status).toBe(404);
  });

  it('[S2-7e.10] replays from the beginning and marks the source', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(id, `inputs:\n  - id: who\n    type: STRING\ntasks:\n${log('a', '{{ inputs.who }}')}`),
    );
    const source = await server.run(id, { who: 'Ada' });
    const { status, body } = await post(`${source.id}/replay`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      parentId: source.id,
      originalId: source.id,
      inputs: { who: 'Ada' },
      state: { current: 'CREATED' },
      metadata: { attemptNumber: 2 },
    });
    expect(labelsOf(body)['system.replay']).toBe('true');
    await server.waitForState(String(body.id), 'SUCCESS');
    expect(labelsOf(await server.read(source.id))['system.replayed']).toBe('true');
    const other = await post(`${source.id}/replay-with-inputs`, form({ who: 'Grace' }));
    expect(other.body).toMatchObject({ inputs: { who: 'Grace' }, parentId: source.id });
    const bad = await post(`${source.id}/replay-with-inputs`, form({}));
    expect([bad.status, bad.body._embedded]).toEqual([
      422,
      { errors: [expect.objectContaining({ path: 'who' })] },
    ]);
  });

  it('[S2-7e.10] replays from a task run on, on the revision asked for', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        `tasks:\n${value('a', '{{ execution.id }}')}${value('b', '{{ outputs.a.value }}')}${log('c')}`,
      ),
    );
    const source = await server.run(id);
    const b = taskRunsOf(source)[1];
    const { status, body } = await post(`${source.id}/replay?taskRunId=${b?.id}`);
    expect(status).toBe(200);
    expect(statesOf(body)).toEqual(['CREATED', 'RESTARTED']);
    expect(states(body)).toEqual(['a:SUCCESS', 'b:RESTARTED']);
    const done = await server.waitForState(String(body.id), 'SUCCESS');
    expect(statesOf(done).slice(-3)).toEqual(['RESTARTED', 'RUNNING', 'SUCCESS']);
    expect(states(done)).toEqual(['a:SUCCESS', 'b:SUCCESS', 'c:SUCCESS']);
    expect(taskRunsOf(done)[1]?.outputs).toEqual({ value: source.id });
    expect(taskRunsOf(done).every((run) => run.executionId === body.id)).toBe(true);
    const unknown = await post(`${source.id}/replay?taskRunId=nobody`);
    expect([unknown.status, unknown.body.message]).toEqual([422, expect.stringContaining('No task found')]);
    expect((await post(`${source.id}/replay?revision=7`)).status).toBe(404);
  });

  it('replays what still runs, beside it', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${log('a')}${door(id)}`));
    const source = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const a = taskRunsOf(await server.read(source.id))[0];
    const { body } = await post(`${source.id}/replay?taskRunId=${a?.id}`);
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    await server.waitForState(String(body.id), 'SUCCESS');
    const done = await server.waitForState(source.id, 'SUCCESS');
    expect(labelsOf(done)['system.replayed']).toBe('true');
  });

  it('[S2-7e.11] changes the status of what has ended, and nothing else', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const execution = await server.run(id);
    const { status, body } = await post(`${execution.id}/change-status?status=WARNING`);
    expect([status, statesOf(body)]).toEqual([200, ['CREATED', 'RUNNING', 'SUCCESS', 'WARNING']]);
    expect(stateOf(await server.read(execution.id))).toBe('WARNING');
    expect((await post(`${execution.id}/change-status?status=RUNNING`)).status).toBe(422);
    expect((await post(`${execution.id}/change-status?status=nonsense`)).status).toBe(422);
    const missing = await post(`${execution.id}/change-status`);
    expect([missing.status, missing.body.message]).toEqual([400, expect.stringMatching(/^Bad Request/)]);
  });

  it('[S2-7e.12] marks a task run and continues from there', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${broken(id)}${log('b')}`));
    const failed = await server.run(id);
    const mark = (taskRunId: unknown, state: string) =>
      post(`${failed.id}/state`, json({ taskRunId, state }));
    expect((await mark('nobody', 'SUCCESS')).status).toBe(422);
    expect((await mark(taskRunsOf(failed)[0]?.id, 'RUNNING')).status).toBe(422);
    expect((await mark(taskRunsOf(failed)[0]?.id, 'GREEN')).status).toBe(422);
    const { status, body } = await mark(taskRunsOf(failed)[0]?.id, 'SUCCESS');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: failed.id, metadata: { attemptNumber: 2 } });
    expect(labelsOf(body)['system.restarted']).toBe('true');
    expect(states(await server.waitForState(failed.id, 'SUCCESS'))).toEqual(['ko:SUCCESS', 'b:SUCCESS']);
  });

  it('[S2-7e.16] pauses and resumes on request', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${door(id)}${log('b')}`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const paused = await post(`${executionId}/pause`);
    expect([paused.status, paused.body]).toEqual([200, '']);
    expect((await post(`${executionId}/pause`)).status).toBe(422);
    openDoor(id);
    await expect.poll(async () => states(await server.read(executionId))).toEqual(['wait:SUCCESS']);
    expect(stateOf(await server.read(executionId))).toBe('PAUSED');
    expect((await post(`${executionId}/resume/validate`)).body).toMatchObject({ id, inputs: [] });
    const resumed = await post(`${executionId}/resume`);
    expect([resumed.status, resumed.body]).toEqual([204, '']);
    await server.waitForState(executionId, 'SUCCESS');
    expect((await post(`${executionId}/resume`)).status).toBe(409);
    expect((await post(`${executionId}/resume/validate`)).status).toBe(409);
  });

  it('[S2-7e.15] resumes with checked inputs', async () => {
    const [server, id] = [shared(), anId()];
    const onResume =
      '    onResume:\n      - id: reason\n        type: STRING\n      - id: count\n        type: INT\n        defaults: 3\n';
    await server.saveFlow(
      aFlow(id, `tasks:\n${pause('ask', onResume)}${value('b', '{{ outputs.ask.onResume.reason }}')}`),
    );
    const { id: executionId } = await server.start(id);
    await server.waitForState(executionId, 'PAUSED');
    const checked = await post(`${executionId}/resume/validate`, form({ count: 'many' }));
    expect(checked.body).toMatchObject({
      id,
      namespace: 'company.team',
      inputs: [
        { input: { id: 'reason' }, enabled: true, errors: [{ message: expect.stringContaining('missing') }] },
        { input: { id: 'count' }, errors: [{ message: expect.stringContaining('many') }] },
      ],
    });
    const refused = await post(`${executionId}/resume`, form({ count: 'many' }));
    expect(refused.status).toBe(422);
    const { errors } = refused.body._embedded as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual(['reason', 'count']);
    expect(stateOf(await server.read(executionId))).toBe('PAUSED');
    expect((await post(`${executionId}/resume`, form({ reason: 'fine' }))).status).toBe(204);
    const done = await server.waitForState(executionId, 'SUCCESS');
    expect(taskRunsOf(done)[0]?.outputs).toMatchObject({ onResume: { reason: 'fine', count: 3 } });
    expect(taskRunsOf(done)[1]?.outputs).toEqual({ value: 'fine' });
  });

  it('[S2-7e.25] replaces labels of what has ended; those of the system stay', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `labels:\n  team: data\n  old: "1"\ntasks:\n${door(id)}`));
    const { id: executionId } = await server.start(id);
    const set = (labels: unknown) => post(`${executionId}/labels`, json(labels));
    const early = await set([{ key: 'a', value: 'b' }]);
    expect([early.status, early.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(early.body).toMatch(/^The execution is not terminated: .* while it is RUNNING\.$/);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
    const { status, body } = await set([
      { key: 'team', value: 'ops' },
      { key: 'new', value: 'x' },
    ]);
    expect(status).toBe(200);
    expect(labelsOf(body)).toEqual({ 'system.correlationId': executionId, team: 'ops', new: 'x' });
    const found = await server.call('GET', `/executions/search?flowId=${id}&labels=new:x`);
    expect(found.body.total).toBe(1);
    expect(labelsOf((await set({ map: 'too' })).body)).toMatchObject({ map: 'too' });
    for (const bad of [
      [{ key: '', value: 'x' }],
      [{ key: 'x', value: '' }],
      [{ key: 'x', value: null }],
      [{ key: 'system.correlationId', value: 'other' }],
      'text',
    ]) {
      expect([bad, (await set(bad)).status]).toEqual([bad, 422]);
    }
  });

  it('evaluates expressions with secrets hidden', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${value('a', 'hi')}`));
    const execution = await server.run(id);
    const taskRunId = taskRunsOf(execution)[0]?.id;
    const evaluate = async (payload: string, where = `/${taskRunId}`) =>
      (await post(`${execution.id}/eval${where}`, { headers: { 'content-type': 'text/plain' }, payload }))
        .body;
    expect(await evaluate('{{ outputs.a.value | upper }} {{ taskrun.id }}')).toEqual({
      result: `HI ${taskRunId}`,
    });
    expect(await evaluate('{{ flow.id }}', '')).toEqual({ result: id });
    expect(await evaluate("{{ secret('TOKEN') }} {{ secret('TOKEN') | base64encode }}")).toEqual({
      result: `****** ${Buffer.from('******').toString('base64')}`,
    });
    expect(await evaluate("{{ secret('TOKEN', subkey='user') }}")).toEqual({ result: '******' });
    expect(await evaluate("{{ secret('NOPE') }}")).toMatchObject({
      error: expect.stringContaining('NOPE'),
      stackTrace: expect.any(String),
    });
    expect(await evaluate('{{ 1 +')).toMatchObject({ error: expect.any(String) });
    expect((await post(`${execution.id}/eval/nobody`, { payload: 'x' })).status).toBe(404);
  });

  it('starts a flow that is named like an action, and a flow in a namespace named like one', async () => {
    const server = shared();
    await server.saveFlow(aFlow('restart'));
    for (const path of ['company.team/restart', 'trigger/company.team/restart']) {
      const started = await post(path);
      expect([started.status, started.body.flowId]).toEqual([200, 'restart']);
    }
    await server.saveFlow(`id: by-me\nnamespace: restart\ntasks:\n${log('a')}`);
    const other = await post('restart/by-me');
    expect([other.status, other.body.namespace]).toEqual([200, 'restart']);
  });
});

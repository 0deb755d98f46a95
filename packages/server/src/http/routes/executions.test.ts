import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, form, sharedServer, stateOf, statesOf, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const door = (name: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${name}\n`;

describe.each(databases)('executions on $name', (database) => {
  const shared = sharedServer(database);

  it('[S2-7e.19] starts a flow and returns the created execution with its address', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'labels:\n  team: data\nvariables:\n  bucket: raw'));
    const execution = await server.start(id, {}, '?labels=env:prod:eu&labels=who:me');
    expect(execution).toMatchObject({
      tenantId: 'main',
      namespace: 'company.team',
      flowId: id,
      flowRevision: 1,
      originalId: execution.id,
      deleted: false,
      state: { current: 'CREATED' },
      metadata: { attemptNumber: 1 },
      variables: { bucket: 'raw' },
      labels: [
        { key: 'team', value: 'data' },
        { key: 'env', value: 'prod:eu' },
        { key: 'who', value: 'me' },
        { key: 'system.correlationId', value: execution.id },
      ],
      url: `/main/executions/company.team/${id}/${execution.id}`,
    });
    expect(execution.id).toMatch(/^[0-9A-Za-z]{22}$/);
  });

  it('[S2-7e.17] reads an execution with its task runs, by either path', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'labels:\n  team: data\nvariables:\n  bucket: raw'));
    const { id: executionId } = await server.run(id);
    const { status, body } = await server.call('GET', `/executions/${executionId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenantId: 'main',
      id: executionId,
      namespace: 'company.team',
      flowId: id,
      flowRevision: 1,
      originalId: executionId,
      deleted: false,
      variables: { bucket: 'raw' },
      labels: [
        { key: 'team', value: 'data' },
        { key: 'system.correlationId', value: executionId },
      ],
      state: { current: 'SUCCESS', duration: expect.stringMatching(/^PT/), endDate: expect.any(String) },
      metadata: { attemptNumber: 1, originalCreatedDate: expect.any(String) },
      taskRunList: [
        { taskId: 'hello', executionId, outputs: {}, attempts: [{ state: { current: 'SUCCESS' } }] },
      ],
    });
    for (const absent of ['inputs', 'outputs', 'trigger', 'parentId', 'scheduleDate', 'url', 'breakpoints'])
      expect(body).not.toHaveProperty(absent);
    expect((await server.call('GET', `/main/executions/${executionId}`)).body).toEqual(body);
    const missing = await server.call('GET', '/executions/nobody');
    expect([missing.status, missing.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not Found: .*nobody/),
    ]);
  });

  it('waits for the end when asked to', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        `tasks:
  - id: one
    type: core.output.OutputValues
    values: { message: "Hello {{ flow.id }}" }
  - id: two
    type: core.log.Log
    message: "{{ outputs.one.values.message }}"
outputs:
  - id: said
    type: STRING
    value: "{{ outputs.one.values.message }}"`,
      ),
    );
    const execution = await server.run(id);
    expect(statesOf(execution)).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
    expect(execution.outputs).toEqual({ said: `Hello ${id}` });
    expect(taskRunsOf(execution).map((run) => [run.taskId, statesOf(run)])).toEqual([
      ['one', ['CREATED', 'RUNNING', 'SUCCESS']],
      ['two', ['CREATED', 'RUNNING', 'SUCCESS']],
    ]);
    expect(await server.read(execution.id)).toMatchObject({ state: { current: 'SUCCESS' } });
  });

  it('reads inputs from the form and their defaults', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        'inputs:\n  - id: name\n    type: STRING\n  - id: place\n    type: STRING\n    defaults: here',
      ),
    );
    expect((await server.run(id, { name: 'Ada', unknown: 'x' })).inputs).toEqual({
      name: 'Ada',
      place: 'here',
    });
    const missing = await server.call('POST', `/executions/company.team/${id}`);
    expect(missing.status).toBe(422);
    expect(missing.body).toMatchObject({
      message: expect.stringMatching(/^Invalid entity: /),
      _embedded: { errors: [{ path: 'name' }] },
    });
  });

  it('refuses what cannot be started', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'disabled: true'));
    const start = async (path: string) =>
      (await server.call('POST', `/executions/company.team/${path}`)).status;
    expect(await start(id)).toBe(409);
    expect(await start('nope')).toBe(404);
    const on = anId();
    await server.saveFlow(aFlow(on));
    for (const query of [
      'labels=nokey',
      'labels=system.username:x',
      'labels=a:b&labels=a:c',
      'scheduleDate=soon',
      'revision=x',
    ]) {
      expect([query, await start(`${on}?${query}`)]).toEqual([query, 422]);
    }
    expect(await start(`${on}?revision=9`)).toBe(404);
  });

  it('[E211] checks of the flow block the start, fail the execution, or only say something', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        `inputs:
  - { id: n, type: INT }
checks:
  - { condition: "{{ inputs.n < 100 }}", message: "{{ inputs.n }} is too many", style: ERROR }
  - { condition: "{{ inputs.n > 0 }}", message: Nothing to do, behavior: FAIL_EXECUTION }
  - { condition: "{{ inputs.n < 50 }}", message: Slow, style: WARNING, behavior: CREATE_EXECUTION }`,
      ),
    );
    const call = (n: number, path = '') =>
      server.call('POST', `/executions/company.team/${id}${path}`, form({ n: String(n) }));
    const blocked = await call(100);
    expect([blocked.status, blocked.body.message]).toEqual([
      422,
      'Invalid entity: A check of the flow blocks the execution: 100 is too many',
    ]);
    const checksOf = async (n: number) => (await call(n, '/validate')).body.checks;
    expect(await checksOf(1)).toEqual([]);
    expect(await checksOf(100)).toEqual([
      { message: '100 is too many', style: 'ERROR', behavior: 'BLOCK_EXECUTION' },
      { message: 'Slow', style: 'WARNING', behavior: 'CREATE_EXECUTION' },
    ]);
    const failed = await server.waitForState(String((await call(0)).body.id), 'FAILED');
    expect(taskRunsOf(failed)).toEqual([]);
    const { body: logs } = await server.call('GET', `/logs/${failed.id}`);
    expect(JSON.stringify(logs)).toContain('A check of the flow failed: Nothing to do');
    await server.waitForState(String((await call(60)).body.id), 'SUCCESS');
  });

  it('starts once however often the same key is sent', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const headers = { 'idempotency-key': 'order 1' };
    const start = () => server.call('POST', `/executions/company.team/${id}`, { headers });
    const answers = await Promise.all([start(), start(), start()]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await start()).body.id).toBe(answers[0]?.body.id);
    const { body } = await server.call('GET', `/executions/search?flowId=${id}`);
    expect(body.total).toBe(1);
  });

  it('starts at a date', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const at = new Date(Date.now() + 400).toISOString();
    const execution = await server.start(id, {}, `?scheduleDate=${encodeURIComponent(at)}`);
    expect(execution).toMatchObject({ scheduleDate: at, state: { current: 'CREATED' } });
    expect(stateOf(await server.read(execution.id))).toBe('CREATED');
    const done = await server.waitForState(execution.id, 'SUCCESS');
    const started = (done.state as { histories: { date: string }[] }).histories[1]?.date ?? '';
    expect(started >= at).toBe(true);
  });

  it('[S2-7e.13] kills what runs', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `${door(id)}  - id: after\n    type: core.log.Log\n    message: x`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const killed = await server.call('DELETE', `/executions/${executionId}/kill`);
    expect([killed.status, killed.body]).toEqual([202, '']);
    const execution = await server.waitForState(executionId, 'KILLED');
    expect(taskRunsOf(execution).map((run) => [run.taskId, stateOf(run)])).toEqual([['wait', 'KILLED']]);
    const again = await server.call('DELETE', `/executions/${executionId}/kill?isOnKillCascade=false`);
    expect(again.status).toBe(409);
    expect((await server.call('DELETE', '/executions/nope/kill')).status).toBe(404);
  });

  it('[S2-7e.20] deletes an execution with its logs, even while it runs', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, door(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    expect((await server.call('DELETE', `/executions/${executionId}`)).status).toBe(204);
    expect((await server.call('GET', `/executions/${executionId}`)).status).toBe(404);
    expect((await server.call('DELETE', `/executions/${executionId}`)).status).toBe(404);
    openDoor(id);
    expect((await server.call('GET', `/executions/search?flowId=${id}`)).body.total).toBe(0);
  });

  it('[S2-7e.18] searches with both styles of filters', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const failing = anId();
    await server.saveFlow(aFlow(failing, 'labels: { kind: bad }\ntasks:\n  - id: x\n    type: test.Throw'));
    await server.run(id);
    await server.run(id);
    await server.run(failing);
    const total = async (query: string) =>
      (await server.call('GET', `/executions/search?filters[flowId][IN]=${id},${failing}&${query}`)).body
        .total;
    expect(await total('')).toBe(3);
    expect(await total('state=FAILED')).toBe(1);
    expect(await total('filters[state][NOT_EQUALS]=FAILED')).toBe(2);
    expect(await total('labels=kind:bad')).toBe(1);
    expect(await total('filters%5Blabels%5D%5BEQUALS%5D%5Bkind%5D=bad')).toBe(1);
    expect(await total('namespace=company&timeRange=PT1H')).toBe(3);
    expect(await total('scope=SYSTEM')).toBe(0);
    const page = await server.call('GET', `/executions/search?flowId=${id}&size=1&sort=state.startDate:asc`);
    expect(page.body).toMatchObject({
      total: 2,
      results: [{ flowId: id }],
    });
    expect(page.body.results).not.toContainEqual(expect.objectContaining({ taskRunList: expect.anything() }));
    expect((await server.call('GET', '/executions/search?state=NOPE')).status).toBe(422);
    expect((await server.call('GET', '/executions/search?sort=inputs:asc')).status).toBe(422);
  });

  it('[S2-7e.27] shows the flow and the graph of an execution', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const { id: executionId } = await server.run(id);
    await server.call('DELETE', `/flows/company.team/${id}`);
    const flow = await server.call('GET', `/executions/${executionId}/flow`);
    expect(flow.body).toMatchObject({
      id,
      revision: 1,
      tasks: [{ id: 'hello', type: 'core.log.Log' }],
      errors: [],
    });
    const graph = await server.call('GET', `/executions/${executionId}/graph`);
    const nodes = graph.body.nodes as { uid: string; taskRun?: object }[];
    expect(nodes.find(({ uid }) => uid === 'root.hello')?.taskRun).toMatchObject({ taskId: 'hello' });
  });

  it('[S2-7e.27] opens subflows in the graph of an execution, also where only the execution knows which', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child));
    const called = (id: string, flowId: string) =>
      `  - { id: ${id}, type: core.flow.Subflow, namespace: company.team, flowId: "${flowId}" }\n`;
    const tasks = `tasks:\n${called('sub', child)}${called('named', '{{ inputs.which }}')}`;
    await server.saveFlow(aFlow(parent, `inputs:\n  - { id: which, type: STRING }\n${tasks}`));
    const { id } = await server.run(parent, { which: child });
    const draw = (uids: string) => server.call('GET', `/executions/${id}/graph?subflows=${uids}`);
    const { status, body } = await draw('root.sub,root.named');
    const uids = (body.nodes as { uid: string }[]).map(({ uid }) => uid);
    expect(status).toBe(200);
    expect(uids).toEqual(expect.arrayContaining(['root.sub.hello', 'root.named.hello']));
    expect((await draw('root.nope')).status).toBe(422);
    await server.call('DELETE', `/flows/company.team/${child}`);
    expect((await draw('root.sub')).status).toBe(404);
  });

  it('fails a task that throws, and says why in its log', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'tasks:\n  - id: x\n    type: test.Throw\n    message: out of paper'));
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('FAILED');
    const logs = (await server.call('GET', `/logs/${execution.id}?minLevel=ERROR`)).body;
    expect(logs).toMatchObject([{ level: 'ERROR', message: 'out of paper', taskId: 'x', attemptNumber: 0 }]);
  });

  it('fails a task whose outputs are no data', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'tasks:\n  - id: x\n    type: test.StrangeOutput'));
    expect(stateOf(await server.run(id))).toBe('FAILED');
  });

  it('stops a task that reached its timeout', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(id, `tasks:\n  - id: x\n    type: test.Door\n    door: ${id}\n    timeout: PT0.05S\n`),
    );
    const execution = await server.run(id);
    expect(stateOf(execution)).toBe('FAILED');
    const logs = (await server.call('GET', `/logs/${execution.id}`)).body as unknown as { message: string }[];
    expect(logs.map(({ message }) => message).join()).toMatch(/Timeout.*PT0\.05S/);
  });

  it('runs a child and waits for it', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child));
    await server.saveFlow(
      aFlow(
        parent,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${child}`,
      ),
    );
    const execution = await server.run(parent);
    expect(stateOf(execution)).toBe('SUCCESS');
    const { body } = await server.call('GET', `/executions/search?triggerExecutionId=${execution.id}`);
    expect(body).toMatchObject({
      total: 1,
      results: [{ flowId: child, state: { current: 'SUCCESS' }, trigger: { id: 'call' } }],
    });
    const correlation = { key: 'system.correlationId', value: execution.id };
    expect((body.results as { labels: object[] }[])[0]?.labels).toContainEqual(correlation);
    const orphan = anId();
    await server.saveFlow(
      aFlow(
        orphan,
        'tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: nope',
      ),
    );
    expect(stateOf(await server.run(orphan))).toBe('FAILED');
  });

  it('kills children with their parent', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(aFlow(child, door(child)));
    await server.saveFlow(
      aFlow(
        parent,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${child}`,
      ),
    );
    const { id: executionId } = await server.start(parent);
    await expect.poll(() => arrivals(child)).toBe(1);
    await server.call('DELETE', `/executions/${executionId}/kill`);
    await server.waitForState(executionId, 'KILLED');
    const { body } = await server.call('GET', `/executions/search?triggerExecutionId=${executionId}`);
    const [first] = body.results as { id: string }[];
    await server.waitForState(first?.id ?? '', 'KILLED');
  });

  it('[A17] ends flows that call each other without end', async () => {
    const [server, one, other] = [shared(), anId(), anId()];
    const calls = (target: string) =>
      `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${target}`;
    await server.saveFlow(aFlow(one, calls(other)));
    await server.saveFlow(aFlow(other, calls(one)));
    expect(stateOf(await server.run(one))).toBe('FAILED');
    const { body } = await server.call('GET', `/executions/search?filters[flowId][IN]=${one},${other}`);
    expect(body.total).toBe(51);
  });

  it('[A17] takes a flow of ten thousand tasks and stays responsive', async () => {
    const [server, id] = [shared(), anId()];
    const tasks = Array.from(
      { length: 9_999 },
      (_, i) => `  - id: t${i}\n    type: core.debug.Return\n    format: x\n    disabled: true\n`,
    );
    await server.saveFlow(
      aFlow(id, `tasks:\n${tasks.join('')}  - id: last\n    type: core.log.Log\n    message: x`),
    );
    const running = server.run(id);
    expect((await server.call('GET', '/configs')).status).toBe(200);
    expect(stateOf(await running)).toBe('SUCCESS');
  });

  it('[A11] refuses hostile names in a form', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    for (const name of ['__proto__', 'constructor']) {
      expect(
        (await server.call('POST', `/executions/company.team/${id}`, form({ [name]: 'x' }))).status,
      ).toBe(400);
    }
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { openSdk, type SdkCall } from '../testing/kestraSdk.ts';

const tenant = 'main';
const namespace = 'company.team';

describe.each(databases)("Kestra's published JavaScript client on $name", (database) => {
  const shared = sharedServer(database);
  let call: SdkCall;
  beforeAll(async () => {
    call = openSdk(await shared().app.listen({ host: '127.0.0.1', port: 0 }));
  });
  const statusOf = (error: unknown) => (error as { status?: number }).status;
  const run = (id: string, wait = true) =>
    call('ExecutionsApi', 'createExecution', namespace, id, wait, tenant, {}) as Promise<{ id: string }[]>;

  it('creates, reads, changes, validates, lists and deletes flows', async () => {
    const id = anId();
    const created = await call('FlowsApi', 'createFlow', tenant, aFlow(id));
    expect(created).toMatchObject({ id, namespace, revision: 1 });
    expect(await call('FlowsApi', 'getFlow', namespace, id, true, false, tenant, {})).toMatchObject({
      id,
      source: aFlow(id),
    });
    await call('FlowsApi', 'updateFlow', id, namespace, tenant, aFlow(id, 'description: changed'));
    const revisions = (await call('FlowsApi', 'listFlowRevisions', namespace, id, tenant)) as object[];
    expect(revisions).toHaveLength(2);
    const checked = (await call('FlowsApi', 'validateFlows', tenant, aFlow(id, 'tasks: []'))) as {
      constraints: string;
    }[];
    expect(checked[0]?.constraints).toContain('tasks');
    expect(await call('FlowsApi', 'searchFlows', 1, 10, tenant, {})).toMatchObject({
      total: expect.any(Number),
    });
    await call('FlowsApi', 'deleteFlow', namespace, id, tenant);
    const gone = call('FlowsApi', 'getFlow', namespace, id, false, false, tenant, {});
    expect(await gone.catch(statusOf)).toBe(404);
  });

  it('runs, reads, follows, labels, restarts and deletes executions', async () => {
    const id = anId();
    await call(
      'FlowsApi',
      'createFlow',
      tenant,
      aFlow(id, 'tasks:\n  - id: t\n    type: core.execution.Fail\n'),
    );
    const started = [await run(id)].flat()[0];
    const executionId = String(started?.id);
    const read = () =>
      call('ExecutionsApi', 'getExecution', executionId, tenant) as Promise<{ state: { current: string } }>;
    expect(await read()).toMatchObject({ id: executionId, state: { current: 'FAILED' } });
    await call('ExecutionsApi', 'followExecution', executionId, tenant);
    await call('ExecutionsApi', 'setLabelsOnTerminatedExecution', executionId, tenant, [
      { key: 'a', value: 'b' },
    ]);
    expect(await read()).toMatchObject({
      labels: expect.arrayContaining([expect.objectContaining({ key: 'a' })]),
    });
    await call('ExecutionsApi', 'restartExecution', executionId, tenant, {});
    await shared().waitForState(executionId, 'FAILED');
    const latest = await call('ExecutionsApi', 'getLatestExecutions', tenant, [{ namespace, id }]);
    expect(latest).toMatchObject([{ flowId: id }]);
    expect(await call('ExecutionsApi', 'searchExecutions', 1, 10, tenant, {})).toMatchObject({
      total: expect.any(Number),
    });
    await call('ExecutionsApi', 'deleteExecution', executionId, true, true, true, tenant);
    expect(await read().catch(statusOf)).toBe(404);
  });

  it('kills an execution', async () => {
    const id = anId();
    await call('FlowsApi', 'createFlow', tenant, aFlow(id, 'tasks:\n  - id: t\n    type: core.flow.Pause\n'));
    const executionId = String([await run(id, false)].flat()[0]?.id);
    await shared().waitForState(executionId, 'PAUSED');
    await call('ExecutionsApi', 'killExecution', executionId, true, tenant);
    await shared().waitForState(executionId, 'KILLED');
  });

  it('sets, lists, reads and deletes values', async () => {
    await call('KVApi', 'setKeyValue', namespace, 'sdk', tenant, '"a word"');
    expect(await call('KVApi', 'getKeyValue', namespace, 'sdk', tenant)).toMatchObject({
      type: 'STRING',
      value: 'a word',
    });
    expect(await call('KVApi', 'listKeys', namespace, tenant)).toContainEqual(
      expect.objectContaining({ key: 'sdk' }),
    );
    await call('KVApi', 'deleteKeyValue', namespace, 'sdk', tenant);
    expect(await call('KVApi', 'getKeyValue', namespace, 'sdk', tenant).catch(statusOf)).toBe(404);
  });

  it('makes folders and files, and moves and deletes them', async () => {
    await call('FilesApi', 'createNamespaceDirectory', namespace, tenant, { path: '/sdk' });
    await call('FilesApi', 'createNamespaceFile', namespace, '/sdk/a.txt', tenant, {
      fileContent: Buffer.from('hello'),
    });
    const list = () => call('FilesApi', 'listNamespaceDirectoryFiles', namespace, tenant, { path: '/sdk' });
    expect(await list()).toMatchObject([{ fileName: 'a.txt', type: 'File', size: 5 }]);
    await call('FilesApi', 'moveFileDirectory', namespace, '/sdk/a.txt', '/sdk/b.txt', tenant);
    expect(await call('FilesApi', 'searchNamespaceFiles', namespace, 'sdk', tenant)).toEqual(['/sdk/b.txt']);
    await call('FilesApi', 'deleteFileDirectory', namespace, '/sdk', tenant);
    expect(await call('FilesApi', 'searchNamespaceFiles', namespace, 'sdk', tenant)).toEqual([]);
  });

  it('lists and switches triggers', async () => {
    const id = anId();
    const trigger = 'triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: "0 3 * * *"\n';
    await call('FlowsApi', 'createFlow', tenant, aFlow(id, trigger));
    const list = () => call('TriggersApi', 'searchTriggersForFlow', 1, 10, namespace, id, tenant, {});
    expect(await list()).toMatchObject({ results: [{ triggerId: 'daily', disabled: false }], total: 1 });
    await call('TriggersApi', 'updateTrigger', tenant, {
      namespace,
      flowId: id,
      triggerId: 'daily',
      disabled: true,
    });
    expect(await list()).toMatchObject({ results: [{ disabled: true }] });
  });

  it('validates inputs, replays, changes, stops at breakpoints and follows what belongs together', async () => {
    const id = anId();
    const inputs = 'inputs:\n  - {id: n, type: INT, defaults: 1}\n';
    const tasks =
      'tasks:\n  - {id: a, type: core.log.Log, message: a}\n  - {id: b, type: core.log.Log, message: b}\n';
    await call('FlowsApi', 'createFlow', tenant, aFlow(id, `${inputs}${tasks}`));
    expect(
      await call('ExecutionsApi', 'validateNewExecutionInputs', namespace, id, [], tenant, {}),
    ).toMatchObject({ id, namespace, inputs: [{ value: 1 }] });
    const first = String([await run(id)].flat()[0]?.id);
    const replayed = (await call('ExecutionsApi', 'replayExecution', first, tenant, {})) as { id: string };
    await shared().waitForState(replayed.id, 'SUCCESS');
    await call('ExecutionsApi', 'updateExecutionStatus', first, 'WARNING', tenant);
    expect(await call('ExecutionsApi', 'getExecution', first, tenant)).toMatchObject({
      state: { current: 'WARNING' },
    });
    await call('ExecutionsApi', 'followDependenciesExecutions', first, false, false, tenant);
    const { id: stopped } = await shared().start(id, {}, '?breakpoints=b');
    await shared().waitForState(stopped, 'BREAKPOINT');
    await call('ExecutionsApi', 'resumeExecutionFromBreakpoint', stopped, tenant, {});
    await shared().waitForState(stopped, 'SUCCESS');
  });

  it('resumes one execution, and kills several', async () => {
    const id = anId();
    await call('FlowsApi', 'createFlow', tenant, aFlow(id, 'tasks:\n  - id: t\n    type: core.flow.Pause\n'));
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(String([await run(id, false)].flat()[0]?.id));
    for (const one of ids) await shared().waitForState(one, 'PAUSED');
    const [first = '', ...others] = ids;
    await call('ExecutionsApi', 'resumeExecution', first, tenant);
    await shared().waitForState(first, 'SUCCESS');
    await call('ExecutionsApi', 'killExecutionsByIds', tenant, others);
    for (const one of others) await shared().waitForState(one, 'KILLED');
  });

  it('draws flows, tells their dependencies, and switches and deletes several', async () => {
    const ids = [anId(), anId()];
    for (const id of ids) await call('FlowsApi', 'createFlow', tenant, aFlow(id));
    const [id = ''] = ids;
    const keys = ids.map((one) => ({ namespace, id: one }));
    const graph = await call('FlowsApi', 'generateFlowGraph', namespace, id, tenant, {});
    expect(JSON.stringify(graph)).toContain('root.hello');
    const dependencies = await call('FlowsApi', 'getFlowDependencies', namespace, id, false, false, tenant);
    expect(JSON.stringify(dependencies)).toContain(id);
    expect(await call('FlowsApi', 'disableFlowsByIds', tenant, keys)).toMatchObject({ count: 2 });
    expect(await call('FlowsApi', 'enableFlowsByIds', tenant, keys)).toMatchObject({ count: 2 });
    expect(await call('FlowsApi', 'deleteFlowsByIds', tenant, keys)).toMatchObject({ count: 2 });
  });

  it('writes values and files again, reads files and deletes several values', async () => {
    for (const value of ['"one"', '{"a": 2}'])
      await call('KVApi', 'setKeyValue', namespace, 'again', tenant, value);
    expect(await call('KVApi', 'getKeyValue', namespace, 'again', tenant)).toMatchObject({ type: 'JSON' });
    await call('KVApi', 'deleteKeyValues', namespace, tenant, { keys: ['again'] });
    expect(await call('KVApi', 'getKeyValue', namespace, 'again', tenant).catch(statusOf)).toBe(404);
    for (const text of ['one', 'second'])
      await call('FilesApi', 'createNamespaceFile', namespace, '/again.txt', tenant, {
        fileContent: Buffer.from(text),
      });
    // The client requests the bytes and drops them; the call itself succeeds.
    await call('FilesApi', 'getFileContent', namespace, '/again.txt', tenant);
    expect((await shared().call('GET', `/namespaces/${namespace}/files?path=/again.txt`)).body).toBe(
      'second',
    );
    expect(
      await call('FilesApi', 'getFileMetadatas', namespace, tenant, { path: '/again.txt' }),
    ).toMatchObject({ size: 6 });
    await call('FilesApi', 'deleteFileDirectory', namespace, '/again.txt', tenant);
  });

  it('starts, pauses and gives up backfills, restarts and switches triggers, and they go with their flow', async () => {
    const id = anId();
    const trigger = 'triggers:\n  - id: yearly\n    type: core.trigger.Schedule\n    cron: "0 3 1 1 *"\n';
    // Its execution waits, so that the backfill does too.
    const waits = 'tasks:\n  - id: t\n    type: core.flow.Pause\n';
    await call('FlowsApi', 'createFlow', tenant, aFlow(id, trigger + waits));
    const key = { namespace, flowId: id, triggerId: 'yearly' };
    const list = () => call('TriggersApi', 'searchTriggersForFlow', 1, 10, namespace, id, tenant, {});
    const backfill = { start: '2020-01-01T00:00:00Z', end: '2024-07-01T00:00:00Z' };
    expect(
      await call('TriggersApi', 'updateTrigger', tenant, { ...key, disabled: false, backfill }),
    ).toMatchObject({
      backfill: { paused: false },
    });
    // The first backfill execution locks the trigger; the call below unlocks it.
    await expect.poll(list).toMatchObject({ results: [{ executionId: expect.any(String) }] });
    expect(await call('TriggersApi', 'pauseBackfill', tenant, key)).toMatchObject({
      backfill: { paused: true },
    });
    expect(await call('TriggersApi', 'unpauseBackfill', tenant, key)).toMatchObject({
      backfill: { paused: false },
    });
    await call('TriggersApi', 'deleteBackfill', tenant, key);
    expect(await call('TriggersApi', 'restartTrigger', namespace, id, 'yearly', tenant)).toMatchObject(key);
    await call('TriggersApi', 'unlockTrigger', namespace, id, 'yearly', tenant);
    await call('TriggersApi', 'disabledTriggersByIds', tenant, { triggers: [key], disabled: true });
    expect(await list()).toMatchObject({ results: [{ disabled: true }] });
    await call('FlowsApi', 'updateFlow', id, namespace, tenant, aFlow(id));
    expect(await list()).toMatchObject({ results: [], total: 0 });
  });
});

import { describe, expect, it } from 'vitest';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

type Outputs = Record<string, Record<string, unknown>>;

describe.each(databases)('tasks that reach the product on $name', (database) => {
  const server = sharedServer(database);
  let last = 0;
  /** A namespace of each test's own. */
  const aNamespace = () => `tasks.n${++last}`;

  async function run(namespace: string, tasks: string) {
    const id = anId();
    await server().saveFlow(`id: ${id}\nnamespace: ${namespace}\ntasks:\n${tasks}`);
    const { body } = await server().call('POST', `/executions/${namespace}/${id}?wait=true`);
    const outputs: Outputs = Object.fromEntries(
      taskRunsOf(body).map((taskRun) => [String(taskRun.taskId), (taskRun.outputs ?? {}) as Outputs[string]]),
    );
    return { id, executionId: String(body.id), state: stateOf(body), outputs };
  }
  const logsOf = async (executionId: string) =>
    ((await server().call('GET', `/logs/${executionId}`)).body as unknown as { message: string }[]).map(
      ({ message }) => message,
    );

  it('[S2-3.11] values: set, get, inherit, list, delete, purge, and kv() in an expression', async () => {
    const namespace = aNamespace();
    await server().call('PUT', '/namespaces/tasks/kv/shared', { payload: '{"a": [1, 2]}' });
    const { state, outputs, executionId } = await run(
      namespace,
      `  - {id: set, type: core.kv.Set, key: mine, value: "{{ [1, 2] }}", ttl: PT1H, kvDescription: why}
  - {id: old, type: core.kv.Set, key: gone, value: x, ttl: PT0S}
  - {id: get, type: core.kv.Get, key: mine}
  - {id: inherited, type: core.kv.Get, key: shared}
  - {id: none, type: core.kv.Get, key: gone}
  - {id: keys, type: core.kv.GetKeys}
  - {id: show, type: core.log.Log, message: "{{ kv('shared').a[1] }} {{ kv('gone', errorOnMissing=false) ?? 'nothing' }}"}
  - {id: purge, type: core.kv.PurgeKV, namespaces: [${namespace}]}
  - {id: delete, type: core.kv.Delete, key: mine}
`,
    );
    expect(state).toBe('SUCCESS');
    expect(outputs.get?.value).toEqual([1, 2]);
    expect(outputs.inherited?.value).toEqual({ a: [1, 2] });
    expect(outputs.none?.value ?? null).toBeNull();
    expect(outputs.keys?.keys).toEqual(['mine']);
    expect(await logsOf(executionId)).toContain('2 nothing');
    expect(outputs.delete?.deleted).toBe(true);
    expect((await server().call('GET', `/namespaces/${namespace}/kv`)).body).toEqual([]);
    const again = await run(
      namespace,
      `  - {id: first, type: core.kv.Set, key: once, value: 1, overwrite: false}
  - {id: second, type: core.kv.Set, key: once, value: 2, overwrite: false}
`,
    );
    expect(again.state).toBe('FAILED');
    expect((await logsOf(again.executionId)).join()).toContain('the key "once" exists already');
    expect((await server().call('GET', `/namespaces/${namespace}/kv/once`)).body.value).toBe(1);
  });

  it('[S2-3.11] files of the namespace and of the execution, by tasks and in expressions', async () => {
    const namespace = aNamespace();
    const { state, outputs, executionId } = await run(
      namespace,
      `  - {id: write, type: core.storage.Write, content: "a,b", extension: .csv}
  - id: upload
    type: core.namespace.UploadFiles
    filesMap:
      sub/data.csv: "{{ outputs.write.uri }}"
  - {id: download, type: core.namespace.DownloadFiles, files: ["sub/*"]}
  - {id: size, type: core.storage.Size, uri: "{{ fileURI('sub/data.csv') }}"}
  - id: show
    type: core.log.Log
    message: "{{ read('sub/data.csv') }} {{ fileSize('/sub/data.csv') }} {{ fileExists('nope') }} {{ isFileEmpty(outputs.write.uri) }}"
  - {id: delete, type: core.namespace.DeleteFiles, files: ["**"]}
  - {id: after, type: core.log.Log, message: "{{ fileExists('sub/data.csv') }}"}
  - {id: purge, type: core.storage.PurgeCurrentExecutionFiles}
`,
    );
    expect(state, JSON.stringify([outputs, await logsOf(executionId)])).toBe('SUCCESS');
    expect(String(outputs.write?.uri)).toMatch(/^millrace:\/\/\/tasks\/n\d+\/.*\.csv$/);
    expect(outputs.size?.size).toBe(3);
    expect(await logsOf(executionId)).toEqual(expect.arrayContaining(['a,b 3 false false', 'false']));
    expect(outputs.purge?.uris).toContain(outputs.write?.uri);
    expect((await server().call('GET', `/namespaces/search?q=${namespace}`)).body.total).toBe(1);
  });

  it('executions are counted, resumed and purged; only ended ones', async () => {
    const namespace = aNamespace();
    const one = await run(namespace, '  - {id: a, type: core.log.Log, message: bye}\n');
    await server().saveFlow(
      `id: paused\nnamespace: ${namespace}\ntasks:\n  - {id: wait, type: core.flow.Pause}\n`,
    );
    const { body } = await server().call('POST', `/executions/${namespace}/paused`);
    await server().waitForState(String(body.id), 'PAUSED');
    const far = '"2999-01-01T00:00:00Z"';
    const other = aNamespace();
    const counted = await run(
      other,
      `  - {id: count, type: core.execution.Count, namespaces: [${namespace}], startDate: "2000-01-01T00:00:00Z"}
  - {id: purge, type: core.execution.PurgeExecutions, namespace: ${namespace}, endDate: ${far}}
  - {id: resume, type: core.execution.Resume, executionId: "${String(body.id)}"}
`,
    );
    expect(counted.state).toBe('SUCCESS');
    expect(counted.outputs.count?.total).toBe(2);
    expect(counted.outputs.purge).toMatchObject({ executionsCount: 1, logsCount: expect.any(Number) });
    expect(Number(counted.outputs.purge?.logsCount)).toBeGreaterThan(0);
    expect((await server().call('GET', `/executions/${one.executionId}`)).status).toBe(404);
    expect(stateOf(await server().waitForState(String(body.id), 'SUCCESS'))).toBe('SUCCESS');
  });

  it('logs and metrics of executions are purged alone, the executions stay', async () => {
    const namespace = aNamespace();
    const one = await run(namespace, '  - {id: a, type: core.debug.Return, format: measured}\n');
    const metrics = async () => (await server().call('GET', `/metrics/${one.executionId}`)).body.total;
    await expect.poll(metrics).toBe(2);
    const { state, outputs } = await run(
      aNamespace(),
      `  - {id: purge, type: core.execution.PurgeExecutions, namespace: ${namespace}, endDate: "2999-01-01T00:00:00Z", purgeExecution: false, purgeStorage: false}\n`,
    );
    expect(state).toBe('SUCCESS');
    expect(outputs.purge).toMatchObject({ executionsCount: 0, metricsCount: 2, storagesCount: 0 });
    expect(await metrics()).toBe(0);
    expect(await logsOf(one.executionId)).toEqual([]);
    expect((await server().call('GET', `/executions/${one.executionId}`)).status).toBe(200);
  });

  it('logs are purged in batches, however many there are', async () => {
    const namespace = aNamespace();
    const log = (level: 'DEBUG' | 'WARN', at: number) =>
      ({
        op: 'log.insert',
        log: { tenantId: 'main', namespace, flowId: 'f', at, level, message: 'm' },
      }) as const;
    const lines = Array.from({ length: 1_300 }, (_, index) => log(index % 4 === 0 ? 'WARN' : 'DEBUG', index));
    await server().product.store.commit(lines);
    const purge = await run(
      aNamespace(),
      `  - {id: purge, type: core.log.PurgeLogs, namespace: ${namespace}, flowId: f, logLevels: [DEBUG, TRACE], endDate: "2999-01-01T00:00:00Z"}\n`,
    );
    expect(purge.outputs.purge?.count).toBe(975);
    const left = await server().call('GET', `/logs/search?namespace=${namespace}&size=10`);
    expect(left.body.total).toBe(325);
  });

  it('logs are purged by place, level and date', async () => {
    const namespace = aNamespace();
    const one = await run(
      namespace,
      `  - {id: a, type: core.log.Log, message: bye}\n  - {id: b, type: core.log.Log, message: stay, level: ERROR}\n`,
    );
    const purge = await run(
      aNamespace(),
      `  - {id: purge, type: core.log.PurgeLogs, namespace: ${namespace}, logLevels: [INFO], endDate: "2999-01-01T00:00:00Z"}\n`,
    );
    expect([purge.state, Number(purge.outputs.purge?.count) > 0]).toEqual(['SUCCESS', true]);
    const left = await logsOf(one.executionId);
    expect(left).toContain('stay');
    expect(left).not.toContain('bye');
  });

  it('logs are fetched into a file', async () => {
    const { state, outputs } = await run(
      aNamespace(),
      `  - {id: a, type: core.log.Log, message: one}
  - {id: b, type: core.log.Log, message: two, level: ERROR}
  - {id: fetch, type: core.log.Fetch, level: WARN}
  - {id: named, type: core.log.Fetch, level: WARN, executionId: "{{ execution.id }}"}
  - {id: show, type: core.debug.Return, format: "{{ read(outputs.fetch.uri) }}"}
`,
    );
    expect(state).toBe('SUCCESS');
    expect([outputs.fetch?.size, outputs.named?.size]).toEqual([1, 1]);
    expect(outputs.show?.value).toContain('two');
    expect(outputs.show?.value).not.toContain('one');
  });
});

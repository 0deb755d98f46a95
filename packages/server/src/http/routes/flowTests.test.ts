import { describe, expect, it } from 'vitest';
import { form, sharedServer, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { multipart } from '../../testing/multipart.ts';

const flow = (namespace: string, text = 'pay {{ inputs.amount }}') => `id: orders
namespace: ${namespace}
inputs:
  - {id: amount, type: INT, defaults: 5}
  - {id: token, type: STRING, defaults: none}
tasks:
  - id: big
    type: core.flow.If
    condition: "{{ inputs.amount > 10 }}"
    then: [{id: ask, type: core.log.Log, message: "ask {{ secret('API_TOKEN') | length }}"}]
    else: [{id: pay, type: core.debug.Return, format: "${text}"}]
  - {id: size, type: core.storage.Size, uri: "{{ outputs.file.uri ?? 'millrace:///none' }}", allowFailure: true}
`;
const suite = (namespace: string, id = 'orders_test', rest = '') => `id: ${id}
namespace: ${namespace}
flowId: orders
${rest}testCases:
  - id: small
    fixtures:
      inputs: {amount: 3}
      tasks: [{id: size, outputs: {size: 4}}]
    assertions:
      - {state: SUCCESS}
      - {value: "{{ outputs.pay.value }}", equalTo: pay 3}
      - {untaken: [ask]}
`;

interface Result {
  readonly state: string;
  readonly results: readonly { testId: string; state: string; errors: string[] }[];
  readonly coverage: readonly { taskId: string; branch: string; isCovered: boolean }[];
}

describe.each(databases)('flow tests on $name', (database) => {
  const shared = sharedServer(database, { env: { SECRET_API_TOKEN: 'dG9wLXNlY3JldC10b2tlbg==' } });
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, text?: string) =>
    shared().call(method, `/tests${path}`, text === undefined ? {} : yaml(text));

  it('A-6.1 keeps the versions of a suite with the revisions of its flow', async () => {
    const namespace = 'tests.versions';
    const orphan = await call('POST', '', suite(namespace));
    expect([orphan.status, orphan.body.message]).toEqual([
      404,
      expect.stringContaining('there is no flow "orders"'),
    ]);
    await shared().saveFlow(flow(namespace));
    const created = await call('POST', '', suite(namespace));
    expect(created.body).toMatchObject({ version: 1, flowRevision: 1, testCaseIds: ['small'] });
    expect((await call('POST', '', suite(namespace))).status).toBe(422);
    await shared().call(
      'PUT',
      `/flows/${namespace}/orders`,
      yaml(flow(namespace, 'paid {{ inputs.amount }}')),
    );
    const path = `/${namespace}/orders_test`;
    const changed = suite(namespace).replace('pay 3', 'paid 3');
    expect((await call('PUT', path, changed)).body).toMatchObject({ version: 2, flowRevision: 2 });
    expect((await call('PUT', path, changed)).body).toMatchObject({ version: 2 });
    const at = async (query: string) =>
      (await call('GET', `/search?namespace=${namespace}&flowId=orders${query}`)).body as {
        results: { source: string }[];
      };
    expect((await at('')).results.map(({ source }) => source)).toEqual([changed]);
    expect((await at('&flowRevision=1')).results.map(({ source }) => source)).toEqual([suite(namespace)]);
    expect((await call('PUT', path, suite(namespace, 'other'))).status).toBe(422);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('POST', '', suite(namespace))).body).toMatchObject({ version: 4 });
  });

  it('runs a suite, stores its result, and runs the suites of a namespace and of an unsaved flow', async () => {
    const namespace = 'tests.runs';
    await shared().saveFlow(flow(namespace));
    await call('POST', '', suite(namespace));
    await call('POST', '', suite(namespace, 'off', 'disabled: true\n'));
    const { status, body } = await call('POST', `/${namespace}/orders_test/run`);
    const result = body as unknown as Result;
    expect([status, result.state, result.results.map(({ state }) => state)]).toEqual([
      200,
      'SUCCESS',
      ['SUCCESS'],
    ]);
    expect(result.coverage).toContainEqual({ taskId: 'big', branch: 'else', isCovered: true });
    expect(result.coverage).toContainEqual({ taskId: 'big', branch: 'then', isCovered: false });
    const stored = await call('GET', `/${namespace}/orders_test`);
    expect(stored.body.lastResult).toMatchObject({ state: 'SUCCESS', flowRevision: 1 });
    const run = async (payload: object) =>
      (await shared().call('POST', '/tests/run', { payload })).body as unknown as {
        results: Result[];
      };
    const states = async (payload: object) => (await run(payload)).results.map(({ state }) => state);
    expect(await states({ namespace: 'tests' })).toContain('SUCCESS');
    expect(await states({ source: flow(namespace, 'changed') })).toEqual(['FAILED']);
    expect(await states({ source: flow(namespace).replace('core.debug.Return', 'core.debug.Nope') })).toEqual(
      ['ERROR'],
    );
    // An unsaved flow leaves the stored result as it was.
    expect((await call('GET', `/${namespace}/orders_test`)).body.lastResult).toMatchObject({
      state: 'SUCCESS',
    });
    await shared().call('DELETE', `/flows/${namespace}/orders`);
    const gone = (await call('POST', `/${namespace}/orders_test/run`)).body as unknown as Result;
    expect(gone.results[0]?.errors[0]).toContain('There is no flow "orders"');
  });

  it('A-6.4 records an execution as a suite that passes, without its secrets', async () => {
    const namespace = 'tests.records';
    await shared().saveFlow(
      flow(namespace).replace(
        'inputs.amount > 10',
        "inputs.token == secret('API_TOKEN') or inputs.amount > 10",
      ),
    );
    const started = await shared().call(
      'POST',
      `/executions/${namespace}/orders?wait=true`,
      form({ amount: '7', token: 'top-secret-token' }),
    );
    const { status, body } = await shared().call('POST', '/tests/record', {
      payload: { executionId: started.body.id },
    });
    expect(status).toBe(200);
    const source = String(body.source);
    expect(source).not.toContain('top-secret-token');
    expect(source).toContain('untaken');
    const small = await shared().call(
      'POST',
      `/executions/${namespace}/orders?wait=true`,
      form({ amount: '7' }),
    );
    const recorded = await shared().call('POST', '/tests/record', {
      payload: { executionId: small.body.id },
    });
    expect((await call('POST', '', String(recorded.body.source))).status).toBe(200);
    const { body: result } = await call('POST', `/${namespace}/orders_test/run`);
    expect(result).toMatchObject({ state: 'SUCCESS' });
    expect((await shared().call('POST', '/tests/record', { payload: { executionId: 'none' } })).status).toBe(
      404,
    );
  });

  it('exports the suites beside their flows and imports them again', async () => {
    const namespace = 'tests.files';
    await shared().saveFlow(flow(namespace));
    await call('POST', '', suite(namespace));
    const archive = await shared().app.inject({
      method: 'GET',
      url: `/api/v1/flows/export/by-query?namespace=${namespace}`,
    });
    expect(archive.rawPayload.includes(`${namespace}-orders_test.test.yml`)).toBe(true);
    await call('DELETE', `/${namespace}/orders_test`);
    await shared().call('DELETE', `/flows/${namespace}/orders`);
    const imported = await shared().call(
      'POST',
      '/flows/import',
      multipart({ name: 'fileUpload', fileName: 'flows.zip', content: archive.rawPayload }),
    );
    expect(imported.body).toEqual([]);
    expect((await call('GET', `/${namespace}/orders_test`)).body.source).toBe(suite(namespace));
  });

  it('reports every error of a source with its path', async () => {
    const { body } = await call('POST', '/validate', 'id: a\nnamespace: b\ntestCases: []\n');
    expect(body.violations).toEqual(expect.arrayContaining([expect.objectContaining({ path: 'flowId' })]));
    expect((await call('POST', '', 'id: [')).status).toBe(422);
  });
});

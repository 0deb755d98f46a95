import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aFlow } from './testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { databases } from './testing/databases.ts';

/** Echoes the request in the requested format. */
const echo = createServer(async (request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url = '', method, headers } = request;
  const said = {
    url,
    method,
    type: headers['content-type'],
    token: headers['x-token'],
    body: String(Buffer.concat(chunks)),
  };
  if (url.startsWith('/missing')) return response.writeHead(404).end('nothing here');
  if (url.startsWith('/away')) return response.writeHead(302, { location: 'http://169.254.169.254/x' }).end();
  if (url.startsWith('/text')) return response.writeHead(200, { 'content-type': 'text/plain' }).end('plain');
  if (url.startsWith('/yaml'))
    return response.writeHead(200, { 'content-type': 'application/x-yaml' }).end('a: [1, 2]');
  if (url.startsWith('/broken'))
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":');
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
});
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
});
afterAll(() => void echo.close());

describe.each(databases)('expressions that reach the server on $name', (database) => {
  const server = sharedServer(database);

  /** The value of an expression in a task, or the error from its log. */
  async function resultOf(expression: string, namespace = 'company.team'): Promise<unknown> {
    const id = anId();
    const format = JSON.stringify(`{{ ${expression} }}`);
    await server().saveFlow(
      `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - {id: t, type: core.debug.Return, format: ${format}}\n`,
    );
    const { body } = await server().call('POST', `/executions/${namespace}/${id}?wait=true`);
    if (stateOf(body) === 'SUCCESS')
      return (taskRunsOf(body)[0]?.outputs as { value?: unknown } | undefined)?.value;
    const logs = await server().call('GET', `/logs/${String(body.id)}`);
    return JSON.stringify(logs.body);
  }

  it('http() sends a request and reads the answer by its type', async () => {
    const cases: [string, string][] = [
      [`http(uri='${base}/a', query={'q': 'x y', 'n': [1, 2]}).url`, '/a?q=x+y&n=1&n=2'],
      [`http('${base}/a').method`, 'GET'],
      [`http(uri='${base}/a', method='POST', body={'a': 1}).body`, '{"a":1}'],
      [
        `http(uri='${base}/a', method='POST', body={'a': 1}, contentType='application/x-yaml').body | trim`,
        'a: 1',
      ],
      [
        `http(uri='${base}/a', method='PUT', body={'a': 'b c'}, contentType='application/x-www-form-urlencoded').body`,
        'a=b+c',
      ],
      [`http(uri='${base}/a', headers={'X-Token': 't'}).token`, 't'],
      [`http(uri='${base}/text')`, 'plain'],
      [`http(uri='${base}/yaml').a[1]`, '2'],
      [`http(uri='${base}/missing', options={'allowFailed': true})`, 'nothing here'],
    ];
    for (const [expression, value] of cases)
      expect([expression, await resultOf(expression)]).toEqual([expression, value]);
  });

  it('[A30] http() obeys the outbound policy, also after a redirect, and says why it failed', async () => {
    const cases: [string, RegExp][] = [
      [`http(uri='http://169.254.169.254/latest/meta-data')`, /not allowed by the outbound policy/],
      [`http(uri='http://[::ffff:169.254.169.254]/')`, /not allowed by the outbound policy/],
      [`http(uri='${base}/away')`, /not allowed by the outbound policy/],
      [`http(uri='file:///etc/passwd')`, /file:/],
      [`http(uri='${base}/missing')`, /status 404: nothing here/],
      [`http(uri='${base}/broken')`, /cannot be read as that/],
      [`http(uri='${base}/a', options={'nope': 1})`, /arguments of http\(\)/],
      [`http(uri='${base}/a', headers='x')`, /headers of http\(\) must be a map/],
    ];
    for (const [expression, said] of cases) expect(await resultOf(expression)).toMatch(said);
  });

  it('randomPort() is a port that can be listened on', async () => {
    expect(Number(await resultOf('randomPort()'))).toBeGreaterThan(0);
  });

  it('errorLogs() has what went wrong in this execution, and nothing else', async () => {
    const id = anId();
    await server().saveFlow(
      aFlow(
        id,
        `tasks:
  - {id: say, type: core.log.Log, message: first, level: ERROR}
  - {id: warn, type: core.log.Log, message: only a warning, level: WARN}
  - {id: stop, type: core.execution.Fail, errorMessage: no more}
errors:
  - {id: tell, type: core.debug.Return, format: "{{ errorLogs() | length }} {{ (errorLogs() | first).message }} {{ (errorLogs() | last).taskId }}"}
`,
      ),
    );
    const execution = await server().run(id);
    const told = taskRunsOf(execution).find(({ taskId }) => taskId === 'tell');
    expect(told?.outputs).toEqual({ value: expect.stringMatching(/^\d+ first stop$/) });
  });

  it('subflow() runs a flow while inputs are read, to a depth of three', async () => {
    const [asked, asking, endless] = [anId(), anId(), anId()];
    await server().saveFlow(
      aFlow(
        asked,
        `inputs: [{id: n, type: INT, defaults: 2}]
tasks: [{id: t, type: core.debug.Return, format: "{{ inputs.n * 2 }}"}]
outputs: [{id: list, type: STRING, value: "{{ outputs.t.value }}"}]
`,
      ),
    );
    const value = `{{ subflow(namespace='company.team', id='${asked}', inputs={'n': 21}, labels={'by': 'test'}).outputs.list }}`;
    await server().saveFlow(
      aFlow(
        asking,
        `inputs:\n  - {id: a, type: STRING, defaults: "${value}"}\ntasks: [{id: t, type: core.debug.Return, format: "{{ inputs.a }}"}]\n`,
      ),
    );
    expect(taskRunsOf(await server().run(asking))[0]?.outputs).toEqual({ value: '42' });
    await server().saveFlow(
      aFlow(
        endless,
        `inputs:\n  - {id: a, type: STRING, defaults: "{{ subflow(namespace='company.team', id='${endless}').state }}"}\ntasks: [{id: t, type: core.log.Log, message: x}]\n`,
      ),
    );
    const { status, body } = await server().call('POST', `/executions/company.team/${endless}`);
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining('nested deeper than 3 levels'),
    ]);
    // In a task it is not for the asking: a Subflow task does that.
    expect(await resultOf(`subflow(namespace='company.team', id='${asked}').id`)).toContain(
      'not available here',
    );
  });
});

describe.each(databases)('restricted key-value stores on $name', (database) => {
  const server = sharedServer(database, {
    settings: { kv: { restricted: { 'company.payments': ['company.reports'], closed: [] } } },
  });

  /** How an expression or a task of a namespace ends that uses an entry of another one. */
  async function use(user: string, task: string): Promise<string> {
    const id = anId();
    await server().saveFlow(`id: ${id}\nnamespace: ${user}\ntasks:\n  - {id: t, ${task}}\n`);
    const { body } = await server().call('POST', `/executions/${user}/${id}?wait=true`);
    return stateOf(body);
  }
  const read = (key: string, namespace: string) =>
    `type: core.debug.Return, format: "{{ kv('${key}', '${namespace}') }}"`;

  it('[A9] a flow reads entries of other namespaces unless these restrict it', async () => {
    for (const namespace of ['company.payments', 'company.payments.eu', 'closed', 'open']) {
      const path = `/namespaces/${namespace}/kv/limit`;
      const { status } = await server().call('PUT', path, {
        payload: '10',
        headers: { 'content-type': 'text/plain' },
      });
      expect(status).toBe(200);
    }
    const outcomes = await Promise.all(
      (
        [
          ['company.team', read('limit', 'open'), 'SUCCESS'],
          ['company.team', read('limit', 'company.payments'), 'FAILED'],
          ['company.team', read('limit', 'company.payments.eu'), 'FAILED'],
          ['company.team', read('limit', 'closed'), 'FAILED'],
          ['company.paymentsx', read('limit', 'company.payments'), 'FAILED'],
          ['company', read('limit', 'company.payments'), 'FAILED'],
          ['company.payments', read('limit', 'company.payments'), 'SUCCESS'],
          ['company.payments.us', read('limit', 'company.payments.eu'), 'SUCCESS'],
          ['company.payments.us', 'type: core.debug.Return, format: "{{ kv(\'limit\') }}"', 'SUCCESS'],
          ['company.reports.daily', read('limit', 'company.payments'), 'SUCCESS'],
          ['company.team', 'type: core.kv.Get, key: limit, namespace: company.payments', 'FAILED'],
          ['company.team', 'type: core.kv.Set, key: limit, value: 9, namespace: closed', 'FAILED'],
          ['company.team', 'type: core.kv.Delete, key: limit, namespace: closed', 'FAILED'],
          ['company.team', 'type: core.kv.GetKeys, prefix: l, namespace: closed', 'FAILED'],
          ['company.reports', 'type: core.kv.Get, key: limit, namespace: company.payments', 'SUCCESS'],
        ] as const
      ).map(async ([user, task, expected]) => [user, task, expected, await use(user, task)]),
    );
    expect(outcomes.filter(([, , expected, state]) => expected !== state)).toEqual([]);
  });
});

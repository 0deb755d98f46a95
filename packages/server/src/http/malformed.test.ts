import { connect } from 'node:net';
import { type BodyKind, bulkExecutions, type Endpoint, instance, listEndpoints } from '@millrace/contract';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, yaml } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { pathOf } from './mount.ts';

/** Malformed requests to every route there is: the answer is a refusal with a code, never an internal error. */
const flow = `id: forms
namespace: company.team
inputs:
  - id: file
    type: FILE
    required: false
  - id: word
    type: STRING
    required: false
tasks:
  - id: wait
    type: core.flow.Pause
    onResume:
      - id: file
        type: FILE
        required: false
triggers:
  - id: hook
    type: core.trigger.Webhook
    key: a-long-enough-key
`;
const form = 'multipart/form-data; boundary=b';
const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const upload = head.replace('name="file"', 'name="fileUpload"');

/** Bodies that no route of this kind can take. */
const malformed: Record<
  Exclude<BodyKind, 'none'>,
  readonly (readonly [type: string, body: string | Buffer])[]
> = {
  json: [
    ['application/json', '{'],
    ['application/json', '{"a":'],
    ['application/json', '[1,'],
    ['application/json', 'nothing'],
    ['application/json', "{'a': 1}"],
    ['application/json', '\u0000'],
    ['application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['application/json', '['.repeat(100_000)],
    ['application/json', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`],
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'a=b'],
    [form, '--b--\r\n'],
    ['application', '{}'],
    [';', '{}'],
  ],
  yaml: [
    ['application/x-yaml', Buffer.from([0x69, 0x64, 0x3a, 0x20, 0xff, 0xfe])],
    [form, '--b--\r\n'],
    ['application/octet-stream', 'id: x'],
    ['application/x-www-form-urlencoded', 'a=b'],
  ],
  text: [['text/plain', Buffer.from([0xff, 0xfe, 0x80])]],
  multipart: [
    ['multipart/form-data', 'nothing'],
    ['multipart/form-data; boundary=', '--\r\n'],
    ['multipart/form-data; boundary="', '--b--'],
    [form, 'nothing'],
    [form, '--c--\r\n'],
    [form, '--b'],
    [form, '--b\r\n'],
    [form, head],
    [form, `${head}abc`],
    [form, `${head}abc\r\n--b`],
    [form, `${upload}abc`],
    [form, `${upload}abc\r\n--b\r\n`],
    [form, `--b\r\nContent-Disposition: form-data; name="word"\r\n\r\nabc`],
    [form, '--b\r\nno header at all\r\n\r\nabc\r\n--b--\r\n'],
    [form, `--b\r\n${'X-A: b\r\n'.repeat(5_000)}\r\nabc\r\n--b--\r\n`],
    [form, `${head.repeat(2_000)}`],
    ['application/json', '{"files":{"file":{"path":"/etc/passwd"}}}'],
    ['text/plain', 'abc'],
    ['multipart/mixed; boundary=b', '--b--\r\n'],
  ],
};

/** Bodies that a route may take or refuse. */
const odd: readonly (readonly [type: string, body: string | Buffer])[] = [
  ['application/json', ''],
  ['application/json', 'null'],
  ['application/json', '0'],
  ['application/json', '1e999'],
  ['application/json', '"a"'],
  ['application/json', '[]'],
  ['application/json', '[null]'],
  ['application/json', '{}'],
  ['application/json', '{"__proto__":{"a":1},"constructor":{"prototype":1}}'],
  ['application/json', '{"id":null,"ids":[null],"value":{},"labels":{},"filters":[[]],"query":1}'],
  ['application/json', '{"id":"\\u0000","namespace":"\\ud800","key":"\\u0000","value":"\\u0000"}'],
  ['application/json', '["\\u0000","\\ud800"]'],
  ['application/x-yaml', ''],
  ['application/x-yaml', '\u0000'],
  ['application/x-yaml', 'id: "a\\0b"\nnamespace: "x\\0"\ntasks: []\n'],
  ['application/x-yaml', '- - - -'],
  ['application/x-yaml', 'null'],
  ['application/x-yaml', 'id: [1]\nnamespace: {a: b}\ntasks: 3\n'],
  ['text/plain', '\u0000'],
  ['text/plain', '"\u0000"'],
  [form, '--b--\r\n'],
  [form, '--b\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b--\r\n'],
  [form, '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nabc\r\n--b--\r\n'],
  [form, '--b\r\nContent-Disposition: form-data; name="word"\r\n\r\n\u0000\r\n--b--\r\n'],
  [form, `${head.replace('a.txt', '../../a\u0000.txt')}abc\r\n--b--\r\n`],
  [form, `${head.replace('a.txt', `${'x'.repeat(5_000)}.txt`)}abc\r\n--b--\r\n`],
  [form, `${upload.replace('a.txt', 'a.zip')}PK\u0003\u0004abc\r\n--b--\r\n`],
  [form, `${upload.replace('a.txt', 'a.yml')}\u0000\r\n--b--\r\n`],
];

/** Values of path parameters and of the query. */
const oddValues = [
  '%00',
  '%ff',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '%0d%0aX-A:%20b',
  '%F0%9F%92%A5',
  '%ud800',
  '%',
  "'%20OR%201=1--",
  '-1',
  '1e400',
  'x'.repeat(513),
];
const oddQueries = [
  'page=-1&size=-1',
  'page=1e309&size=999999999999',
  'page[]=1&size[a]=b',
  'sort=nothing:asc&sort=id:sideways&sort=;',
  'sort=state.duration:asc&filters[%00][EQUALS]=%00',
  'filters[q][EQUALS]=%00&q=%00&query=%00',
  'filters[labels][EQUALS][a]=%00&labels=%00:%00&labels=a',
  'filters[namespace][NOTHING]=x&filters[x]=y&filters=z',
  'startDate=nothing&endDate=9999999-01-01&timeRange=P',
  'startDate=-271821-04-20T00:00:00Z&endDate=%2B275760-09-13T00:00:00Z',
  'namespace=%00&flowId=%00&executionId=%00&taskRunId=%00&path=%00&revision=1e99',
  'path=../../../etc/passwd&from=..&to=%00&minLevel=LOUD&state=NOTHING',
  '__proto__=1&constructor=2&a[__proto__][b]=1',
  `q=${'%25'.repeat(2_000)}`,
];

describe.each(databases)('malformed requests on $name', (database) => {
  const shared = sharedServer(database);
  let executionId = '';
  const endpoints = listEndpoints().filter(({ endpoint }) => endpoint.replyKind !== 'stream');

  beforeAll(async () => {
    await shared().saveFlow(flow);
    executionId = (await shared().start('forms')).id;
    await shared().waitForState(executionId, 'PAUSED');
  });

  const known = (name: string): string =>
    ({ namespace: 'company.team', id: 'forms', flowId: 'forms', executionId, key: 'a-key' })[name] ?? 'x';
  const fill = (endpoint: Endpoint, valueFor = known): string =>
    pathOf(endpoint).replace(/\{(\w+)\}/g, (_, name: string) => valueFor(name));

  /** The problem with the response, if any. */
  const problemOf = async (
    endpoint: Endpoint,
    options: Partial<InjectOptions> & { url: string },
    mustRefuse: boolean,
  ): Promise<string | undefined> => {
    const { statusCode, body } = await shared().app.inject({
      ...options,
      method: endpoint.method,
    } as InjectOptions);
    // During maintenance the other routes would start nothing.
    if (endpoint === instance.startMaintenance) await shared().call('DELETE', '/instance/maintenance');
    // Each query that matches all executions doubles them, and the other routes would read thousands.
    if (endpoint === bulkExecutions.replay.byQuery && statusCode === 200) await removeReplays();
    const isRefused = statusCode >= 400 && statusCode < 500;
    if (statusCode >= 500) return `${statusCode} ${body}`;
    if (!isRefused) return mustRefuse ? `${statusCode} although the body is malformed` : undefined;
    // These have shapes that clients know: plain text, and the errors of bulk actions.
    if (endpoint.plainTextStatus === statusCode || body.includes('"invalids"')) return undefined;
    const { message, code } = JSON.parse(body) as { message?: string; code?: string };
    return message && code ? undefined : `${statusCode} without a code: ${body}`;
  };

  const removeReplays = async () => {
    const { body } = await shared().call('GET', '/executions/search?size=100');
    const ids = (body.results as { id: string }[]).map(({ id }) => id).filter((id) => id !== executionId);
    await shared().call('DELETE', '/executions/by-ids?includeNonTerminated=true', { payload: ids });
  };

  const withBody = endpoints.filter(({ endpoint }) => endpoint.bodyKind !== 'none');

  // No database sees these.
  it.runIf(database === sqlite)(
    '[A16] a body that is malformed or of the wrong type is refused with a code',
    async () => {
      expect(withBody.length).toBeGreaterThan(60);
      const problems: unknown[] = [];
      for (const { name, endpoint } of withBody) {
        const cases = endpoint.bodyKind === 'none' ? [] : malformed[endpoint.bodyKind];
        for (const [type, payload] of cases) {
          const request = { url: fill(endpoint), headers: { 'content-type': type }, payload };
          const problem = await problemOf(endpoint, request, endpoint.body !== undefined);
          if (problem) problems.push([name, type, String(payload).slice(0, 60), problem]);
        }
      }
      expect(problems).toEqual([]);
    },
    600_000,
  );

  it('[A11] [A16] a body that is well formed and senseless never leads to an internal error', async () => {
    const problems: unknown[] = [];
    for (const { name, endpoint } of withBody) {
      const isTaken = (type: string) => {
        const kind = type === form ? 'multipart' : type === 'application/json' ? 'json' : 'yaml';
        return endpoint.bodyKind === kind || (endpoint.bodyKind === 'text' && kind !== 'multipart');
      };
      for (const [type, payload] of odd.filter(([kind]) => isTaken(kind))) {
        const request = { url: fill(endpoint), headers: { 'content-type': type }, payload };
        const problem = await problemOf(endpoint, request, false);
        if (problem) problems.push([name, type, String(payload).slice(0, 60), problem]);
      }
    }
    expect(problems).toEqual([]);
  }, 600_000);

  it('[A21] no path and no query leads to an internal error', async () => {
    // PostgreSQL runs only the cases in which databases differ.
    const isTold = (text: string) => database === sqlite || /%00|%ud800|1e/.test(text);
    const [values, queries] = [oddValues.filter(isTold), oddQueries.filter(isTold)];
    const problems: unknown[] = [];
    for (const { name, endpoint } of endpoints) {
      const urls = [
        ...values.map((value) => fill(endpoint, () => value)),
        ...values.map((value) => fill(endpoint, (param) => (param === 'namespace' ? 'company.team' : value))),
        ...(endpoint.query ? queries : []).map((query) => `${fill(endpoint)}?${query}`),
      ];
      for (const url of new Set(urls)) {
        const problem = await problemOf(endpoint, { url }, false);
        if (problem) problems.push([name, url.slice(0, 150), problem]);
      }
    }
    expect(problems).toEqual([]);
  }, 600_000);
});

describe('malformed requests over a socket', () => {
  const shared = sharedServer(sqlite);
  const requests: Record<string, string> = {
    'a length that is too large':
      'POST /api/v1/flows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n',
    'two lengths':
      'POST /api/v1/flows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'a length and chunks':
      'POST /api/v1/flows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a broken chunk':
      'POST /api/v1/flows HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'a header with a line break': 'GET /ping HTTP/1.1\r\nHost: localhost\r\nX-A: b\rc\r\n\r\n',
    'no verb': '\u0000\u0001\u0002\r\n\r\n',
    'too many headers': `GET /ping HTTP/1.1\r\nHost: localhost\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`,
    'an address with a fragment': 'GET /ping#\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  };

  it.each(Object.entries(requests))('%s is refused, and the server stays up', async (_, text) => {
    const { app } = shared();
    const url = app.server.listening ? undefined : await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    const port = typeof address === 'object' && address ? address.port : Number(new URL(url ?? '').port);
    const answer = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
      socket.setEncoding('latin1');
      socket.on('data', (chunk) => {
        received += chunk;
        socket.end();
      });
      socket.on('close', () => resolve(received));
      socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await shared().call('POST', '/flows/validate', yaml('id: x'))).status).toBe(200);
  });
});

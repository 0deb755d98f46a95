import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anId, sharedServer, yaml } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

/** Requests that try to harm a running server. It must respond with a clear error and stay fast. */
describe('hostile requests', () => {
  const shared = sharedServer(sqlite);
  const stillAnswers = async () => {
    const before = performance.now();
    expect((await shared().app.inject({ url: '/ping', headers: { host: 'localhost' } })).body).toBe('pong');
    expect(performance.now() - before).toBeLessThan(2_000);
  };

  const head = 'id: x\nnamespace: company.team\ntasks:\n  - id: a\n    type: core.log.Log\n    message: ';
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
    .split('')
    .map((name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[n]}`).join(', ')}]`)
    .join('\n')}\n`;

  it.each([
    ['an alias bomb', `${bomb}id: x\nnamespace: company.team\ntasks: *h\n`],
    [
      '100,000 keys',
      `id: x\nnamespace: company.team\nvariables:\n${Array.from({ length: 100_000 }, (_, n) => `  k${n}: 1`).join('\n')}\ntasks: []\n`,
    ],
    [
      '10,000 levels',
      `id: x\nnamespace: company.team\nvariables: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`,
    ],
    ['duplicate keys', `${head}x\nid: y\n`],
    [
      'a merge key that contains itself',
      'id: x\nnamespace: company.team\nvariables: &v\n  <<: *v\ntasks: []\n',
    ],
    ['a custom tag', 'id: x\nnamespace: company.team\ntasks: !!js/function "function () {}"\n'],
    ['a NUL', `${head}"a\u0000b"\n`],
    ['a byte order mark', `\ufeff${head}x\n`],
    [
      'a prototype',
      `${head}x\n__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }\n`,
    ],
    ['no text at all', ''],
  ])('[A10] a flow with %s is judged, never run', async (_, source) => {
    const { status, body } = await shared().call('POST', '/flows/validate', yaml(source));
    expect(status).toBe(200);
    expect(Array.isArray(body)).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await stillAnswers();
  });

  it('[A10] a text of ten megabytes is read, a larger one refused, and bytes that are no text as well', async () => {
    const send = (payload: string | Buffer) =>
      shared().call('POST', '/flows/validate', { ...yaml(''), payload });
    expect((await send(`${head}${'x'.repeat(9_900_000)}\n`)).status).toBe(200);
    expect((await send(`${head}${'x'.repeat(11_000_000)}\n`)).status).toBe(413);
    const broken = await send(Buffer.from([0x69, 0x64, 0x3a, 0x20, 0xff, 0xfe]));
    expect([broken.status, broken.body.message]).toEqual([
      422,
      'Illegal argument: the body is not valid UTF-8',
    ]);
    await stillAnswers();
  });

  it.each([
    ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 422, /nests deeper than 200 levels/],
    ['too many bytes', `["${'x'.repeat(11_000_000)}"]`, 413, /larger than 10485760 bytes/],
    ['no JSON', '{"a":', 422, /^Invalid json: /],
    ['a number that is too large', '[1e999]', 422, /./],
    ['the wrong shape', '{"a": 1}', 422, /./],
  ])('[A11] JSON with %s gets a clear sentence', async (_, payload, status, message) => {
    const refused = await shared().call('DELETE', '/executions/kill/by-ids', {
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(refused.status).toBe(status);
    expect(String(refused.body.message)).toMatch(message);
    await stillAnswers();
  });

  it('[A11] no input, label or value reaches the prototype of anything', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      `id: ${id}\nnamespace: company.team\ninputs:\n  - id: data\n    type: JSON\ntasks:\n  - id: a\n    type: core.debug.Return\n    format: "{{ inputs.data }}"\n`,
    );
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}';
    const execution = await server.run(id, { data: hostile });
    expect(execution.state).toMatchObject({ current: 'SUCCESS' });
    await server.call('POST', `/executions/${execution.id}/labels`, {
      headers: { 'content-type': 'application/json' },
      payload: '[{"key":"__proto__","value":"polluted"},{"key":"constructor","value":"x"}]',
    });
    await server.call('PUT', '/namespaces/company.team/kv/hostile', {
      headers: { 'content-type': 'application/json' },
      payload: hostile,
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each([
    [
      'JSON where a form belongs',
      '/executions/company.team/x',
      { 'content-type': 'application/json' },
      '{"files":[{"path":"/etc/passwd"}]}',
      415,
    ],
    [
      'a form where JSON belongs',
      '/triggers/unlock/by-triggers',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b--',
      415,
    ],
    [
      'a form without a boundary',
      '/executions/company.team/x',
      { 'content-type': 'multipart/form-data' },
      'x',
      [400, 406, 415, 422],
    ],
    [
      'a form that ends early',
      '/executions/company.team/x',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      [400, 422],
    ],
    [
      'too many fields',
      '/executions/company.team/x',
      { 'content-type': 'multipart/form-data; boundary=b' },
      `${Array.from({ length: 100_000 }, (_, n) => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nx\r\n`).join('')}--b--\r\n`,
      413,
    ],
  ])('[A15] [A16] %s is refused', async (_, path, headers, payload, status) => {
    // The flow must exist: otherwise the request is refused before its form is read.
    await shared().call('POST', '/flows', yaml(`${head}x\n`));
    const answer = await shared().call('POST', path, { headers, payload });
    expect([status].flat()).toContain(answer.status);
    expect(typeof answer.body.message).toBe('string');
    await stillAnswers();
  });

  it('[A16] lists and objects in a query are texts or refused, never code', async () => {
    for (const query of [
      'page[]=1',
      'page[a]=1',
      'page=1&page=2',
      'size=__proto__',
      'sort[constructor]=x',
      'q=a&q=b',
      '__proto__[x]=1',
    ]) {
      const { status } = await shared().call('GET', `/flows/search?${query}`);
      expect([query, status === 200 || status === 422]).toEqual([query, true]);
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('[A17] large, deep, cyclic and endless flows are saved or refused with a reason', async () => {
    const server = shared();
    const save = async (source: string) => (await server.call('POST', '/flows', yaml(source))).status;
    const many = Array.from(
      { length: 10_000 },
      (_, n) => `  - id: t${n}\n    type: core.log.Log\n    message: x`,
    );
    expect([200, 422]).toContain(await save(`id: many\nnamespace: abuse\ntasks:\n${many.join('\n')}\n`));
    let deep = '{id: leaf, type: core.log.Log, message: x}';
    for (let n = 0; n < 1_000; n++) deep = `{id: d${n}, type: core.flow.Sequential, tasks: [${deep}]}`;
    expect([200, 422]).toContain(await save(`id: deep\nnamespace: abuse\ntasks: [${deep}]\n`));
    const dag = (a: string, b: string) =>
      `id: cycle\nnamespace: abuse\ntasks:\n  - id: dag\n    type: core.flow.Dag\n    tasks:\n      - task: {id: a, type: core.log.Log, message: x}\n        dependsOn: [${a}]\n      - task: {id: b, type: core.log.Log, message: x}\n        dependsOn: [${b}]\n`;
    expect(await save(dag('b', 'a'))).toBe(422);
    const self =
      'id: self\nnamespace: abuse\ntasks:\n  - id: again\n    type: core.flow.Subflow\n    namespace: abuse\n    flowId: self\n';
    expect(await save(self)).toBe(422);
    await stillAnswers();
  });
});

describe('slow requests', () => {
  it('[A15] a body that trickles in is cut off, one that comes is not', async () => {
    const { default: fastify } = await import('fastify');
    const { requireBodyProgress } = await import('./bodyProgress.ts');
    const app = fastify();
    app.addContentTypeParser('*', (_request, payload, done) => {
      let size = 0;
      payload.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      payload.on('end', () => done(null, size));
    });
    requireBodyProgress(app, { everyMs: 100, minBytes: 50 });
    app.post('/', (request) => ({ size: request.body }));
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const send = (piece: string, everyMs: number) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = connect(Number(port), '127.0.0.1');
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 600\r\n\r\n');
        const timer = setInterval(() => socket.write(piece), everyMs);
        socket.on('data', (chunk) => {
          answer += String(chunk);
          socket.end();
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          clearInterval(timer);
          resolve(answer);
        });
      });
    const [slow, steady] = await Promise.all([send('x', 20), send('x'.repeat(60), 40)]);
    expect(slow).toBe('');
    expect(steady).toContain('{"size":600}');
    await app.close();
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineTask } from '@millrace/plugin-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../testing/aFlow.ts';
import { file, zip } from '../testing/archives.ts';
import { anId, form, sharedServer, stateOf, taskRunsOf, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});

/** A task that logs and outputs whatever its author configures. */
const flood = defineTask({
  type: 'test.Flood',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({
    line: z.string().optional(),
    repeat: z.number().default(1),
    outputBytes: z.number().default(0),
  }),
  output: z.object({ text: z.string() }),
  sideEffects: true,
  run: async (context, { line, repeat, outputBytes }) => {
    if (line !== undefined) await context.log('INFO', line.repeat(repeat));
    return { text: 'x'.repeat(outputBytes) };
  },
});

/** Malicious flows, inputs and files. The server refuses them and stays as fast as before. */
describe.each(databases)('hostile flows on $name', (database) => {
  const shared = sharedServer(database, { definitions: [flood] });
  const stillAnswers = async () => {
    const before = performance.now();
    expect((await shared().call('GET', '/flows/search?size=1')).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(2_000);
  };
  const logsOf = async (executionId: unknown) => {
    await shared().product.logs.flush();
    const { body } = await shared().call('GET', `/logs/${executionId}`);
    return (body as unknown as { message: string }[]).map(({ message }) => message);
  };

  it('[A9] a namespace is its own: no value, file, secret list or bulk action of a neighbour is touched', async () => {
    const server = shared();
    const [own, near] = [`abuse.${anId()}`, `abuse.${anId()}`];
    const neighbours = [near, `${own}x`, 'abuse'];
    for (const namespace of neighbours) {
      await server.call('PUT', `/namespaces/${namespace}/kv/key`, json('theirs'));
      await server.call(
        'POST',
        `/namespaces/${namespace}/files?path=/a.txt`,
        file('fileContent', 'a.txt', 'theirs'),
      );
      await server.saveFlow(aFlow('f').replace('company.team', namespace));
      await server.call('POST', `/executions/${namespace}/f?wait=true`);
    }
    expect((await server.call('GET', `/namespaces/${own}/kv/key`)).status).toBe(404);
    expect((await server.call('GET', `/namespaces/${own}/files?path=/a.txt`)).status).toBe(404);
    for (const path of [`/../${near}/a.txt`, `/..%2f${near}%2fa.txt`])
      expect((await server.call('GET', `/namespaces/${own}/files?path=${path}`)).status).toBe(422);
    expect((await server.call('GET', `/namespaces/${own}%2f..%2f${near}/files?path=/a.txt`)).status).toBe(
      422,
    );
    for (const filter of [
      `namespace=${own}`,
      `filters[namespace][EQUALS]=${own}`,
      `filters[namespace][IN]=${own}`,
    ]) {
      for (const [method, path] of [
        ['DELETE', '/executions/by-query'],
        ['POST', '/executions/replay/by-query'],
        ['DELETE', '/flows/delete/by-query'],
        ['POST', '/flows/disable/by-query'],
        ['POST', '/triggers/unlock/by-query'],
        ['DELETE', '/templates/delete/by-query'],
      ] as const) {
        const { status, body } = await server.call(method, `${path}?${filter}`);
        expect([path, filter, status, body.count]).toEqual([path, filter, 200, 0]);
      }
    }
    for (const namespace of neighbours) {
      expect((await server.call('GET', `/flows/${namespace}/f`)).body).toMatchObject({ revision: 1 });
      expect((await server.call('GET', `/executions?namespace=${namespace}&flowId=f`)).body.total).toBe(1);
    }
    // An invalid filter must not be dropped silently.
    for (const query of [
      'filters[nmespace][EQUALS]=x',
      'filters[namespace]=x',
      'filters[namespace][EQUAL]=x',
    ])
      expect((await server.call('DELETE', `/executions/by-query?${query}`)).status).toBe(422);
  });

  it('[A12] [A13] expressions that explode or reach out end with a reason, in an evaluation and in a run', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const { id: executionId } = await server.run(id);
    const doubling = '{% set s = "x" %}{% for i in range(1, 100) %}{% set s = s ~ s %}{% endfor %}{{ s }}';
    for (const expression of [
      doubling,
      '{{ range(1, 1000000000) }}',
      '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
      "{{ render('{{ render(self) }}') }}",
      "{{ ('a' * 50000) | regexReplace('(a+)+$', 'b') }}",
      `{{ ${'('.repeat(100_000)} }}`,
      `{{ '${'x'.repeat(1_000_000)}' | upper | upper | nope }}`,
      "{{ ''.constructor.constructor('return process')() }}",
      '{{ flow.__proto__.polluted }}',
      "{{ execution['constructor']['prototype'] }}",
      '{{ inputs.toString.call }}',
      '{{ globalThis }}{{ process.env }}{{ require("fs") }}',
    ]) {
      const { status, body } = await server.call('POST', `/executions/${executionId}/eval`, {
        headers: { 'content-type': 'text/plain' },
        payload: expression,
      });
      expect([expression.slice(0, 60), status, typeof body.error]).toEqual([
        expression.slice(0, 60),
        200,
        'string',
      ]);
      expect(String(body.error).length).toBeLessThan(10_000);
    }
    await stillAnswers();
    const running = anId();
    await server.saveFlow(
      aFlow(running, `tasks:\n  - id: bomb\n    type: core.debug.Return\n    format: '${doubling}'\n`),
    );
    expect(stateOf(await server.run(running))).toBe('FAILED');
    await stillAnswers();
  });

  it('[A14] patterns of users take linear time: in validators, in filters and in expressions', async () => {
    const [server, id] = [shared(), anId()];
    const evil = '(a+)+$';
    const inputs = `inputs:\n  - id: word\n    type: STRING\n    validator: '${evil}'\n`;
    await server.saveFlow(aFlow(id, inputs));
    const word = `${'a'.repeat(50_000)}!`;
    const refused = await server.call('POST', `/executions/company.team/${id}`, form({ word }));
    expect(refused.status).toBe(422);
    await stillAnswers();
    const search = (field: string, resource: string) =>
      server.call('GET', `/${resource}/search?filters[${field}][REGEX]=${encodeURIComponent('(a+)+(b+)+$')}`);
    for (const resource of ['flows', 'executions'])
      expect((await search('namespace', resource)).status).toBe(200);
    const broken = await server.call('GET', '/flows/search?filters[namespace][REGEX]=(');
    expect([broken.status, typeof broken.body.message]).toEqual([422, 'string']);
    await stillAnswers();
  });

  it('[A18] a line of 10 MB, control characters and an output of 100 MB do no harm', async () => {
    const server = shared();
    const run = async (task: string) => {
      const id = anId();
      await server.saveFlow(aFlow(id, `tasks:\n  - id: flood\n    type: test.Flood\n${task}`));
      return server.run(id);
    };
    const long = await run('    line: "0123456789"\n    repeat: 1048576\n');
    const pieces = await logsOf(long.id);
    expect(pieces.join('')).toHaveLength(10_485_760);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(100_000);
    const strange = await run('    line: "\\e[31mred\\e[2J\\u0000 \\b\\u202E \\uD800 end"\n');
    expect((await logsOf(strange.id)).join('')).toMatch(/red[\s\S]*end/);
    const large = await run('    outputBytes: 104857600\n');
    expect(stateOf(large)).toBe('FAILED');
    expect(taskRunsOf(large)[0]?.outputs).toEqual({});
    expect((await logsOf(large.id)).join('\n')).toContain('write them to a file instead');
    await stillAnswers();
  });

  it('[A18] ten thousand labels are stored and found, or refused with a reason', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const { id: executionId } = await server.run(id);
    const labels = Array.from({ length: 10_000 }, (_, n) => ({ key: `k${n}`, value: `v${n}` }));
    const { status } = await server.call('POST', `/executions/${executionId}/labels`, json(labels));
    expect([200, 422]).toContain(status);
    expect((await server.call('GET', '/executions/search?labels=k9999:v9999')).status).toBe(200);
    await stillAnswers();
  });

  it('[A20] crons that are wrong or never due are refused at once; those that are always due block no other flow', async () => {
    const server = shared();
    const source = (id: string, cron: string, more = '') =>
      aFlow(id, `triggers:\n  - id: t\n    type: core.trigger.Schedule\n    cron: "${cron}"\n${more}`);
    for (const cron of [
      '*/0 * * * *',
      '60 * * * *',
      '* * * * * * * *',
      '',
      'x y z',
      '0-99999999 * * * *',
      '1/1e9 * * * *',
    ]) {
      const { body } = await server.call('POST', '/flows/validate', yaml(source('x', cron)));
      const [verdict] = body as unknown as { constraints?: string }[];
      expect([cron, typeof verdict?.constraints]).toEqual([cron, 'string']);
    }
    const never = anId();
    await server.saveFlow(source(never, '0 0 30 2 *'));
    await stillAnswers();
    const namespace = `abuse.${anId()}`;
    const every = (id: string) =>
      source(id, '* * * * * *', '    withSeconds: true\n').replace('company.team', namespace);
    const all = Array.from({ length: 30 }, (_, n) => every(`every${n}`)).join('---\n');
    expect((await server.call('POST', `/flows/${namespace}?delete=false`, yaml(all))).status).toBe(200);
    const count = async () =>
      Number((await server.call('GET', `/executions/search?namespace=${namespace}&size=1`)).body.total);
    await expect.poll(count).toBeGreaterThan(40);
    await stillAnswers();
    const off = `/triggers/set-disabled/by-query?disabled=true&namespace=${namespace}`;
    expect((await server.call('POST', off)).body).toMatchObject({ count: 30 });
  }, 180_000);

  it('[A23] no archive of flows or templates writes anywhere but into the store', async () => {
    const server = shared();
    const id = anId();
    const good = aFlow(id);
    const hostile = {
      '../../../../tmp/escaped.yml': good,
      '/etc/escaped.yml': good.replace(id, `${id}b`),
      'C:\\escaped.yml': good.replace(id, `${id}c`),
      'x.yml': 'id: [broken',
      'run.sh': 'touch /tmp/millrace-escaped',
    };
    // The writer of archives refuses such names too, so they are put in afterwards.
    const names = Object.keys(hostile);
    const plain = await zip(
      Object.fromEntries(
        names.map((name, n) => [`${n}`.repeat(name.length), Object.values(hostile)[n] ?? '']),
      ),
    );
    let bytes = plain.toString('latin1');
    for (const [n, name] of names.entries()) bytes = bytes.replaceAll(`${n}`.repeat(name.length), name);
    const archive = Buffer.from(bytes, 'latin1');
    for (const path of ['/flows/import', '/templates/import']) {
      const { status, body } = await server.call('POST', path, file('fileUpload', 'all.zip', archive));
      expect([path, status >= 200 && status < 500, typeof body]).toEqual([path, true, expect.any(String)]);
    }
    const { existsSync } = await import('node:fs');
    expect(
      ['/tmp/escaped.yml', '/etc/escaped.yml', '/tmp/millrace-escaped'].filter((path) => existsSync(path)),
    ).toEqual([]);
    const linked = await server.call(
      'POST',
      '/flows/import',
      file('fileUpload', 'all.zip', await zip({ 'l.yml': '/etc/passwd' }, 0o120777)),
    );
    expect(linked.status === 422 || JSON.stringify(linked.body).includes('l.yml')).toBe(true);
    await stillAnswers();
  });

  it('[A21] [A30] flows read no file of the server and reach no metadata service, however it is written', async () => {
    const server = shared();
    const fails = async (task: string) => {
      const id = anId();
      await server.saveFlow(aFlow(id, `tasks:\n  - id: t\n${task}`));
      const execution = await server.run(id);
      return [stateOf(execution), (await logsOf(execution.id)).join('\n')] as const;
    };
    for (const uri of [
      'file:///etc/passwd',
      'millrace:///../../etc/passwd',
      'nsfile:///../../../etc/passwd',
      '/etc/passwd',
      'millrace:///other/place/x',
    ]) {
      const [state, log] = await fails(`    type: core.debug.Return\n    format: "{{ read('${uri}') }}"\n`);
      expect([uri, state]).toEqual([uri, 'FAILED']);
      expect(log).not.toContain('root:');
    }
    for (const uri of [
      'http://169.254.169.254/latest/meta-data/',
      'http://[::ffff:169.254.169.254]/',
      'http://2852039166/',
      'http://0251.0376.0251.0376/',
      'http://0xa9fea9fe/',
      'http://169.254.169.254.:80/',
      'http://[fd00:ec2::254]/',
      'file:///etc/passwd',
      'gopher://127.0.0.1:6379/_x',
      'unix:///var/run/docker.sock',
    ]) {
      const [state] = await fails(`    type: core.http.Request\n    uri: "${uri}"\n    timeout: PT5S\n`);
      expect([uri, state]).toEqual([uri, 'FAILED']);
    }
  });

  it('[A31] a header made of an input cannot end early, and no second request slips in', async () => {
    const [server, id] = [shared(), anId()];
    const seen: string[] = [];
    const other = createServer((request, answer) => {
      seen.push(`${request.url} ${JSON.stringify(request.headers)}`);
      answer.end('ok');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const task = `tasks:\n  - id: ask\n    type: core.http.Request\n    uri: "http://127.0.0.1:${port}/{{ inputs.path }}"\n    headers:\n      x-name: "{{ inputs.name }}"\n`;
    await server.saveFlow(
      aFlow(id, `inputs:\n  - {id: name, type: STRING}\n  - {id: path, type: STRING}\n${task}`),
    );
    expect(stateOf(await server.run(id, { name: 'ada', path: 'one' }))).toBe('SUCCESS');
    const evil = 'x\r\ninjected: yes\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(stateOf(await server.run(id, { name: evil, path: 'two' }))).toBe('FAILED');
    await server.run(id, { name: 'ada', path: ` HTTP/1.1\r\ninjected: yes\r\n\r\nGET /smuggled` });
    expect(seen.filter((line) => /injected"|^\/smuggled/.test(line))).toEqual([]);
    expect(seen[0]).toContain('"x-name":"ada"');
  });
});

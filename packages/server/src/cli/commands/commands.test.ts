import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { aTerminal } from '../../testing/aTerminal.ts';
import { sqlite } from '../../testing/databases.ts';
import { serverProgram } from '../../testing/serverProgram.ts';
import { fails, flow, says } from '../../testing/terminalFlows.ts';

describe('the command line against a server', () => {
  const shared = sharedServer(sqlite, { settings: { auth: { username: 'ada', password: 'secret-1' } } });
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const file = (name: string, text: string) => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const environment = async () => {
    const { app } = shared();
    const url = app.server.listening ? app.listeningOrigin : await app.listen({ host: '127.0.0.1', port: 0 });
    return { MILLRACE_SERVER: url, MILLRACE_USER: 'ada:secret-1' };
  };
  const run = async (...argv: string[]) => aTerminal(await environment())(...argv);

  it('saves, updates, exports and deletes flows, and fails with 1 when one is refused', async () => {
    const [id, other] = [anId(), anId()];
    const good = file(`${id}/a.yml`, flow(id, says('one')));
    const bad = file(`${id}/b.yaml`, `id: ${other}\nnamespace: company.team\ntasks: []\n`);
    expect(await run('flow', 'create', good)).toEqual({
      code: 0,
      out: `saved    company.team.${id} revision 1\n`,
      err: '',
    });
    const both = await run('flow', 'update', '--create', join(folder.path, id));
    expect(both.code).toBe(1);
    expect(both.out).toContain(`saved    company.team.${id} revision 1\n`);
    expect(both.out).toMatch(new RegExp(`refused  ${bad}: Invalid entity: tasks`));
    writeFileSync(good, flow(id, says('two')));
    const json = await run('flow', 'update', good, '--output', 'json');
    expect(JSON.parse(json.out)).toEqual([{ file: good, namespace: 'company.team', id, revision: 2 }]);
    const tests = `id: checks\nnamespace: company.team\nflowId: ${id}\ntestCases: [{id: runs, assertions: [{state: SUCCESS}]}]\n`;
    const suite = await run('flow', 'update', file(`${id}/checks.test.yml`, tests));
    expect(suite.out).toContain('test suite company.team.checks version 1');
    const target = join(folder.path, `${id}-export`);
    expect(await run('flow', 'export', target, '--namespace', 'company')).toMatchObject({ code: 0 });
    expect(readFileSync(join(target, 'company.team-checks.test.yml'), 'utf8')).toBe(tests);
    expect(readFileSync(join(target, `company.team-${id}.yml`), 'utf8')).toBe(flow(id, says('two')));
    expect((await run('flow', 'delete', 'company.team', id)).out).toBe(`deleted  company.team.${id}\n`);
    expect(await run('flow', 'delete', 'company.team', id)).toMatchObject({
      code: 1,
      err: `Not Found: there is no flow "${id}" in the namespace "company.team"\n`,
    });
  });

  it('keeps flows with unknown types, disabled, when asked to', async () => {
    const id = anId();
    const path = file(`${id}/kept.yml`, flow(id, '  - id: a\n    type: acme.Later\n'));
    expect((await run('flow', 'create', path)).code).toBe(1);
    expect(await run('flow', 'create', '--keep-unknown-types', path)).toEqual({
      code: 0,
      out: `saved    company.team.${id} revision 1, disabled: no plugin provides acme.Later\n`,
      err: '',
    });
    expect((await run('flow', 'update', '--keep-unknown-types', path)).out).toContain('revision 1, disabled');
  });

  it('validates on the server, and here without one', async () => {
    const id = anId();
    const good = file(`${id}.yml`, flow(id, says('x')));
    const bad = file(`${id}-bad.yml`, flow(id, '  - id: a\n    type: no.such.Type\n'));
    for (const where of [[], ['--local']]) {
      expect(await run('flow', 'validate', good, ...where)).toEqual({
        code: 0,
        out: `ok       ${good} (company.team.${id})\n`,
        err: '',
      });
      const refused = await run('flow', 'validate', good, bad, ...where);
      expect(refused.code).toBe(1);
      expect(refused.out).toContain('Invalid type: no.such.Type');
    }
    const almost = file(`${id}-almost.yml`, flow(id, '  - id: a\n    type: core.log.Lgo\n    message: x\n'));
    expect((await run('flow', 'validate', almost)).out).toContain('core.log.Lgo; did you mean core.log.Log?');
    const away = await aTerminal({ MILLRACE_SERVER: 'http://127.0.0.1:1' })('flow', 'validate', good);
    expect(away.code).toBe(1);
    expect(away.err).toMatch(
      /^The server at http:\/\/127\.0\.0\.1:1 cannot be reached \(.*\); name another one/,
    );
  });

  it('runs, follows, restarts, replays and kills executions', async () => {
    const [good, bad] = [anId(), anId()];
    await run(
      'flow',
      'create',
      file(
        `${good}.yml`,
        flow(good, says('Hello {{ inputs.who }}\u001b[2J')).replace(
          'tasks:',
          'inputs:\n  - id: who\n    type: STRING\ntasks:',
        ),
      ),
    );
    await run('flow', 'create', file(`${bad}.yml`, flow(bad, fails)));
    const followed = await run(
      'execution',
      'run',
      'company.team',
      good,
      '-i',
      'who=a=b',
      '--follow',
      '-l',
      'k=v',
    );
    expect(followed.code).toBe(0);
    expect(followed.out).toMatch(/^\S+Z INFO {2}hello: Hello a=b\n$/);
    const [id = '', state] = followed.err.trim().split(' ');
    expect(state).toBe('SUCCESS');
    expect((await run('execution', 'logs', id)).out).toBe(followed.out);
    expect((await run('execution', 'follow', id)).out).toBe(followed.out);
    const started = await run('execution', 'run', 'company.team', bad, '--wait', '-o', 'json');
    expect(started.code).toBe(1);
    const execution = JSON.parse(started.out);
    expect(execution.state.current).toBe('FAILED');
    const restarted = await run('execution', 'restart', execution.id, '--follow');
    expect([restarted.code, restarted.err]).toEqual([1, `${execution.id} FAILED\n`]);
    const replayed = await run('execution', 'replay', execution.id);
    expect(replayed.code).toBe(0);
    expect(replayed.out).not.toContain(execution.id);
    for (const verb of ['kill', 'logs', 'follow', 'restart', 'replay'])
      expect([verb, (await run('execution', verb, 'nothing')).code]).toEqual([verb, 1]);
    const slow = anId();
    const sleeps = flow(slow, '  - id: sleep\n    type: core.flow.Sleep\n    duration: PT1H\n');
    await run('flow', 'create', file(`${slow}.yml`, sleeps));
    const running = (await run('execution', 'run', 'company.team', slow)).out.split(' ')[0] ?? '';
    expect(await run('execution', 'kill', running)).toMatchObject({ code: 0, out: `killing  ${running}\n` });
    expect(await run('execution', 'follow', running)).toMatchObject({ code: 1, err: `${running} KILLED\n` });
    expect(await run('execution', 'run', 'company.team', good)).toMatchObject({
      code: 1,
      err: expect.stringContaining('who'),
    });
  });

  it('keeps values of a namespace', async () => {
    const namespace = `values.${anId()}`;
    expect((await run('namespace', 'kv', 'set', namespace, 'answer', '{"a": 42}')).code).toBe(0);
    await run('namespace', 'kv', 'update', namespace, 'text', 'some words', '--ttl', 'P1D');
    expect((await run('namespace', 'kv', 'get', namespace, 'answer')).out).toBe('{"a":42}\n');
    expect((await run('namespace', 'kv', 'get', namespace, 'text')).out).toBe('some words\n');
    expect((await run('namespace', 'kv', 'list', namespace)).out).toMatch(/^KEY +UPDATED +EXPIRES/);
    expect((await run('namespace', 'kv', 'delete', namespace, 'text')).code).toBe(0);
    expect(await run('namespace', 'kv', 'delete', namespace, 'text')).toMatchObject({ code: 1 });
    const gone = await run('namespace', 'kv', 'delete', namespace, 'answer', '-o', 'json');
    expect(JSON.parse(gone.out)).toEqual({ deleted: { namespace, key: 'answer' } });
  });

  it('makes the flows of a folder those of a namespace, all or none', async () => {
    const namespace = `folder.${anId()}`;
    const source = (id: string, tasks = says('x')) => flow(id, tasks).replace('company.team', namespace);
    const path = join(folder.path, namespace);
    file(`${namespace}/one.yml`, source('one'));
    file(`${namespace}/sub/two.yaml`, source('two'));
    const first = await run('flow', 'namespace', 'update', namespace, path);
    expect([first.code, first.out.split('\n').sort()]).toEqual([
      0,
      ['', `saved    ${namespace}.one revision 1`, `saved    ${namespace}.two revision 1`],
    ]);
    const tests = `id: tests\nnamespace: ${namespace}\nflowId: one\ntestCases: [{id: ends, assertions: [{state: SUCCESS}]}]\n`;
    file(`${namespace}/one.test.yaml`, tests);
    expect((await run('flow', 'namespace', 'update', namespace, path)).out).toContain(
      `saved    test suite ${namespace}.tests version 1\n`,
    );
    file(`${namespace}/one.test.yaml`, tests.replace(namespace, 'elsewhere'));
    expect(await run('flow', 'namespace', 'update', namespace, path)).toMatchObject({
      code: 1,
      err: expect.stringContaining('belongs to the namespace "elsewhere"'),
    });
    file(`${namespace}/one.test.yaml`, tests);
    file(`${namespace}/sub/two.yaml`, source('three'));
    expect((await run('flow', 'namespace', 'update', namespace, path, '--no-delete')).out).not.toContain(
      'deleted',
    );
    const second = await run('flow', 'namespace', 'update', namespace, path, '-o', 'json');
    expect(JSON.parse(second.out)).toContainEqual(expect.objectContaining({ id: 'two', deleted: true }));
    file(`${namespace}/bad.yml`, source('bad', '  - id: a\n    type: no.Type\n'));
    file(`${namespace}/one.yml`, source('one', says('changed')));
    const refused = await run('flow', 'namespace', 'update', namespace, path);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Invalid type: no.Type')]);
    expect((await run('flow', 'namespace', 'update', namespace, join(path, 'none'))).code).toBe(1);
    const one = await shared().call('GET', `/flows/${namespace}/one`, {
      headers: { authorization: `Basic ${Buffer.from('ada:secret-1').toString('base64')}` },
    });
    expect(one.body.revision).toBe(1);
  });

  it('uploads, lists, downloads and deletes files of a namespace', async () => {
    const namespace = `files.${anId()}`;
    const source = join(folder.path, namespace);
    file(`${namespace}/a.txt`, 'hello');
    file(`${namespace}/deep/b.zip`, 'no archive');
    expect(await run('namespace', 'files', 'update', namespace, source, '/in')).toEqual({
      code: 0,
      out: `2 files uploaded to ${namespace}\n`,
      err: '',
    });
    expect((await run('namespace', 'files', 'list', namespace, '/in')).out).toMatch(
      /^NAME +BYTES +CHANGED\n/,
    );
    const listed = await run('namespace', 'files', 'list', namespace, '/in', '-o', 'json');
    expect(
      JSON.parse(listed.out)
        .map(({ fileName }: { fileName: string }) => fileName)
        .sort(),
    ).toEqual(['a.txt', 'deep']);
    expect((await run('namespace', 'files', 'get', namespace, '/in/a.txt')).out).toBe('hello');
    const target = join(folder.path, `${namespace}.zip`);
    expect((await run('namespace', 'files', 'get', namespace, '/in/deep/b.zip', target)).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('no archive');
    expect((await run('namespace', 'files', 'delete', namespace, '/in')).code).toBe(0);
    expect((await run('namespace', 'files', 'get', namespace, '/in/a.txt')).code).toBe(1);
    expect((await run('namespace', 'files', 'update', namespace, join(source, 'none'))).code).toBe(1);
    const watch = aTerminal(await environment(), true);
    const watched = await watch('namespace', 'files', 'update', namespace, source);
    expect(watched.err).toContain('2/2');
  });

  it('sends a file as an input, and says when there is none', async () => {
    const id = anId();
    const source = flow(id, says('{{ read(inputs.data) }}')).replace(
      'tasks:',
      'inputs:\n  - {id: data, type: FILE}\ntasks:',
    );
    await run('flow', 'create', file(`${id}.yml`, source));
    const data = file(`${id}.csv`, 'a,b');
    const done = await run('execution', 'run', 'company.team', id, '-i', `data=@${data}`, '--follow');
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('hello: a,b')]);
    const missing = await run('execution', 'run', 'company.team', id, '-i', `data=@${data}.no`);
    expect(missing).toMatchObject({ code: 1, err: `The file "${data}.no" of an input cannot be read.\n` });
  });

  it('sends a token to a gateway in front of the server, and a name and password before one', async () => {
    const seen: (string | undefined)[] = [];
    const gateway = createServer((request, answer) => {
      seen.push(request.headers.authorization);
      answer.setHeader('content-type', 'application/json');
      answer.end('[]');
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void gateway.close());
    const { port } = gateway.address() as AddressInfo;
    const ask = aTerminal({ MILLRACE_SERVER: `http://127.0.0.1:${port}` });
    expect((await ask('namespace', 'kv', 'list', 'x', '--api-token', 't0ken')).code).toBe(0);
    await ask('namespace', 'kv', 'list', 'x', '--api-token', 't0ken', '--user', 'a:b');
    expect(seen).toEqual(['Bearer t0ken', `Basic ${Buffer.from('a:b').toString('base64')}`]);
    // The server itself refuses a token that it has not created.
    const { MILLRACE_SERVER } = await environment();
    const refused = await aTerminal({ MILLRACE_SERVER })('plugins', 'list', '--api-token', 't0ken');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('asks for credentials') });
  });

  it('measures a server and leaves nothing behind', async () => {
    const { MILLRACE_SERVER } = await environment();
    const measured = await run(
      'bench',
      '--server',
      MILLRACE_SERVER,
      '--seconds',
      '1',
      '--concurrency',
      '4',
      '-o',
      'json',
    );
    expect(measured.code).toBe(0);
    const figures = JSON.parse(measured.out);
    expect(figures).toMatchObject({ failed: 0, perSecond: expect.any(Number) });
    expect(figures.executions).toBeGreaterThan(0);
    expect(figures.p50Ms).toBeLessThanOrEqual(figures.p99Ms);
    const left = await shared().product.store.listFlows({
      page: 1,
      size: 10,
      filters: [{ field: 'namespace', operation: 'EQUALS', value: 'millrace.bench' }],
    });
    expect(left.total).toBe(0);
    const filters = [{ field: 'namespace', operation: 'EQUALS', value: 'millrace.bench' }] as const;
    expect((await shared().product.store.listExecutions({ page: 1, size: 1, filters })).total).toBe(0);
    expect((await run('bench', '--seconds', '0')).code).toBe(2);
  });

  it('knows the plugins of the server', async () => {
    expect((await run('plugins', 'list')).out).toMatch(/core\.log\.Log +task\n/);
    expect((await run('plugins', 'doc', 'core.log.Log')).out).toContain('message');
    expect(await run('plugins', 'doc', 'no.Type')).toMatchObject({ code: 1 });
  });

  it('operates the instance: status, maintenance, scheduler and workers, also with an API token', async () => {
    const { MILLRACE_SERVER } = await environment();
    const { token } = await shared().product.auth.tokens.create({ name: 'operator' }, 'ada');
    const operate = aTerminal({ MILLRACE_SERVER, MILLRACE_API_TOKEN: token });
    const status = async () => {
      const { code, out } = await operate('instance', 'status', '--json');
      return { code, ...JSON.parse(out) };
    };
    const before = await status();
    expect(before).toMatchObject({ code: 0, isUp: true, maintenance: { isActive: false } });
    const [{ id }] = before.servers;
    expect(await operate('instance', 'maintenance', 'start', '--message', 'Upgrade', '--wait')).toEqual({
      code: 0,
      out: 'started  maintenance\n',
      err: '',
    });
    expect((await status()).maintenance).toMatchObject({
      isActive: true,
      areTasksHeld: true,
      message: 'Upgrade',
      by: 'ada (operator)',
    });
    expect((await operate('instance', 'status')).out).toMatch(
      /^maintenance +on, no task starts: Upgrade\nscheduler +paused/,
    );
    expect((await operate('instance', 'maintenance', 'end')).code).toBe(0);
    expect((await operate('instance', 'scheduler', 'pause')).out).toBe('paused   scheduler\n');
    expect((await status()).scheduler.paused).toBeTruthy();
    expect((await operate('instance', 'scheduler', 'resume')).code).toBe(0);
    expect((await operate('instance', 'worker', 'drain', id.slice(0, 10), '--wait')).out).toBe(
      `drained  ${id}\n`,
    );
    expect((await status()).servers[0].state).toBe('DRAINING');
    expect((await operate('instance', 'worker', 'resume', id)).code).toBe(0);
    expect((await status()).servers[0].state).toBe('RUNNING');
    expect(await operate('instance', 'worker', 'drain', 'nothing')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no worker "nothing"'),
    });
    expect((await operate('instance', 'worker', 'drain', id, '--timeout', 'soon')).code).toBe(2);
  });

  it('asks for credentials, and tells a wrong command line by 2', async () => {
    const { MILLRACE_SERVER } = await environment();
    const stranger = aTerminal({ MILLRACE_SERVER });
    expect(await stranger('plugins', 'list')).toMatchObject({
      code: 1,
      err: `The server at ${MILLRACE_SERVER} asks for credentials; give them with --user NAME:PASSWORD or --api-token TOKEN.\n`,
    });
    expect(await stranger('plugins', 'list', '--user', 'ada:secret-1')).toMatchObject({ code: 0 });
    for (const argv of [
      ['flow'],
      ['flow', 'fly'],
      ['flow', 'delete', 'x'],
      ['plugins', 'list', '--output', 'xml'],
      ['plugins', 'list', '--server', 'ftp://x'],
      ['execution', 'run', 'a', 'b', '-i', 'novalue'],
    ]) {
      expect([argv, (await stranger(...argv)).code]).toEqual([argv, argv.length === 1 ? 0 : 2]);
    }
  });

  it('draws progress only for a person', async () => {
    const id = anId();
    const sources = [1, 2, 3].map((n) => flow(`${id}-${n}`, says('x'))).join('---\n');
    const path = file(`${id}.yml`, sources);
    expect((await run('flow', 'create', path)).err).toBe('');
    const watched = await aTerminal(await environment(), true)('flow', 'update', path);
    expect(watched.err).toContain('3/3');
  });

  it('is one program: the same answers and exit codes for a script', async () => {
    const env = { ...process.env, ...(await environment()) };
    const result = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      execFile(process.execPath, [...serverProgram, 'plugins', 'doc', 'no.Type'], { env }, (error, stdout) =>
        resolve({ code: error?.code, stdout }),
      );
    });
    expect(result).toEqual({ code: 1, stdout: '' });
  });
});

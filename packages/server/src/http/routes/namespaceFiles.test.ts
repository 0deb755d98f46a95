import { describe, expect, it } from 'vitest';
import { file, unzip, zip } from '../../testing/archives.ts';
import { sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

describe.each(databases)('files of a namespace on $name', (database) => {
  const server = sharedServer(database);
  let last = 0;
  const aNamespace = () => `files.n${++last}`;
  const at = (namespace: string, path: string, more = '') =>
    `/namespaces/${namespace}/files${more}?path=${encodeURIComponent(path)}`;
  const write = async (namespace: string, path: string, content: string | Buffer, name = 'x.txt') =>
    (await server().call('POST', at(namespace, path), file('fileContent', name, content))).status;
  const read = async (namespace: string, path: string) => {
    const { status, body } = await server().call('GET', at(namespace, path));
    return status === 200 ? body : status;
  };
  const search = async (namespace: string, q = '') =>
    (await server().call('GET', `/namespaces/${namespace}/files/search?q=${q}`)).body;
  const flow = (id: string, namespace: string) =>
    `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - id: a\n    type: core.log.Log\n    message: x\n`;

  it('[A25] [S2-7n.7] writes, reads, replaces and deletes a file; no browser runs it', async () => {
    const namespace = aNamespace();
    expect(await write(namespace, '/web/page.html', '<script>alert(1)</script>')).toBe(200);
    const { headers, body } = await server().call('GET', at(namespace, 'web/page.html'));
    expect(body).toBe('<script>alert(1)</script>');
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment; filename="page.html"'),
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-length': '25',
    });
    expect(await write(namespace, 'web/page.html', 'new')).toBe(200);
    expect(await read(namespace, '/web/page.html')).toBe('new');
    const remove = (path: string) => server().call('DELETE', at(namespace, path));
    expect((await remove('/web/page.html')).status).toBe(200);
    expect((await remove('/web/page.html')).status).toBe(200);
    expect(await read(namespace, '/web/page.html')).toBe(404);
    expect((await server().call('GET', at(namespace, '/web', '/directory'))).status).toBe(404);
    for (const path of ['files', 'files/search']) {
      expect((await server().call('GET', `/namespaces/${namespace}/${path}`)).status).toBe(400);
    }
  });

  it('empties a namespace when its root is deleted, and keeps its flows', async () => {
    const [namespace, other] = [aNamespace(), aNamespace()];
    await server().saveFlow(flow('kept', namespace));
    for (const path of ['/a.txt', '/deep/er/b.txt']) await write(namespace, path, 'x');
    await write(other, '/c.txt', 'x');
    for (let round = 0; round < 2; round++)
      expect((await server().call('DELETE', at(namespace, '/'))).status).toBe(200);
    expect(await search(namespace)).toEqual([]);
    expect(await search(other)).toEqual(['/c.txt']);
    expect((await server().call('GET', `/flows/${namespace}/kept`)).status).toBe(200);
    expect(await write(namespace, '/again.txt', 'y')).toBe(200);
    expect(await read(namespace, '/again.txt')).toBe('y');
    expect((await server().call('DELETE', at(namespace, '/_flows'))).status).toBe(422);
  });

  it('lists the one revision that each file has', async () => {
    const namespace = aNamespace();
    await write(namespace, '/a.txt', 'x');
    const revisions = (path: string) => server().call('GET', at(namespace, path, '/revisions'));
    expect((await revisions('/a.txt')).body).toEqual([{ revision: 1 }]);
    expect((await revisions('/b.txt')).status).toBe(404);
  });

  it('[S2-7n.6] makes and lists folders', async () => {
    const namespace = aNamespace();
    const list = async (path?: string) => {
      const url =
        path === undefined ? `/namespaces/${namespace}/files/directory` : at(namespace, path, '/directory');
      const { body } = await server().call('GET', url);
      return (body as unknown as { fileName: string; type: string; size: number }[]).map(
        ({ fileName, type, size }) => `${type} ${fileName} ${size}`,
      );
    };
    expect(await list()).toEqual([]);
    expect((await server().call('POST', at(namespace, '/empty/inner', '/directory'))).status).toBe(200);
    await write(namespace, '/a.txt', 'abc');
    expect(await list('/')).toEqual(['File a.txt 3', 'Directory empty 0']);
    expect(await list('empty')).toEqual(['Directory inner 0']);
    const stats = await server().call('GET', at(namespace, '/a.txt', '/stats'));
    expect(stats.body).toMatchObject({ fileName: 'a.txt', type: 'File', size: 3 });
    expect(Number(stats.body.lastModifiedTime)).toBeGreaterThan(Date.UTC(2025, 0));
    const root = await server().call('GET', `/namespaces/${namespace}/files/stats`);
    expect(root.body).toMatchObject({ type: 'Directory' });
    expect((await server().call('GET', at(namespace, '/nope', '/stats'))).status).toBe(404);
  });

  it('[S2-7n.8] [S2-7n.9] searches and moves files and folders', async () => {
    const namespace = aNamespace();
    for (const path of ['scripts/Main.py', 'scripts/deep/util.py', 'readme.md'])
      await write(namespace, path, path);
    expect(await search(namespace, 'MAIN')).toEqual(['/scripts/Main.py']);
    const move = async (from: string, to: string) =>
      (await server().call('PUT', `/namespaces/${namespace}/files?from=${from}&to=${to}`)).status;
    expect(await move('/scripts', '/code')).toBe(200);
    expect(await move('/readme.md', '/code/readme.md')).toBe(200);
    expect(await search(namespace)).toEqual(['/code/Main.py', '/code/deep/util.py', '/code/readme.md']);
    expect(await move('/nope', '/x')).toBe(404);
    expect(await move('/code', '/code/deep/code')).toBe(422);
    expect(await move('/code', '/../up')).toBe(422);
    expect((await server().call('PUT', `/namespaces/${namespace}/files?from=/code`)).status).toBe(400);
    expect(await search(namespace, 'util')).toEqual(['/code/deep/util.py']);
  });

  it.each([
    '../x',
    '/a/../../x',
    '%2e%2e/x',
    '..%2fx',
    'a\\..\\x',
    '\\\\server\\x',
    'C:/x',
    'a\0b',
    'nul',
    'x'.repeat(4_096),
  ])('[A21] every verb refuses the path %j', async (path) => {
    const namespace = aNamespace();
    expect(await write(namespace, path, 'x')).toBe(422);
    expect(await read(namespace, path)).toBe(422);
    const encoded = encodeURIComponent(path);
    for (const [method, url] of [
      ['DELETE', at(namespace, path)],
      ['GET', at(namespace, path, '/directory')],
      ['POST', at(namespace, path, '/directory')],
      ['GET', at(namespace, path, '/stats')],
      ['PUT', `/namespaces/${namespace}/files?from=${encoded}&to=/x`],
      ['PUT', `/namespaces/${namespace}/files?from=/x&to=${encoded}`],
    ] as const) {
      expect((await server().call(method, url)).status, `${method} ${url}`).toBe(422);
    }
    expect(await search(namespace)).toEqual([]);
  });

  it('takes a file for /_flows as a flow of this namespace', async () => {
    const namespace = aNamespace();
    expect(await write(namespace, '/_flows/one.yml', flow('one', 'elsewhere'))).toBe(200);
    expect((await server().call('GET', `/flows/${namespace}/one?source=true`)).body).toMatchObject({
      namespace,
      revision: 1,
    });
    expect(await write(namespace, '/_flows/one.yml', flow('one', namespace).replace('x', 'y'))).toBe(200);
    expect((await server().call('GET', `/flows/${namespace}/one`)).body.revision).toBe(2);
    expect(await write(namespace, '/_flows/bad.yml', 'id: bad')).toBe(422);
    expect(await write(namespace, '/_flows/deep/one.yml', flow('one', namespace))).toBe(422);
    expect(await read(namespace, '/_flows/one.yml')).toBe(422);
    expect((await server().call('DELETE', at(namespace, '/_flows'))).status).toBe(422);
    expect(await write(namespace, '/_flowsFile', 'ordinary')).toBe(200);
    expect(await search(namespace)).toEqual(['/_flowsFile']);
  });

  it('[S2-7n.10] goes out as an archive, with its flows, and comes in as one', async () => {
    const [here, there] = [aNamespace(), aNamespace()];
    await write(here, '/a/b.txt', 'content');
    await write(here, '/_flows/f.yml', flow('f', here));
    const answer = await server().app.inject(`/api/v1/namespaces/${here}/files/export`);
    expect(answer.headers['content-disposition']).toContain(`${here}_files.zip`);
    const entries = await unzip(answer.rawPayload);
    expect(Object.keys(entries)).toEqual(['a/b.txt', '_flows/f.yml']);
    expect(await write(there, '/ignored', await zip(entries), 'all.zip')).toBe(200);
    expect(await search(there)).toEqual(['/a/b.txt']);
    expect((await server().call('GET', `/flows/${there}/f`)).status).toBe(200);
  });

  it('exports only the files and folders that are asked for', async () => {
    const namespace = aNamespace();
    for (const path of ['/a/b.txt', '/a/c/d.txt', '/ab.txt', '/e.txt']) await write(namespace, path, path);
    await write(namespace, '/_flows/f.yml', flow('f', namespace));
    const address = `/api/v1/namespaces/${namespace}/files/export`;
    const answer = await server().app.inject(`${address}?path=%2Fa&path=e.txt`);
    expect(Object.keys(await unzip(answer.rawPayload))).toEqual(['a/b.txt', 'a/c/d.txt', 'e.txt']);
    expect((await server().app.inject(`${address}?path=none`)).statusCode).toBe(404);
    expect((await server().app.inject(`${address}?path=..%2Fx`)).statusCode).toBe(422);
  });

  it('[A15] [A23] refuses archives that reach out, hold links, twins or too much', async () => {
    const namespace = aNamespace();
    const upload = (content: Buffer) => write(namespace, '/', content, 'x.zip');
    const good = await zip({ 'ok.txt': 'ok', aaaaaaaaaaaaaa: 'x' });
    /** The same length, so that the archive stays one. */
    const renamed = (name: string) => {
      expect(name).toHaveLength(14);
      return Buffer.from(good.toString('latin1').replaceAll('aaaaaaaaaaaaaa', name), 'latin1');
    };
    for (const name of [
      '../../etc/pass',
      '/etc/passwd/aa',
      'a\\..\\..\\b\\aaaa',
      'C:/windows/aaa',
      'a/../../../bbb',
    ]) {
      expect(await upload(renamed(name)), name).toBe(422);
    }
    expect(await upload(await zip({ 'ok.txt': 'ok', link: '/etc/passwd' }, 0o120777))).toBe(422);
    expect(await upload(await zip({ 'ok.txt': 'ok', device: '' }, 0o020644))).toBe(422);
    expect(await upload(await zip({ 'ok.txt': '1', 'OK.txt': '2' }))).toBe(422);
    expect(await upload(Buffer.from('not an archive'))).toBe(422);
    const bomb = await zip({ zeros: '0'.repeat(10_000_000) });
    // The archive's directory declares a small file.
    const lying = Buffer.from(bomb);
    for (let i = lying.indexOf('PK\x01\x02', 0, 'latin1'); i >= 0; i = -1) lying.writeUInt32LE(10, i + 24);
    expect(await upload(lying)).toBe(422);
    expect(await upload(await zip({ '_flows/deep/x.yml': 'id: x', 'ok.txt': 'ok' }))).toBe(422);
    expect(await search(namespace)).toEqual([]);
  });

  it('[A16] refuses what is no namespace and what is no form', async () => {
    expect(await write('UPPER', '/x', 'x')).toBe(422);
    const json = { headers: { 'content-type': 'application/json' }, payload: '{"fileContent": "x"}' };
    expect((await server().call('POST', at(aNamespace(), '/x'), json)).status).toBe(415);
    const other = file('somethingElse', 'x.txt', 'x');
    expect((await server().call('POST', at(aNamespace(), '/x'), other)).status).toBe(422);
  });
});

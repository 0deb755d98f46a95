import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { multipart, type Part } from '../../testing/multipart.ts';

const fileFlow = (id: string) =>
  aFlow(
    id,
    'inputs:\n  - {id: data, type: FILE, extension: .csv}\n  - {id: name, type: STRING, required: false}\ntasks:\n  - {id: show, type: core.debug.Return, format: "{{ read(inputs.data) }}"}',
  );

describe.each(databases)('files of executions on $name', (database) => {
  const server = sharedServer(database, { settings: { preview: { initialRows: 3, maxRows: 5 } } });

  async function start(id: string, ...parts: Part[]) {
    return server().call('POST', `/executions/company.team/${id}?wait=true`, multipart(...parts));
  }
  /** An execution with a file of this name and content. */
  async function withFile(fileName: string, content: string | Buffer) {
    const id = anId();
    await server().saveFlow(aFlow(id, 'inputs:\n  - {id: data, type: FILE}'));
    const { body } = await start(id, { name: 'data', fileName, content });
    const uri = String((body.inputs as { data: string }).data);
    return { executionId: String(body.id), uri };
  }
  const ask = (executionId: string, uri: string, more = '', query = '') =>
    server().call('GET', `/executions/${executionId}/file${more}?path=${encodeURIComponent(uri)}${query}`);

  it('[S2-7e.19] takes files as inputs in both styles and streams them to storage', async () => {
    const id = anId();
    await server().saveFlow(fileFlow(id));
    const fresh = await start(id, { name: 'data', fileName: 'März 1.csv', content: 'a,b' });
    expect([fresh.status, stateOf(fresh.body)]).toEqual([200, 'SUCCESS']);
    expect(taskRunsOf(fresh.body)[0]?.outputs).toMatchObject({ value: 'a,b' });
    const folder = `millrace:///company/team/${id}/executions/${fresh.body.id}/inputs/data/`;
    expect((fresh.body.inputs as { data: string }).data).toMatch(new RegExp(`^${folder}M.*1\\.csv$`));
    const old = await start(
      id,
      { name: 'files', fileName: 'data', content: 'old' },
      { name: 'name', content: 'x' },
    );
    expect((old.body.inputs as { data: string }).data).toMatch(/\/inputs\/data\/data\.csv$/);
    expect(taskRunsOf(old.body)[0]?.outputs).toMatchObject({ value: 'old' });
    const known = await start(id, { name: 'data', content: (old.body.inputs as { data: string }).data });
    expect(stateOf(known.body)).toBe('SUCCESS');
  });

  it('[A15] refuses an empty file, a file for a text and a missing file, and keeps nothing', async () => {
    const id = anId();
    await server().saveFlow(fileFlow(id));
    const empty = await start(id, { name: 'data', fileName: 'x.csv', content: '' });
    expect([empty.status, empty.body.message]).toEqual([422, expect.stringContaining('the file is empty')]);
    const good = { name: 'data', fileName: 'x.csv', content: 'x' };
    const wrong = await start(id, good, { name: 'name', fileName: 'n', content: 'x' });
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
      422,
      expect.stringContaining('"path":"name"'),
    ]);
    expect((await start(id, { name: 'other', fileName: 'x', content: 'x' })).status).toBe(422);
    const hostile = await start(
      id,
      { ...good, fileName: '../../../../etc/passwd' },
      { name: 'ignored', content: '1' },
    );
    expect((hostile.body.inputs as { data: string }).data).toMatch(/\/inputs\/data\/[^/]+$/);
  });

  it('validates without keeping the file', async () => {
    const id = anId();
    await server().saveFlow(fileFlow(id));
    const { status, body } = await server().call(
      'POST',
      `/executions/company.team/${id}/validate`,
      multipart({ name: 'data', fileName: 'x.csv', content: 'x' }),
    );
    expect(status).toBe(200);
    expect(body.inputs).toMatchObject([
      { value: expect.stringMatching(/^millrace:\/\/\/.*\/inputs\/data\/x\.csv$/), errors: [] },
      { errors: [] },
    ]);
  });

  it('[A25] serves a file for saving, never for showing', async () => {
    const { executionId, uri } = await withFile('page.html', '<script>alert(1)</script>');
    const { status, body, headers } = await ask(executionId, uri);
    expect([status, body]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment; filename="page.html"'),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect((await ask(executionId, uri, '/metas')).body).toEqual({ size: 25 });
    expect((await ask(executionId, uri.replace('millrace', 'kestra'), '/metas')).status).toBe(200);
    expect((await ask(executionId, `${uri}x`)).status).toBe(404);
    expect((await server().call('GET', `/executions/${executionId}/file`)).status).toBe(400);
  });

  it.each<[string, string | Buffer, object]>([
    ['a.txt', '1\n2\n3\n4\n', { type: 'TEXT', content: '1\n2\n3', truncated: true, maxLine: 3 }],
    ['a.log', '1\n2\n', { type: 'TEXT', content: '1\n2', truncated: false, extension: 'log' }],
    ['a.md', '# Hi', { type: 'MARKDOWN', content: '# Hi', truncated: false }],
    ['a.jsonl', '{"a":1}\n{"a":2}\n', { type: 'LIST', content: [{ a: 1 }, { a: 2 }], truncated: false }],
    [
      'a.ion',
      '{a: 1, d: 2026-01-01T00:00:00Z}\n"x"\n',
      { type: 'LIST', content: [expect.objectContaining({ a: 1 }), 'x'] },
    ],
    ['a.csv', 'x,y\n1,"a, ""b"""\n', { type: 'LIST', content: [{ x: '1', y: 'a, "b"' }], truncated: false }],
    ['a.png', Buffer.from([137, 80, 78, 71]), { type: 'IMAGE', content: 'iVBORw==', truncated: false }],
    ['a.pdf', '%PDF', { type: 'PDF', content: 'JVBERg==' }],
  ])('[S2-7e.24] previews %s', async (name, content, expected) => {
    const { executionId, uri } = await withFile(name, content);
    const { status, body } = await ask(executionId, uri, '/preview');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject(expected);
  });

  it('previews as many rows as asked for, up to the limit, in the encoding asked for', async () => {
    const { executionId, uri } = await withFile('a.txt', Buffer.from('ä\n2\n3\n4\n5\n6\n7', 'latin1'));
    const preview = (query: string) => ask(executionId, uri, '/preview', query);
    expect((await preview('&maxRows=1&encoding=ISO-8859-1')).body).toMatchObject({
      content: 'ä',
      truncated: true,
    });
    expect((await preview('&maxRows=99&encoding=ISO-8859-1')).body.content).toBe('ä\n2\n3\n4\n5');
    expect((await preview('&encoding=nonsense')).status).toBe(422);
    expect((await preview('&maxRows=0')).status).toBe(422);
    const large = await withFile('b.txt', 'x'.repeat(3_000_000));
    const cut = await ask(large.executionId, large.uri, '/preview');
    expect([String(cut.body.content).length, cut.body.truncated]).toEqual([2 * 1_048_576, true]);
  });

  it('[A21] [A22] a file of another execution is answered there; anything else is refused', async () => {
    const mine = await withFile('mine.txt', 'mine');
    const theirs = await withFile('theirs.txt', 'theirs');
    const redirect = await ask(mine.executionId, theirs.uri);
    expect(redirect.status).toBe(302);
    expect(redirect.headers.location).toBe(
      `/api/v1/executions/${theirs.executionId}/file?path=${encodeURIComponent(theirs.uri)}`,
    );
    for (const uri of [
      'millrace:///company/team/_files/secret.txt',
      'millrace:///company/team/x',
      'file:///etc/passwd',
      `${mine.uri}/../../../../../../../etc/passwd`,
      mine.uri.replace('company/team', 'company/other'),
      'millrace:///',
    ]) {
      for (const more of ['', '/metas', '/preview']) {
        expect((await ask(mine.executionId, uri, more)).status, uri + more).toBe(422);
      }
    }
    expect((await ask('nobody', mine.uri)).status).toBe(404);
  });

  it('[S2-7e.20] deleting an execution removes its files, unless they are to stay', async () => {
    const [one, two] = [await withFile('a.txt', 'a'), await withFile('a.txt', 'a')];
    await server().call('DELETE', `/executions/${one.executionId}`);
    await server().call('DELETE', `/executions/${two.executionId}?deleteStorage=false`);
    expect(await server().product.files.sizeOf(one.uri)).toBeUndefined();
    expect(await server().product.files.sizeOf(two.uri)).toBe(1);
  });

  it('resumes with a file', async () => {
    const id = anId();
    await server().saveFlow(
      aFlow(
        id,
        'tasks:\n  - id: wait\n    type: core.flow.Pause\n    onResume:\n      - {id: proof, type: FILE}\n  - {id: show, type: core.debug.Return, format: "{{ read(outputs.wait.onResume.proof) }}"}',
      ),
    );
    const { id: executionId } = await server().start(id);
    await server().waitForState(executionId, 'PAUSED');
    const resume = (content: string) =>
      server().call(
        'POST',
        `/executions/${executionId}/resume`,
        multipart({ name: 'proof', fileName: 'p.txt', content }),
      );
    expect((await resume('')).status).toBe(422);
    expect((await resume('signed')).status).toBe(204);
    const ended = await server().waitForState(executionId, 'SUCCESS', 'FAILED');
    expect(taskRunsOf(ended).find(({ taskId }) => taskId === 'show')?.outputs).toMatchObject({
      value: 'signed',
    });
  });
});

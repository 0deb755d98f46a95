import { FlowRevision } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, taskRunsOf, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { openDoor } from '../../testing/testTasks.ts';

const FlowRevisions = z.array(FlowRevision);

describe.each(databases)('flows on $name', (database) => {
  const shared = sharedServer(database);
  it('[S2-7f.8] creates a flow from its exact text and reads it back', async () => {
    const [server, a] = [shared(), anId()];
    const source = `# a comment\n${aFlow(a)}`;
    const { status, body } = await server.call('POST', '/main/flows', yaml(source));
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: a, namespace: 'company.team', revision: 1, source, tenantId: 'main' });
    const read = await server.call('GET', `/flows/company.team/${a}`);
    expect(read.body).not.toHaveProperty('source');
    const withSource = await server.call('GET', `/flows/company.team/${a}?source=true&namespace=x`);
    expect(withSource.body).toMatchObject({ source, tasks: [{ id: 'hello', type: 'core.log.Log' }] });
  });

  it('takes a flow as an object from older clients and writes its source (api 5.2)', async () => {
    const [server, a] = [shared(), anId()];
    const task = { id: 'hello', type: 'core.log.Log', message: 'a: "b" # c' };
    const flow = { id: a, namespace: 'company.team', labels: { team: 'data' }, tasks: [task] };
    const created = await server.call('POST', '/flows', { payload: flow });
    expect([created.status, created.body]).toMatchObject([200, { id: a, revision: 1, tasks: [task] }]);
    expect(created.body).not.toHaveProperty('source');
    const path = `/flows/company.team/${a}`;
    const { body } = await server.call('GET', `${path}?source=true`);
    expect(body).toMatchObject({ tasks: [task], labels: [{ key: 'team', value: 'data' }] });
    expect(body.source).toMatch(/^id: .*\nnamespace: company\.team\n/);
    const same = await server.call('PUT', path, { payload: flow });
    expect(same.body.revision).toBe(1);
    const changed = await server.call('PUT', path, { payload: { ...flow, description: 'new' } });
    expect([changed.body.revision, 'source' in changed.body]).toEqual([2, false]);
    // A flow as read, including its tenant, can be changed and sent back.
    const sentBack = {
      ...(await server.call('GET', path)).body,
      description: 'newer',
      variables: { deleted: 1 },
    };
    const again = await server.call('PUT', path, { payload: sentBack });
    expect(again.body).toMatchObject({ revision: 3, description: 'newer', variables: { deleted: 1 } });
    expect((await server.call('GET', `${path}?source=true`)).body.source).not.toContain('tenantId');
    const named = await server.call('PUT', path, yaml(`tenantId: other\n${aFlow(a)}`));
    expect(named.body).toMatchObject({ revision: 4, tenantId: 'main' });
    const json = { headers: { 'content-type': 'application/json' } };
    expect((await server.call('POST', '/flows', { ...json, payload: '{"id": ' })).status).toBe(422);
    expect((await server.call('POST', '/flows', { payload: { ...flow, unknown: 1 } })).status).toBe(422);
  });

  it('[S2-7f.4] reads any revision, and a deleted flow when that is wanted', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    await server.saveFlow(aFlow(a, 'description: one'));
    await server.call('PUT', path, yaml(aFlow(a, 'description: two')));
    const read = async (query = '') => {
      const { status, body } = await server.call('GET', path + query);
      return [status, body.revision, body.description, body.deleted, 'source' in body];
    };
    expect(await read()).toEqual([200, 2, 'two', false, false]);
    expect(await read('?revision=1&source=true')).toEqual([200, 1, 'one', false, true]);
    expect((await read('?revision=9'))[0]).toBe(404);
    expect((await read('?revision=x'))[0]).toBe(422);
    await server.call('DELETE', path);
    expect((await read())[0]).toBe(404);
    expect(await read('?allowDeleted=true')).toEqual([200, 3, 'two', true, false]);
    expect(await read('?revision=1')).toEqual([200, 1, 'one', false, false]);
  });

  it('[S2-7f.20] draws a source that has no id and no namespace yet', async () => {
    const server = shared();
    const draw = async (text: string) => (await server.call('POST', '/flows/graph', yaml(text))).body;
    const tasks = 'tasks:\n  - id: hello\n    type: core.log.Log\n    message: Hello\n';
    for (const text of [tasks, `id: a\n${tasks}`, `namespace: b\n${tasks}`])
      expect(await draw(text)).toMatchObject({
        nodes: expect.arrayContaining([expect.objectContaining({ uid: 'root.hello' })]),
      });
    expect(await draw('tasks: []')).toMatchObject({ _embedded: { errors: [{ path: 'tasks' }] } });
  });

  it('refuses the id of a flow that exists', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    const { status, body } = await server.call('POST', '/flows', yaml(aFlow(a)));
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: expect.stringMatching(/^Invalid entity: .*already exists/) });
  });

  it('answers an invalid flow with one error per problem (api 1.7)', async () => {
    const [server, a] = [shared(), anId()];
    const { status, body } = await server.call(
      'POST',
      '/flows',
      yaml('id: a\nnamespace: company.team\ntasks: []\n'),
    );
    expect(status).toBe(422);
    expect(body).toMatchObject({ _embedded: { errors: [{ path: 'tasks' }] } });
    const unknown = await server.call(
      'POST',
      '/flows',
      yaml(aFlow(a, 'tasks:\n  - id: x\n    type: no.Such')),
    );
    expect(unknown.body.message).toContain('Invalid type: no.Such');
  });

  it('[S2-7f.6] saves a revision only when the text differs', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    const path = `/flows/company.team/${a}`;
    expect((await server.call('PUT', path, yaml(aFlow(a)))).body.revision).toBe(1);
    expect((await server.call('PUT', path, yaml(`revision: 7\n${aFlow(a)}`))).body.revision).toBe(1);
    const changed = await server.call('PUT', path, yaml(`# changed\n${aFlow(a)}`));
    expect(changed.body.revision).toBe(2);
    expect((await server.call('GET', `${path}?revision=1&source=true`)).body).toMatchObject({
      revision: 1,
      source: aFlow(a),
    });
  });

  it('a save whose response got lost can be repeated without a second revision', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    const put = async (text: string, base: number) => {
      const { status, body } = await server.call('PUT', `${path}?baseRevision=${base}`, yaml(aFlow(a, text)));
      return [status, body.revision];
    };
    const create = (text: string) =>
      server.call('POST', '/flows?baseRevision=0', yaml(aFlow(a, `description: ${text}`)));
    expect((await create('one')).body.revision).toBe(1);
    expect([(await create('one')).status, (await create('one')).body.revision]).toEqual([200, 1]);
    expect((await create('two')).status).toBe(422);
    expect(await put('description: two', 1)).toEqual([200, 2]);
    expect(await put('description: two', 1)).toEqual([200, 2]);
    // Also when the next revision came in between.
    expect(await put('description: three', 2)).toEqual([200, 3]);
    expect(await put('description: two', 1)).toEqual([200, 2]);
    expect((await create('one')).body.revision).toBe(1);
    // Both of them at the same moment.
    expect(await Promise.all([put('description: four', 3), put('description: four', 3)])).toEqual([
      [200, 4],
      [200, 4],
    ]);
    expect((await server.call('GET', `${path}/revisions`)).body).toHaveLength(4);
  });

  it('lists revisions with their date and the message they were saved with; a client cannot name the author', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    await server.saveFlow(aFlow(a, 'description: one'));
    const query = `message=${encodeURIComponent('  Read two: "é"\n')}&author=eve`;
    await server.call('PUT', `${path}?${query}`, yaml(aFlow(a, 'description: two')));
    await server.call('DELETE', path);
    const revisions = FlowRevisions.parse((await server.call('GET', `${path}/revisions`)).body);
    expect(revisions.map(({ message, deleted }) => [message, deleted])).toEqual([
      [undefined, false],
      ['Read two: "é"', false],
      [undefined, true],
    ]);
    expect(revisions.map(({ updated = '', author }) => [Date.parse(updated) > 0, author])).toEqual(
      revisions.map(() => [true, undefined]),
    );
    const long = await server.call('PUT', `${path}?message=${'x'.repeat(1001)}`, yaml(aFlow(a)));
    expect(long.status).toBeGreaterThanOrEqual(400);
  });

  it('a change based on an older revision overwrites nothing', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    await server.saveFlow(aFlow(a, 'description: one'));
    await server.call('PUT', path, yaml(aFlow(a, 'description: two')));
    const late = await server.call('PUT', `${path}?baseRevision=1`, yaml(aFlow(a, 'description: mine')));
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('revision 2')]);
    // The text of the base itself is a change too: it would undo the other one.
    const undo = await server.call('PUT', `${path}?baseRevision=1`, yaml(aFlow(a, 'description: one')));
    expect(undo.status).toBe(409);
    expect((await server.call('GET', path)).body).toMatchObject({ revision: 2, description: 'two' });
  });

  it('refuses another id and another namespace on update', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    for (const source of [aFlow('b'), aFlow(a).replace('company.team', 'other')]) {
      expect((await server.call('PUT', `/flows/company.team/${a}`, yaml(source))).status).toBe(422);
    }
  });

  it('knows no flow to update', async () => {
    const [server, a] = [shared(), anId()];
    expect((await server.call('PUT', `/flows/company.team/${a}`, yaml(aFlow(a)))).status).toBe(404);
  });

  it('[S2-7f.9] [S2-7f.13] deletes by a marker and counts on when it comes back', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    expect((await server.call('DELETE', `/flows/company.team/${a}`)).status).toBe(204);
    expect((await server.call('DELETE', `/flows/company.team/${a}`)).status).toBe(404);
    expect((await server.call('GET', `/flows/company.team/${a}`)).status).toBe(404);
    expect((await server.call('GET', `/flows/company.team/${a}?allowDeleted=true`)).body.deleted).toBe(true);
    expect((await server.call('POST', `/executions/company.team/${a}`)).status).toBe(404);
    expect((await server.saveFlow(aFlow(a))).revision).toBe(3);
    const revisions = (await server.call('GET', `/flows/company.team/${a}/revisions`))
      .body as unknown as object[];
    expect(revisions).toMatchObject([{ revision: 1 }, { revision: 2, deleted: true }, { revision: 3 }]);
  });

  it('[A39] lets only one of two saves of the same revision through', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    const save = (text: string) =>
      server.call('PUT', `/flows/company.team/${a}`, yaml(`# ${text}\n${aFlow(a)}`));
    const answers = await Promise.all([save('one'), save('two')]);
    const revisions = (await server.call('GET', `/flows/company.team/${a}/revisions`))
      .body as unknown as object[];
    const accepted = answers.filter(({ status }) => status === 200);
    expect(revisions).toHaveLength(1 + accepted.length);
    for (const { status } of answers) expect([200, 409]).toContain(status);
  });

  it('[S2-7f.2] searches, sorts and pages', async () => {
    const [server, a] = [shared(), anId()];
    for (const id of ['ship', 'shop', 'other']) await server.saveFlow(aFlow(id).replace('company.team', a));
    const search = async (query: string) =>
      (await server.call('GET', `/flows/search?namespace=${a}&${query}`)).body as {
        results: { id: string }[];
        total: number;
      };
    expect((await search('size=10&sort=id:asc')).results.map(({ id }) => id)).toEqual([
      'other',
      'ship',
      'shop',
    ]);
    expect((await search('size=2&page=2&sort=id:desc')).results.map(({ id }) => id)).toEqual(['other']);
    expect((await search('q=sh')).total).toBe(2);
    expect((await search('filters[namespace][EQUALS]=nowhere')).total).toBe(0);
    for (const bad of [
      'page=0',
      'size=-1',
      'sort=id',
      'sort=evil%3B--:asc',
      'filters[x][EQUALS]=1',
      'page=abc',
    ]) {
      expect([bad, (await server.call('GET', `/flows/search?${bad}`)).status]).toEqual([bad, 422]);
    }
  });

  it('[S2-7f.1] [S2-7f.3] lists the flows of one namespace and the namespaces', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a).replace('company.team', 'tutorial'));
    await server.saveFlow(aFlow(a));
    expect((await server.call('GET', '/flows/tutorial')).body).toMatchObject([{ id: a }]);
    expect((await server.call('GET', '/flows/nowhere')).body).toEqual([]);
    const namespaces = (await server.call('GET', '/flows/distinct-namespaces')).body;
    expect(namespaces).toEqual(expect.arrayContaining(['company.team', 'tutorial']));
    expect((await server.call('GET', '/flows/distinct-namespaces?q=TUT')).body).toEqual(['tutorial']);
  });

  it('[S2-7f.18] validates every document without saving any', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    const source = `revision: 2\n${aFlow(a)}---\nrevision: 9\n${aFlow(a)}---\nid: b\n`;
    const { status, body } = await server.call('POST', '/flows/validate', yaml(source));
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { flow: a, namespace: 'company.team', index: 0, outdated: false },
      { index: 1, outdated: true },
      { flow: 'b', index: 2, constraints: expect.any(String) },
    ]);
    const broken = await server.call('POST', '/flows/validate', yaml('id: [\n'));
    expect(broken.body).toMatchObject([{ constraints: expect.stringContaining('yaml') }]);
  });

  it('accepts the assets of a task, which have no effect', async () => {
    const assets = 'outputs: [ { id: "{{ flow.id }}", type: TABLE, metadata: { layer: mart } } ]';
    const source = `${aFlow(anId())}    assets: { inputs: [ { id: raw } ], ${assets} }\n`;
    const { body } = await shared().call('POST', '/flows/validate', yaml(source));
    expect(body).toMatchObject([{ index: 0 }]);
    expect(body[0]).not.toHaveProperty('constraints');
  });

  it('[S2-7f.11] [S2-7f.12] draws saved flows and sources', async () => {
    const [server, a] = [shared(), anId()];
    await server.saveFlow(aFlow(a));
    const uids = (body: Record<string, unknown>) => (body.nodes as { uid: string }[]).map(({ uid }) => uid);
    expect(uids((await server.call('GET', `/flows/company.team/${a}/graph`)).body)).toContain('root.hello');
    expect(uids((await server.call('POST', '/flows/graph', yaml(aFlow('new')))).body)).toContain(
      'root.hello',
    );
    expect((await server.call('POST', '/flows/graph', yaml('id: x'))).status).toBe(422);
    expect((await server.call('GET', '/flows/company.team/nope/graph')).status).toBe(404);
  });

  it.each([
    'id: a\nnamespace: n\ntasks: &x [*x]',
    `a: &a ["x","x"]\nb: &b [*a,*a]\n${Array.from({ length: 30 }, (_, i) => `c${i}: &c${i} [*b,*b]`).join('\n')}`,
    '__proto__:\n  polluted: true\nid: a\nnamespace: company.team\ntasks: []',
    `id: ${'x'.repeat(200)}\nnamespace: company.team`,
    '\0',
    'id: ../../etc\nnamespace: company.team\ntasks: [{ id: a, type: core.log.Log, message: x }]',
  ])('[A10] refuses hostile text with 422: %#', async (source) => {
    const server = shared();
    expect((await server.call('POST', '/flows', yaml(source))).status).toBe(422);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('[A39] of saves that come together each is a revision of its own or refused, and none is lost', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    await server.saveFlow(aFlow(a));
    const texts = Array.from({ length: 8 }, (_, n) => aFlow(a, `description: writer ${n}`));
    const answers = await Promise.all(texts.map((text) => server.call('PUT', path, yaml(text))));
    const saved = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(saved.length).toBeGreaterThan(0);
    expect(saved.map(({ revision }) => revision).sort()).toEqual(saved.map((_, n) => n + 2));
    const { body } = await server.call('GET', `${path}/revisions`);
    const revisions = body as unknown as { revision: number; source: string }[];
    expect(revisions.map(({ revision }) => revision)).toEqual([1, ...saved.map((_, n) => n + 2)]);
    for (const { revision, source } of saved) {
      expect(revisions.find((each) => each.revision === revision)?.source).toBe(source);
    }
  });

  it('[A39] an execution ends on the revision that it began with, whatever becomes of the flow', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    const tasks = (word: string) =>
      `tasks:\n  - { id: wait, type: test.Door, door: ${a} }\n  - { id: say, type: core.debug.Return, format: ${word} }\n`;
    await server.saveFlow(aFlow(a, tasks('first')));
    const { id } = await server.start(a);
    await server.call('PUT', path, yaml(aFlow(a, tasks('second'))));
    expect((await server.call('DELETE', path)).status).toBe(204);
    openDoor(a);
    const done = await server.waitForState(id, 'SUCCESS', 'FAILED');
    expect(done).toMatchObject({ flowRevision: 1, state: { current: 'SUCCESS' } });
    expect(taskRunsOf(done).map(({ outputs }) => outputs)).toEqual([{}, { value: 'first' }]);
    expect((await server.call('POST', `/executions/company.team/${a}`)).status).toBe(404);
  });

  it('[A39] a trigger that fires while its flow is deleted and brought back fires for a flow that is there', async () => {
    const [server, a] = [shared(), anId()];
    const path = `/flows/company.team/${a}`;
    const timed = aFlow(
      a,
      'triggers:\n  - { id: tick, type: core.trigger.Schedule, cron: "* * * * * *", withSeconds: true }',
    );
    await server.saveFlow(timed);
    const found = async () => (await server.call('GET', `/executions/search?flowId=${a}&size=100`)).body;
    for (let round = 0; round < 3; round++) {
      const before = Number((await found()).total);
      await expect.poll(async () => Number((await found()).total)).toBeGreaterThan(before);
      expect((await server.call('DELETE', path)).status).toBe(204);
      expect((await server.call('GET', `/triggers/company.team/${a}`)).body).toEqual({
        results: [],
        total: 0,
      });
      expect((await server.call('POST', '/flows', yaml(timed))).status).toBe(200);
    }
    await server.call('DELETE', path);
    const { results } = (await found()) as unknown as {
      results: { flowRevision: number; trigger: { variables: { date: string } } }[];
    };
    // Revisions 1, 3 and 5 are the flow; 2, 4 and 6 are deletions. No second is counted twice.
    expect(results.filter(({ flowRevision }) => flowRevision % 2 === 0)).toEqual([]);
    const dates = results.map(({ trigger }) => trigger.variables.date);
    expect(new Set(dates).size).toBe(dates.length);
    expect((await server.call('GET', `/triggers/company.team/${a}`)).body.total).toBe(0);
  }, 90_000);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { file, unzip, zip } from '../../testing/archives.ts';
import { anId, sharedServer, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { arrivals } from '../../testing/testTasks.ts';

const json = (payload: unknown) => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});

describe.each(databases)('flows in and out on $name', (database) => {
  const server = sharedServer(database);
  let last = 0;
  const aNamespace = () => `flows.n${++last}`;
  const source = (namespace: string, id: string, message = 'x') =>
    `# ${id}\nid: ${id}\nnamespace: ${namespace}\ntasks:\n  - id: a\n    type: core.log.Log\n    message: ${message}\n`;
  const save = (namespace: string, id: string, message?: string) =>
    server().saveFlow(source(namespace, id, message));
  const ids = async (namespace: string) =>
    ((await server().call('GET', `/flows/${namespace}`)).body as unknown as { id: string }[]).map(
      ({ id }) => id,
    );
  const upload = (name: string, content: string | Buffer, query = '') =>
    server().call('POST', `/flows/import${query}`, file('fileUpload', name, content));

  it('[S2-7f.14] exports by query and by ids with the source as it was written', async () => {
    const namespace = aNamespace();
    for (const id of ['one', 'two']) await save(namespace, id);
    const byQuery = await server().app.inject(`/api/v1/flows/export/by-query?namespace=${namespace}`);
    expect(byQuery.headers['content-disposition']).toContain('flows.zip');
    expect(await unzip(byQuery.rawPayload)).toEqual({
      [`${namespace}-one.yml`]: source(namespace, 'one'),
      [`${namespace}-two.yml`]: source(namespace, 'two'),
    });
    const byIds = (list: unknown) =>
      server().app.inject({ method: 'POST', url: '/api/v1/flows/export/by-ids', ...json(list) });
    expect(Object.keys(await unzip((await byIds([{ namespace, id: 'two' }])).rawPayload))).toHaveLength(1);
    expect(
      (
        await byIds([
          { namespace, id: 'two' },
          { namespace, id: 'nope' },
        ])
      ).statusCode,
    ).toBe(404);
  });

  it('tells what an import would change, with the lines of the file, and changes nothing', async () => {
    const namespace = aNamespace();
    await save(namespace, 'kept');
    await save(namespace, 'same');
    const text = [
      source(namespace, 'kept', 'new'),
      source(namespace, 'same'),
      source(namespace, 'fresh'),
      source(namespace, 'foreign').replace('core.log.Log', 'com.example.Unknown'),
      'id: bad\nnamespace: x\ntasks: 5\n',
      'id: worse\ntasks: [\n',
    ].join('---\n');
    const { status, body } = await server().call(
      'POST',
      '/flows/import/preview',
      file('fileUpload', 'flows.yaml', text),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        document: '0',
        namespace,
        flowId: 'kept',
        change: 'UPDATE',
        revision: 1,
        problems: [],
        texts: { before: source(namespace, 'kept') },
      },
      { document: '1', flowId: 'same', change: 'NONE', revision: 1 },
      { document: '2', flowId: 'fresh', change: 'CREATE' },
      { document: '3', flowId: 'foreign', change: 'DISABLED', problems: [{ line: 30 }] },
      { document: '4', change: 'REFUSED', problems: [{ line: 35 }] },
      // The line of the file alone: the one of the document would contradict it.
      { document: '5', problems: [{ line: 39, message: expect.not.stringContaining('at line') }] },
    ]);
    expect(await ids(namespace)).toEqual(['kept', 'same']);
    expect((await server().call('GET', `/flows/${namespace}/kept`)).body.revision).toBe(1);
  });

  it('[S2-7f.15] imports documents and archives; what is bad is named and the rest is saved', async () => {
    const namespace = aNamespace();
    await save(namespace, 'kept');
    const text = [source(namespace, 'kept', 'new'), 'id: bad\n', source(namespace, 'b', '"a --- b"')].join(
      '---\n',
    );
    const documents = await upload('flows.yaml', text);
    expect([documents.status, documents.body]).toEqual([200, ['1']]);
    expect((await server().call('GET', `/flows/${namespace}/kept`)).body.revision).toBe(2);
    const archive = await zip({ 'x/c.yml': source(namespace, 'c'), 'bad.yml': 'nonsense', 'readme.md': 'x' });
    expect((await upload('flows.zip', archive)).body).toEqual(['bad.yml']);
    expect(await ids(namespace)).toEqual(['b', 'c', 'kept']);
    await server().call('DELETE', `/flows/${namespace}/c`);
    expect((await upload('again.yml', source(namespace, 'c'))).body).toEqual([]);
    expect((await server().call('GET', `/flows/${namespace}/c`)).body.revision).toBe(3);
    expect((await upload('flows.txt', 'x')).status).toBe(422);
    expect((await upload('x.yml', 'id: bad\n', '?failOnError=true')).status).toBe(422);
    expect((await upload('x.zip', await zip({ 'a.yml': '/etc/passwd' }, 0o120777))).status).toBe(422);
  });

  it('makes a text the flows of a namespace, all or nothing', async () => {
    const namespace = aNamespace();
    for (const id of ['gone', 'kept']) await save(namespace, id);
    const post = (text: string, query = '') =>
      server().call('POST', `/flows/${namespace}${query}`, yaml(text));
    const two = (a: string, b: string) => `${a}---\n${b}`;
    expect((await post(two(source(namespace, 'a'), 'id: bad\n'))).status).toBe(422);
    expect((await post(two(source(namespace, 'a'), source(namespace, 'a')))).status).toBe(422);
    expect((await post(source('elsewhere', 'a'))).status).toBe(422);
    expect(await ids(namespace)).toEqual(['gone', 'kept']);
    await post(source(namespace, 'more'), '?delete=false');
    const { body } = await post(two(source(namespace, 'kept', 'y'), source(namespace, 'new')));
    expect(
      (body as unknown as { id: string; deleted: boolean }[]).map(({ id, deleted }) => [id, deleted]),
    ).toEqual([
      ['gone', true],
      ['more', true],
      ['kept', false],
      ['new', false],
    ]);
  });

  it('saves in bulk; without a namespace nothing is deleted unless that is written out', async () => {
    const namespace = aNamespace();
    await save(namespace, 'old');
    const post = (text: string, query: string) => server().call('POST', `/flows/bulk${query}`, yaml(text));
    await post(source(namespace, 'a'), '');
    expect(await ids(namespace)).toEqual(['a', 'old']);
    expect((await post(source(`${namespace}.child`, 'c'), `?namespace=${namespace}`)).status).toBe(422);
    await post(source(`${namespace}.child`, 'c'), `?namespace=${namespace}&allowNamespaceChild=true`);
    expect([await ids(namespace), await ids(`${namespace}.child`)]).toEqual([[], ['c']]);
  });

  it('[S2-7f.16] [S2-7f.17] switches and deletes many', async () => {
    const namespace = aNamespace();
    for (const id of ['a', 'b', 'c']) await save(namespace, id);
    const keys = (...wanted: string[]) => json(wanted.map((id) => ({ namespace, id })));
    const disable = await server().call('POST', '/flows/disable/by-ids', keys('a', 'b'));
    expect(disable.body).toEqual({ count: 2 });
    expect((await server().call('POST', '/flows/disable/by-ids', keys('a'))).body).toEqual({ count: 0 });
    expect((await server().call('POST', '/flows/disable/by-ids', keys('c', 'nope'))).status).toBe(404);
    const { body } = await server().call('GET', `/flows/${namespace}/a?source=true`);
    expect([body.disabled, body.revision, body.source]).toEqual([
      true,
      2,
      `${source(namespace, 'a')}disabled: true\n`,
    ]);
    const enable = await server().call('POST', `/flows/enable/by-query?namespace=${namespace}`);
    expect(enable.body).toEqual({ count: 2 });
    expect((await server().call('POST', '/flows/enable/by-query?filters[x][EQUALS]=1')).status).toBe(422);
    expect((await server().call('DELETE', '/flows/delete/by-ids', keys('a', 'nope'))).status).toBe(404);
    expect((await server().call('DELETE', '/flows/delete/by-ids', keys('a'))).body).toEqual({ count: 1 });
    const rest = await server().call('DELETE', `/flows/delete/by-query?namespace=${namespace}`);
    expect(rest.body).toEqual({ count: 2 });
    expect(await ids(namespace)).toEqual([]);
  });

  it('[S2-7f.2] searches sources and shows where', async () => {
    const namespace = aNamespace();
    await save(namespace, 'one', 'needle in hay');
    await save(namespace, 'two');
    const { body } = await server().call('GET', `/flows/source?q=needle&namespace=${namespace}`);
    expect(body).toMatchObject({
      total: 1,
      results: [
        {
          model: { id: 'one' },
          fragments: ['    type: core.log.Log\n    message: [mark]needle[/mark] in hay\n'],
        },
      ],
    });
    expect((await server().call('GET', `/flows/source?namespace=${namespace}`)).body.total).toBe(2);
  });

  it('[S2-7f.5] [S2-7f.7] reads and replaces one task, wherever it is nested', async () => {
    const [namespace, id] = [aNamespace(), anId()];
    await server().saveFlow(
      `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - id: s\n    type: core.flow.Sequential\n    tasks:\n      - id: inner\n        type: core.log.Log\n        message: x\n`,
    );
    const task = { id: 'inner', type: 'core.log.Log', message: 'y' };
    const at = `/flows/${namespace}/${id}`;
    expect((await server().call('GET', `${at}/tasks/inner`)).body).toMatchObject({ message: 'x' });
    expect((await server().call('GET', `${at}/tasks/nope`)).status).toBe(404);
    const patched = await server().call('PATCH', `${at}/inner`, json(task));
    expect(patched.body).toMatchObject({ revision: 2, tasks: [{ id: 's', tasks: [task] }] });
    expect((await server().call('PATCH', `${at}/inner`, json({ ...task, id: 'other' }))).status).toBe(422);
    expect((await server().call('PATCH', `${at}/nope`, json({ ...task, id: 'nope' }))).status).toBe(404);
    expect((await server().call('PATCH', `${at}/inner`, json({ ...task, type: 'no.Type' }))).status).toBe(
      422,
    );
  });

  it('[S2-7f.10] shows who starts a flow and whom it starts', async () => {
    const namespace = aNamespace();
    await save(namespace, 'leaf');
    const call = (id: string, target: string) =>
      server().saveFlow(
        `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - {id: s, type: core.flow.Subflow, namespace: ${namespace}, flowId: ${target}}\n`,
      );
    await call('middle', 'leaf');
    await call('top', 'middle');
    const edges = async (id: string, query = '') => {
      const { body } = await server().call('GET', `/flows/${namespace}/${id}/dependencies${query}`);
      return (body.edges as { source: string; target: string }[])
        .map((edge) => [edge.source, edge.target].map((uid) => uid.split('_').pop()).join('>'))
        .sort();
    };
    expect(await edges('middle')).toEqual(['middle>leaf', 'top>middle']);
    expect(await edges('middle', '?destinationOnly=true')).toEqual(['top>middle']);
    expect(await edges('leaf')).toEqual(['middle>leaf']);
    expect(await edges('leaf', '?expandAll=true')).toEqual(['middle>leaf', 'top>middle']);
    expect((await server().call('GET', `/flows/${namespace}/nope/dependencies`)).status).toBe(404);
  });

  it('[S2-7f.19] validates one task or trigger', async () => {
    const check = async (path: string, body: string) => (await server().call('POST', path, yaml(body))).body;
    const task = 'id: a\ntype: core.log.Log\nmessage: x\n';
    expect(await check('/flows/validate/task?section=TASKS', task)).not.toHaveProperty('constraints');
    expect(await check('/flows/validate/task?section=TRIGGERS', task)).toHaveProperty('constraints');
    expect((await server().call('POST', '/flows/validate/task', yaml(task))).status).toBe(400);
    const trigger = { id: 't', type: 'core.trigger.Schedule', cron: 'nonsense' };
    expect((await server().call('POST', '/flows/validate/trigger', json(trigger))).body).toHaveProperty(
      'constraints',
    );
  });

  it('[A28] writes tables that no spreadsheet takes for formulas', async () => {
    const namespace = aNamespace();
    await server().saveFlow(`${source(namespace, 'one')}description: '=cmd|"/c calc"!A1'\n`);
    const flows = await server().call('GET', `/flows/export/by-query/csv?namespace=${namespace}`);
    expect(flows.headers['content-type']).toContain('text/csv');
    const [header, row] = String(flows.body).split('\r\n');
    expect(header).toBe('id,namespace,revision,description,labels,disabled,updated');
    expect(row).toContain(`one,${namespace},1,"'=cmd|""/c calc""!A1",[],false,`);
    await server().call(
      'POST',
      `/executions/${namespace}/one?wait=true&labels=a:${encodeURIComponent('=1+1')}`,
    );
    const executions = await server().call('GET', `/executions/export/by-query/csv?namespace=${namespace}`);
    const [columns, first] = String(executions.body).split('\r\n');
    expect(columns).toBe(
      'id,namespace,flowId,flowRevision,state,startDate,endDate,duration,labels,inputs,trigger,outputs',
    );
    expect(first).toContain(`,${namespace},one,1,SUCCESS,`);
    const none = await server().call('GET', '/executions/export/by-query/csv?namespace=no.where');
    expect([none.status, none.body]).toEqual([200, `${columns}\r\n`]);
    expect((await server().call('GET', '/flows/export/by-query/csv?filters[x][EQUALS]=1')).status).toBe(422);
  });

  it('[A43] a hostile bundle is stored and shown, and nothing of it runs', async () => {
    const namespace = aNamespace();
    const calls: string[] = [];
    const listener = createServer((request, response) => {
      calls.push(String(request.url));
      response.end('[]');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void listener.close());
    const there = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const call = (path: string) => `"{{ http('${there}/${path}') }}"`;
    const hostile = (id: string) => `id: ${id}
namespace: ${namespace}
description: ${call('description')}
labels: { a: ${call('label')} }
variables: { v: ${call('variable')} }
inputs:
  - { id: i, type: SELECT, expression: ${call('choices')}, required: false }
  - { id: d, type: STRING, defaults: ${call('default')} }
tasks:
  - { id: door, type: test.Door, door: ${namespace} }
  - { id: sub, type: core.flow.Subflow, namespace: ${namespace}, flowId: ${call('target')} }
errors:
  - { id: e, type: test.Door, door: ${namespace} }
afterExecution:
  - { id: after, type: test.Door, door: ${namespace} }
triggers:
  - { id: any, type: core.trigger.Flow }
  - { id: past, type: core.trigger.Schedule, cron: "0 0 1 1 *", recoverMissedSchedules: ALL }
  - { id: hook, type: core.trigger.Webhook, key: ${call('key')} }
`;
    const board = `title: ${call('title')}\ncharts:\n  - { id: m, type: core.dashboard.chart.Markdown, content: ${call('chart')} }\n`;
    const template = `id: t\nnamespace: ${namespace}\ntasks:\n  - { id: x, type: test.Door, door: ${namespace} }\n`;
    const flowZip = await zip({ 'a.yml': hostile('one') });
    const filesZip = await zip({
      '_flows/b.yml': hostile('two'),
      'run.sh': 'touch x',
      '.git/hooks/post-merge': 'x',
    });
    expect((await upload('all.zip', flowZip)).body).toEqual([]);
    const post = (path: string, body: Parameters<ReturnType<typeof server>['call']>[2]) =>
      server().call('POST', path, body);
    expect(
      (await post(`/namespaces/${namespace}/files?path=/x.zip`, file('fileContent', 'x.zip', filesZip)))
        .status,
    ).toBe(200);
    expect((await post('/templates/import', file('fileUpload', 't.yml', template))).status).toBe(204);
    const { status, body } = await post('/dashboards', yaml(board));
    expect(status).toBe(200);
    await post('/flows/validate', yaml(hostile('three')));
    await post('/flows/graph', yaml(hostile('three')));
    const shown = ['one', 'one/graph', 'one/dependencies', 'one/revisions', 'two'].map(
      (path) => `/flows/${namespace}/${path}`,
    );
    for (const path of [
      ...shown,
      `/flows/search?namespace=${namespace}`,
      `/triggers/search?namespace=${namespace}`,
      `/dashboards/${body.id}`,
      `/namespaces/${namespace}/files/export`,
    ]) {
      expect([path, (await server().call('GET', path)).status]).toEqual([path, 200]);
    }
    expect(await ids(namespace)).toEqual(['one', 'two']);
    expect((await server().call('GET', `/executions/search?namespace=${namespace}`)).body.total).toBe(0);
    expect([calls, arrivals(namespace)]).toEqual([[], 0]);
    await server().call('DELETE', `/flows/delete/by-query?namespace=${namespace}`);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, yaml } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

type Rows = { results: Record<string, unknown>[]; total: number };

const chart = (rest: string) => `id: c\ntype: core.dashboard.chart.Table\n${rest}`;
const data = (rest: string, type = 'Executions') =>
  `data:\n  type: core.dashboard.data.${type}\n  columns:\n${rest}`;
const indent = (text: string) => text.replace(/^(?=.)/gm, '    ').replace(/^ {4}/, '  - ');
const dashboard = (title: string, ...charts: string[]) =>
  `title: ${title}\ntimeWindow:\n  default: P7D\n  max: P30D\ncharts:\n${charts.map(indent).join('')}`;

const byState = chart(data('    state:\n      field: STATE\n    n:\n      agg: COUNT\n'));
const count = chart(data('    n:\n      agg: COUNT\n'));

describe.each(databases)('dashboards (api 7.7) on $name', (database) => {
  const shared = sharedServer(database);
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, text?: string) =>
    shared().call(method, `/dashboards${path}`, text === undefined ? {} : yaml(text));
  const ask = async (path: string, body: object = {}) => {
    const answer = await shared().call('POST', `/dashboards${path}`, { payload: body });
    return { status: answer.status, ...(answer.body as unknown as Rows & { message?: string }) };
  };
  const preview = async (text: string) =>
    (await call('POST', '/charts/preview', text)).body as unknown as Rows;
  const create = async (text: string) => {
    const { status, body } = await call('POST', '', text);
    expect([status, body.message]).toEqual([200, undefined]);
    return body as Record<string, unknown> & { id: string };
  };

  beforeAll(async () => {
    const flow = (namespace: string, task: string) =>
      `id: f\nnamespace: ${namespace}\nlabels:\n  team: ${namespace.slice(-1)}\ntasks:\n  - id: t\n    ${task}\n`;
    await shared().saveFlow(flow('board.a', 'type: core.log.Log\n    message: "=1+1"\n    level: ERROR'));
    await shared().saveFlow(flow('board.b', 'type: core.execution.Fail'));
    for (const namespace of ['board.a', 'board.a', 'board.b'])
      await shared().call('POST', `/executions/${namespace}/f?wait=true`);
  });

  it('[S2-7o.20] shows flows and triggers: counted, filtered, ordered, by their next date', async () => {
    const flows = chart(
      `${data('    space:\n      field: NAMESPACE\n    n:\n      agg: COUNT\n    newest:\n      field: REVISION\n      agg: MAX\n', 'Flows')}  where:\n    - {field: NAMESPACE, type: STARTS_WITH, value: board.}\n  orderBy:\n    - {column: space, order: DESC}\n`,
    );
    expect(await preview(flows)).toEqual({
      results: [
        { space: 'board.b', n: 1, newest: 1 },
        { space: 'board.a', n: 1, newest: 1 },
      ],
      total: 2,
    });
    await shared().saveFlow(
      'id: timed\nnamespace: board.c\ntasks:\n  - {id: t, type: core.log.Log, message: x}\ntriggers:\n  - {id: yearly, type: core.trigger.Schedule, cron: "0 0 1 1 *"}\n  - {id: hook, type: core.trigger.Webhook, key: some-long-key}\n',
    );
    const rows = await preview(
      chart(
        `${data('    id:\n      field: TRIGGER_ID\n    flow:\n      field: FLOW_ID\n    next:\n      field: NEXT_EXECUTION_DATE\n', 'Triggers')}  where:\n    - {field: NAMESPACE, type: EQUAL_TO, value: board.c}\n    - {field: NEXT_EXECUTION_DATE, type: IS_NOT_NULL}\n`,
      ),
    );
    expect(rows).toEqual({
      results: [{ id: 'yearly', flow: 'timed', next: expect.stringMatching(/^\d{4}-01-01/) }],
      total: 1,
    });
    const kpi = (type: string, rest = '') =>
      preview(
        `id: c\ntype: core.dashboard.chart.KPI\ndata:\n  type: core.dashboard.data.${type}\n  columns: {n: {agg: COUNT}}\n${rest}`,
      );
    expect(
      (await kpi('FlowsKPI', '  where: [{field: NAMESPACE, type: REGEX, value: "^board.[ab]$"}]\n')).results,
    ).toEqual([{ n: 2 }]);
    const share =
      '  where: [{field: NAMESPACE, type: IN, values: [board.a, board.b]}]\n  numerator: [{field: NAMESPACE, type: EQUAL_TO, value: board.a}]\n';
    expect((await kpi('FlowsKPI', share)).results).toEqual([{ n: 50 }]);
    expect(
      (await kpi('FlowsKPI', '  where: [{field: ID, type: EQUAL_TO, value: nobody}]\n')).results,
    ).toEqual([{ n: 0 }]);
    const next = await preview(
      `id: c\ntype: core.dashboard.chart.TimeSeries\nchartOptions: {displayName: x, column: next}\n${data('    next:\n      field: NEXT_EXECUTION_DATE\n    n:\n      agg: COUNT\n', 'Triggers')}  where: [{field: TRIGGER_ID, type: CONTAINS, value: year}]\n`,
    );
    expect(next.total).toBe(1);
  });

  it('[S2-7o.19] creates, reads, changes, lists and deletes them, and keeps the text', async () => {
    const source = `# mine\n${dashboard('Mine', byState)}`;
    const created = await create(source);
    expect(created).toMatchObject({
      title: 'Mine',
      sourceCode: source,
      timeWindow: { default: 'P7D', max: 'P30D' },
      charts: [{ id: 'c', type: 'core.dashboard.chart.Table' }],
    });
    expect((await call('GET', `/${created.id}`)).body).toEqual(created);
    const changed = await call('PUT', `/${created.id}`, dashboard('Yours', byState));
    expect(changed.body).toMatchObject({ id: created.id, title: 'Yours', created: created.created });
    const { body: list } = await call('GET', '?q=your&size=5&sort=title:asc');
    expect(list).toMatchObject({ results: [{ id: created.id, title: 'Yours' }], total: 1 });
    expect((list.results as object[])[0]).not.toHaveProperty('sourceCode');
    expect((await call('DELETE', `/${created.id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await call(method, `/${created.id}`)).status).toBe(404);
    expect((await call('PUT', `/${created.id}`, dashboard('Yours', byState))).status).toBe(404);
  });

  it('[S2-7o.19] takes an id of its author once, and never another one', async () => {
    const source = `id: chosen\n${dashboard('A', byState)}`;
    expect((await create(source)).id).toBe('chosen');
    expect((await call('POST', '', source)).body.message).toContain('there is a dashboard "chosen" already');
    const other = await call('PUT', '/chosen', `id: other\n${dashboard('A', byState)}`);
    expect([other.status, other.body.message]).toEqual([422, expect.stringContaining('"other"')]);
  });

  it.each([
    ['no YAML', 'title: [', 'yaml: '],
    ['no map', '- a', 'a map was expected'],
    ['no title', dashboard('', byState).replace('title: \n', ''), 'title: must not be null'],
    ['an unknown property', `${dashboard('A', byState)}nope: 1\n`, 'nope: Unrecognized field "nope"'],
    ['a window that is too long', dashboard('A', byState).replace('P30D', 'P400D'), 'at most 366 days'],
    ['a window that ends early', dashboard('A', byState).replace('P7D', 'P60D'), 'timeWindow.default'],
    ['an unknown chart', dashboard('A', byState.replace('Table', 'Nope')), 'charts[0].type: Invalid type'],
    ['a chart without id', dashboard('A', byState.replace('id: c', 'id: -c')), 'charts[0].id'],
    ['two charts of one id', dashboard('A', byState, byState), 'charts[1].id: "c" is the id of another'],
    ['unknown data', dashboard('A', byState.replace('Executions', 'Nope')), 'charts[0].data.type'],
    ['an unknown field', dashboard('A', byState.replace('STATE', 'NOPE')), 'charts[0].data.columns'],
    ['a column without field', dashboard('A', byState.replace('COUNT', 'SUM')), 'needs a field'],
    [
      'a bar too many',
      dashboard('A', byState.replace('Table', 'Bar\nchartOptions:\n  displayName: a\n  column: nope')),
      '"nope" is none of the columns',
    ],
    ['an alias bomb', `a: &a [x,x]\nb: [*a,*a]\n${dashboard('A', byState)}`, 'Unrecognized field'],
  ])('[S2-7o.21] says what is wrong with %s', async (_name, source, message) => {
    const { status, body } = await call('POST', '/validate', source);
    expect([status, body]).toEqual([
      200,
      {
        index: 0,
        outdated: false,
        constraints: expect.stringContaining(message),
        violations: expect.any(Array),
      },
    ]);
    const refused = await call('POST', '', source);
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it('[S2-7o.21] finds nothing wrong with what is right, and tells problems one by one', async () => {
    expect((await call('POST', '/validate', dashboard('A', byState))).body).toEqual({
      index: 0,
      outdated: false,
    });
    expect((await call('POST', '/validate/chart', byState)).body).toEqual({ index: 0, outdated: false });
    const { body } = await call('POST', '/validate/chart', `${byState.replace('STATE', 'NOPE')}nope: 1\n`);
    expect(body.violations).toEqual([
      { path: 'nope', message: 'Unrecognized field "nope"; known fields: chartOptions data' },
    ]);
  });

  it('[S2-7o.20] counts and groups what is stored', async () => {
    const { id } = await create(dashboard('Counts', byState));
    const { results, total } = await ask(`/${id}/charts/c`, { namespace: 'board' });
    expect(total).toBe(2);
    expect(results).toEqual([
      { state: 'FAILED', n: 1 },
      { state: 'SUCCESS', n: 2 },
    ]);
    expect((await ask(`/${id}/charts/nope`)).status).toBe(404);
    expect((await ask('/nope/charts/c')).status).toBe(404);
  });

  it('[S2-7o.20] lets who looks at it choose namespace, labels, time and page', async () => {
    const { id } = await create(dashboard('Choices', byState, count.replace('id: c', 'id: n')));
    const n = async (body: object) => (await ask(`/${id}/charts/n`, body)).results[0]?.n;
    const filter = (field: string, operation: string, value: unknown) => ({
      filters: [{ field, operation, value }],
    });
    expect(await n({ namespace: 'board.a' })).toBe(2);
    expect(await n({ labels: { team: 'b' } })).toBe(1);
    expect(await n(filter('namespace', 'IN', ['board.a', 'board.b']))).toBe(3);
    expect(await n(filter('labels', 'EQUALS', { team: 'a' }))).toBe(2);
    expect(await n(filter('state', 'NOT_EQUALS', 'SUCCESS'))).toBe(1);
    expect(await n(filter('timeRange', 'EQUALS', 'PT1H'))).toBe(3);
    expect(await n({ startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-02T00:00:00Z' })).toBe(0);
    const page = await ask(`/${id}/charts/c`, { pageSize: 1, pageNumber: 2, namespace: 'board' });
    expect([page.results, page.total]).toEqual([[{ state: 'SUCCESS', n: 2 }], 2]);
    for (const body of [
      { startDate: '2026-02-01T00:00:00Z', endDate: '2026-01-01T00:00:00Z' },
      { startDate: '2020-01-01T00:00:00Z' },
      filter('nope', 'EQUALS', 'x'),
      filter('state', 'REALLY', 'x'),
      filter('timeRange', 'EQUALS', 'P1Y'),
    ]) {
      const { status } = await ask(`/${id}/charts/n`, body);
      expect([body, status]).toEqual([body, 422]);
    }
  });

  it('[S2-7o.20] replaces what the author chose for the same field only', async () => {
    const where = `${count}  where:\n    - field: NAMESPACE\n      type: EQUAL_TO\n      value: board.a\n    - field: STATE\n      type: IN\n      values: [SUCCESS]\n`;
    const { id } = await create(dashboard('Own', where));
    const n = async (body: object) => (await ask(`/${id}/charts/c`, body)).results[0]?.n;
    expect([await n({}), await n({ namespace: 'board.b' })]).toEqual([2, 0]);
  });

  it('[S2-7o.21] previews a chart that is not saved, in both forms', async () => {
    expect((await preview(byState)).results).toContainEqual({ state: 'SUCCESS', n: 2 });
    const json = await ask('/charts/preview', {
      chart: byState,
      globalFilter: { filters: [{ field: 'namespace', operation: 'EQUALS', value: 'board.b' }] },
    });
    expect(json.results).toEqual([{ state: 'FAILED', n: 1 }]);
    const logs = chart(data('    level:\n      field: LEVEL\n    n:\n      agg: COUNT\n', 'Logs'));
    expect((await preview(logs)).results).toContainEqual({ level: 'ERROR', n: expect.any(Number) });
    const metrics = chart(
      data('    name:\n      field: NAME\n    v:\n      field: VALUE\n      agg: SUM\n', 'Metrics'),
    );
    expect((await preview(metrics)).results).toEqual([]);
    const words = 'id: w\ntype: core.dashboard.chart.Markdown\ncontent: hi\n';
    expect((await call('POST', '/charts/preview', words)).status).toBe(422);
    expect((await ask('/charts/preview', { chart: 1 })).status).toBe(422);
  });

  it('[S2-7o.21] shows a share in percent', async () => {
    const share = `id: k\ntype: core.dashboard.chart.KPI\nchartOptions:\n  displayName: Share\n  numberType: PERCENTAGE\n${data(
      '    total:\n      agg: COUNT\n',
      'ExecutionsKPI',
    )}  numerator:\n    - field: STATE\n      type: EQUAL_TO\n      value: FAILED\n`;
    const { results } = await ask('/charts/preview', { chart: share, globalFilter: { namespace: 'board' } });
    expect(results).toEqual([{ total: 33.33 }]);
  });

  it('[S2-7o.21] shows the description of a flow in a text', async () => {
    const described = 'id: board_described\nnamespace: board.a\ndescription: "**Ships** orders"\n';
    const task = 'tasks:\n  - {id: t, type: core.log.Log, message: hi}\n';
    await shared().saveFlow(`${described}${task}`);
    const words = (flowId: string) =>
      `id: w\ntype: io.kestra.plugin.core.dashboard.chart.Markdown\nsource:\n  type: FlowDescription\n  namespace: board.a\n  flowId: ${flowId}\n`;
    const rows = { results: [{ description: '**Ships** orders' }], total: 1 };
    expect((await call('POST', '/charts/preview', words('board_described'))).body).toEqual(rows);
    expect(await ask('/charts/preview', { chart: words('board_described') })).toMatchObject(rows);
    expect((await call('POST', '/charts/preview', words('nope'))).status).toBe(404);
    const board = `title: Words\ncharts:\n  - ${words('board_described').trim().replaceAll('\n', '\n    ')}\n`;
    const { id } = await create(board);
    expect(await ask(`/${id}/charts/w`)).toMatchObject(rows);
  });

  it('[A28] exports the rows as CSV that no spreadsheet runs', async () => {
    const lines = chart(data('    message:\n      field: MESSAGE\n', 'Logs')).concat(
      '  where:\n    - field: NAMESPACE\n      type: EQUAL_TO\n      value: board.a\n    - field: LEVEL\n      type: EQUAL_TO\n      value: ERROR\n',
    );
    const unsaved = await shared().call('POST', '/dashboards/charts/export/to-csv', yaml(lines));
    expect(unsaved.headers['content-type']).toContain('text/csv');
    expect(String(unsaved.body).split('\r\n').slice(0, 2)).toEqual(['message', `"'=1+1"`]);
    const { id } = await create(dashboard('Export', byState));
    const saved = await shared().call('POST', `/dashboards/${id}/charts/c/export/to-csv`, {
      payload: { namespace: 'board' },
    });
    expect(saved.headers['content-disposition']).toBe('attachment; filename="c.csv"');
    expect(saved.body).toBe('state,n\r\nFAILED,1\r\nSUCCESS,2\r\n');
  });

  it('[S2-7o.19] every dashboard blueprint can be saved and shown', async () => {
    for (const name of ['executions-overview', 'log-errors', 'team-metrics']) {
      const { body } = await shared().call('GET', `/blueprints/community/dashboard/${name}`);
      const made = await create(String(body.source));
      for (const each of made.charts as { id: string; data?: unknown }[]) {
        if (!each.data) continue;
        const { status, message } = await ask(`/${made.id}/charts/${each.id}`);
        expect([name, each.id, status, message]).toEqual([name, each.id, 200, undefined]);
      }
    }
  });
});

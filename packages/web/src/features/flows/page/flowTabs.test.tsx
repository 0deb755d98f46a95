import { executions, flowParts, flows, logs, metrics, stats, triggers } from '@millrace/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { flowEditor } from '../../../testing/doubles/FlowEditor.tsx';
import { aFlowWithSource, anExecution } from '../../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./FlowPage.tsx')));

const page = '/flows/edit/shop.orders/nightly';
const saved = aFlowWithSource();
const alone = { nodes: [], edges: [] };
type Routes = Parameters<typeof fakeServer>;

/** A tab of a flow's page, with a server that knows the flow. */
const open = (tab: string, flow: ReturnType<typeof aFlowWithSource>, ...routes: Routes) => ({
  server: fakeServer(
    reply(flows.getFlow, () => flow),
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(flowParts.getFlowDependencies, () => alone),
    ...routes,
  ),
  ...renderAt(`${page}/${tab}`),
});
const ofExactlyThisFlow = (query: URLSearchParams | undefined) => {
  expect(query?.get('filters[namespace][EQUALS]')).toBe('shop.orders');
  expect(query?.get('flowId')).toBe('nightly');
};

it('the triggers tab shows the triggers of this flow only, and the way to add the first', async () => {
  const { server } = open(
    'triggers',
    saved,
    reply(triggers.searchTriggers, () => ({ results: [], total: 0 })),
  );
  const link = await screen.findByText('This flow has no trigger');
  expect(link).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'Edit flow' })[0]?.getAttribute('href')).toBe(`${page}/edit`);
  ofExactlyThisFlow(server.to(triggers.searchTriggers)[0]?.query);
});

it('S2-7l.5 the logs tab searches the logs of this flow, and deletes them after asking', async () => {
  const { server, user } = open(
    'logs',
    saved,
    reply(logs.searchLogs, () => ({ results: [], total: 0 })),
    reply(stats.getDailyLogs, () => []),
    reply(logs.deleteFlowLogs, () => undefined),
  );
  await user.click(await screen.findByRole('button', { name: 'Delete logs' }));
  expect(server.to(logs.deleteFlowLogs)).toHaveLength(0);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete logs' }));
  await screen.findByText('The logs of nightly are deleted');
  expect(server.to(logs.deleteFlowLogs)[0]?.params).toMatchObject({ namespace: 'shop.orders' });
  await waitFor(() => expect(server.to(logs.searchLogs)).not.toHaveLength(0));
  ofExactlyThisFlow(server.to(logs.searchLogs)[0]?.query);
});

describe('metrics tab', () => {
  const reported = [
    reply(metrics.listMetricTasks, () => ['load']),
    reply(metrics.listMetricNames, () => ['rows', 'bytes']),
    reply(metrics.listMetricNamesOfTask, () => ['rows']),
    reply(metrics.aggregateMetric, () => ({
      groupBy: 'day' as const,
      aggregations: [
        { date: '2026-03-01T00:00:00Z', value: 12.5 },
        { date: '2026-03-02T00:00:00Z', value: 0 },
      ],
    })),
  ];

  it('O-12.7 S2-5.9 opens with a chart of every metric, and draws none that the chosen task never reported', async () => {
    const { server } = open('metrics', saved, ...reported);
    await screen.findByRole('list', { name: 'rows over time' });
    await screen.findByRole('list', { name: 'bytes over time' });
    expect(server.to(metrics.aggregateMetric).map(({ query }) => query.get('aggregation'))).toEqual([
      'sum',
      'sum',
    ]);
  });

  it('S2-3.7 draws the metric and the aggregation of the address', async () => {
    const { server } = open('metrics?metric=rows&aggregation=avg', saved, ...reported);
    const bars = within(await screen.findByRole('list', { name: 'rows over time' }));
    const [first] = await bars.findAllByRole('button');
    expect(first?.getAttribute('aria-label')).toMatch(/rows 12\.5$/);
    expect(server.to(metrics.aggregateMetric)[0]?.query.get('aggregation')).toBe('avg');
  });

  it('says so when nothing was ever reported', async () => {
    open(
      'metrics',
      saved,
      reply(metrics.listMetricTasks, () => []),
      reply(metrics.listMetricNames, () => []),
    );
    await screen.findByText('This flow has reported no metrics');
  });
});

it('S1-6.5 S2-6.5 the dependencies tab counts and draws, and names no flow that may not be seen', async () => {
  const topology = {
    nodes: [
      { uid: 'a', namespace: 'shop.orders', id: 'nightly' },
      { uid: 'b', namespace: 'shop', id: 'prices' },
      { uid: 'c', id: 'hidden' },
    ],
    edges: [
      { source: 'a', target: 'b', relation: 'FLOW_TASK' as const },
      { source: 'c', target: 'a', relation: 'FLOW_TRIGGER' as const },
    ],
  };
  const { server, user, href } = open(
    'dependencies',
    saved,
    reply(flowParts.getFlowDependencies, () => topology),
  );
  expect(await screen.findByText('No permissions on this flow')).toBeTruthy();
  const tabs = within(screen.getByRole('navigation', { name: 'Views of this flow' }));
  expect(tabs.getByRole('link', { name: /^Dependencies/ }).textContent).toBe('Dependencies2');
  await user.click(screen.getByLabelText('Whole chain'));
  await waitFor(() => expect(href()).toBe(`${page}/dependencies?chain=all`));
  await waitFor(() =>
    expect(server.to(flowParts.getFlowDependencies).at(-1)?.query.get('expandAll')).toBe('true'),
  );
});

describe('concurrency tab', () => {
  it('explains what a limit is when there is none', async () => {
    open('concurrency', saved);
    await screen.findByText('This flow has no concurrency limit');
  });

  it('shows how many slots are in use, and which executions run or wait', async () => {
    const running = anExecution({ state: 'RUNNING' });
    const { server } = open(
      'concurrency',
      aFlowWithSource({ concurrency: { limit: 2, behavior: 'QUEUE' } }),
      reply(executions.searchExecutions, () => ({ results: [running], total: 1 })),
      reply(stats.getDailyExecutions, () => []),
    );
    await waitFor(() =>
      expect(
        screen.getByRole('progressbar', { name: 'Concurrency limit' }).getAttribute('aria-valuetext'),
      ).toBe('1 of 2 slots in use'),
    );
    expect(screen.getByText(/wait in the queue/)).toBeTruthy();
    await screen.findByRole('table', { name: 'Executions' });
    for (const { query } of server.to(executions.searchExecutions)) ofExactlyThisFlow(query);
    const listed = server.to(executions.searchExecutions).find(({ query }) => query.get('size') !== '1');
    expect(listed?.query.getAll('state')).toContain('QUEUED');
  });
});

describe('revisions tab', () => {
  const first = aFlowWithSource({ revision: 1 });
  const second = { ...aFlowWithSource({ revision: 2 }), source: `${first.source}# more\n` };

  it('compares in one column or in two, as the address says, and restores an older one after asking', async () => {
    const { server, user, href } = open(
      'revisions',
      second,
      reply(flows.listRevisions, () => [first, second]),
      reply(flows.updateFlow, ({ body }) => ({ ...second, revision: 3, source: String(body) })),
    );
    await user.click(await screen.findByRole('radio', { name: 'Side by side' }));
    await waitFor(() => expect(href()).toBe(`${page}/revisions?view=split`));
    expect(screen.getByRole('button', { name: 'Restore revision 2' })).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Restore revision 1' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore' }));
    await screen.findByText('Saved nightly, revision 3');
    expect(server.to(flows.updateFlow)[0]?.body).toBe(first.source);
  });

  it('shows the whole of a revision', async () => {
    const { user } = open(
      'revisions',
      second,
      reply(flows.listRevisions, () => [first, second]),
    );
    await user.click(await screen.findByRole('button', { name: 'Show revision 1' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Revision 1' }));
    await waitFor(() => expect(drawer.getByText(/namespace/)).toBeTruthy());
  });
});

it('S2-4f.4 a deleted flow cannot run and can be restored', async () => {
  let deleted = true;
  const { server, user } = open(
    '',
    saved,
    reply(flows.getFlow, () => aFlowWithSource({ deleted })),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    reply(flows.createFlow, () => {
      deleted = false;
      return aFlowWithSource({ revision: 2 });
    }),
    reply(flows.listRevisions, () => []),
  );
  await screen.findByText('Deleted: nightly');
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  await screen.findByText('Flow nightly restored as revision 2');
  expect(server.to(flows.createFlow)[0]?.body).toBe(saved.source);
  expect((await screen.findAllByRole('button', { name: 'Execute' })).length).toBeGreaterThan(0);
});

describe('saving', () => {
  it('S2-4f.2 S2-5.18 asks before it overwrites a revision that another user saved meanwhile', async () => {
    let revision = 1;
    const { server, user } = open(
      'edit',
      saved,
      reply(flows.getFlow, () => ({
        ...aFlowWithSource({ revision }),
        source: `${saved.source}${revision}`,
      })),
      reply(flows.updateFlow, ({ body, query }) =>
        Number(query.get('baseRevision')) < revision
          ? failure(409, { message: 'Conflict: the flow has revision 3' })
          : { ...saved, revision: 4, source: String(body) },
      ),
      reply(flows.listRevisions, () => []),
    );
    await user.type(await screen.findByLabelText('source'), '# mine');
    revision = 3;
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = within(
      await screen.findByRole('dialog', { name: 'The revision you are editing is outdated.' }),
    );
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await screen.findByText(/You are editing revision 1/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Overwrite' }));
    await screen.findByText('Saved nightly, revision 4');
    const sent = server.to(flows.updateFlow);
    expect(sent.map(({ query }) => query.get('baseRevision'))).toEqual(['1', '1', '3']);
    expect(sent.at(-1)?.body).toBe(`${saved.source}1# mine`);
  });

  it('S2-5.5 S2-5.18 a new flow whose id is taken overwrites only when told to', async () => {
    const { server, user, href } = {
      server: fakeServer(
        reply(flows.getFlow, () => saved),
        reply(flows.createFlow, () =>
          failure(422, { message: 'Invalid entity: id: Flow id already exists' }),
        ),
        reply(flows.updateFlow, () => ({ ...saved, revision: 2 })),
        reply(flows.listRevisions, () => []),
      ),
      ...renderAt('/flows/new?namespace=shop.orders'),
    };
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await screen.findByRole('dialog', {
      name: 'A flow with the same id already exists in this namespace.',
    });
    await user.click(screen.getByRole('button', { name: 'Overwrite' }));
    await waitFor(() => expect(href()).toBe(`${page}/edit`));
    expect(server.to(flows.updateFlow)[0]?.params).toEqual({ namespace: 'shop.orders', id: 'hello_world' });
  });

  const start = { line: 3, column: 1 };
  it.each([
    ['Invalid YAML', { path: '', message: 'a map cannot follow a list', range: { start, end: start } }],
    ['Invalid flow', { path: 'tasks', message: 'Each flow must have at least one task' }],
  ])('S1-8.16 S2-8.3 S2-8.18 %s is said and nothing is sent', async (title, issue) => {
    flowEditor.issues = [{ severity: 'error', ...issue }];
    const { server, user } = open('edit', saved);
    await user.type(await screen.findByLabelText('source'), '#');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getAllByText(issue.message).length).toBeGreaterThan(0);
    expect(server.to(flows.updateFlow)).toHaveLength(0);
  });

  it('S2-8.13 another id or namespace is put back, with a warning', async () => {
    open('edit', saved);
    const source = await screen.findByLabelText('source');
    fireEvent.change(source, { target: { value: saved.source.replace('nightly', 'daily') } });
    await screen.findByText('Read-only property');
    expect(source).toHaveProperty('value', saved.source);
  });

  it('S2-5.6 a namespace that the server does not allow is said, and nothing is saved', async () => {
    const { href } = open(
      'edit',
      saved,
      reply(flows.updateFlow, () => failure(403, { message: 'Namespace not allowed: shop.orders' })),
    );
    fireEvent.change(await screen.findByLabelText('source'), { target: { value: `${saved.source}#` } });
    fireEvent.click(screen.getByText('Save'));
    await screen.findByText('Namespace not allowed');
    expect(screen.queryByText(/^Saved/)).toBeNull();
    expect(href()).toBe(`${page}/edit`);
  });

  it('S1-8.16 S2-8.2 S2-8.4 what the server refuses is not saved, and its words are shown', async () => {
    const { user } = open(
      'edit',
      saved,
      reply(flows.updateFlow, () => failure(422, { message: 'Invalid entity: tasks: must not be empty' })),
    );
    await user.type(await screen.findByLabelText('source'), '# mine');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const toast = await screen.findByRole('alert');
    expect(toast.textContent).toContain('Invalid source code');
    expect(toast.textContent).toContain('must not be empty');
    expect(screen.queryByText(/^Saved/)).toBeNull();
  });
});

it('S1-8.16 S2-8.5 S2-8.18 a graph that cannot be built says so', async () => {
  open(
    'topology',
    saved,
    reply(flows.getFlowGraph, () => failure(422, { message: 'tasks: a loop of dependsOn' })),
  );
  await screen.findByText('Unable to create topology for flow');
  screen.getByText(
    'An issue occurred while generating the graph, which prevents the topology from displaying',
  );
});

it('S1-2.1.9 S2-7f.2 /flows/search finds flows by what their sources say', async () => {
  const server = fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(flowParts.searchFlowSources, () => ({
      results: [{ model: saved, fragments: ['type: [mark]core.log[/mark].Log'] }],
      total: 1,
    })),
  );
  const { user, href } = renderAt('/flows/search');
  await screen.findByText('Search in the source of flows');
  expect(server.to(flowParts.searchFlowSources)).toHaveLength(0);
  await user.type(screen.getByRole('searchbox'), 'core.log{Enter}');
  await waitFor(() => expect(href()).toBe('/flows/search?q=core.log'));
  const hits = within(await screen.findByRole('list', { name: 'Flows whose source matches' }));
  expect(hits.getByText('core.log').tagName).toBe('MARK');
  expect(hits.getByRole('link').getAttribute('href')).toBe(`${page}/edit`);
});

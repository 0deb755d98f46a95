import { blueprints, dashboards, executions, flows, logs, stats, triggers } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { aFlow, anExecution } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./HomePage.tsx')));

const day = {
  startDate: '2026-03-01T00:00:00.000Z',
  groupBy: 'day' as const,
  duration: { count: 10 },
  executionCounts: { SUCCESS: 6, WARNING: 1, CANCELLED: 1, FAILED: 1, RETRIED: 1, RUNNING: 5 },
};
const aDashboard = {
  id: 'mine',
  title: 'Mine',
  timeWindow: { default: 'P7D', max: 'P30D' },
  created: '2026-03-01T00:00:00Z',
  updated: '2026-03-01T00:00:00Z',
  deleted: false,
  sourceCode: 'title: Mine\ncharts: []\n',
  charts: [
    {
      id: 'open',
      type: 'core.dashboard.chart.Table',
      chartOptions: { displayName: 'Open work' },
      data: {
        type: 'core.dashboard.data.Executions',
        columns: { flow: { field: 'FLOW_ID', displayName: 'Flow' } },
      },
    },
  ],
};
const home = (...routes: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(flows.searchFlows, () => ({ results: [aFlow()], total: 1 })),
    reply(executions.searchExecutions, ({ query }) =>
      query.getAll('state').includes('FAILED')
        ? { results: [anExecution({ id: 'broken-1234', state: 'FAILED' })], total: 1 }
        : { results: [], total: 0 },
    ),
    reply(logs.listLogs, () => [
      {
        namespace: 'shop.orders',
        flowId: 'nightly',
        attemptNumber: null,
        timestamp: '2026-03-01T02:00:00Z',
        level: 'ERROR' as const,
        message: 'No space left\n  at disk',
        deleted: false,
      },
    ]),
    reply(triggers.searchTriggers, () => ({ results: [], total: 0 })),
    reply(stats.getDailyExecutions, () => [day]),
    reply(stats.getDailyLogs, () => []),
    reply(stats.getExecutionsByNamespace, () => ({ 'shop.orders': { counts: { SUCCESS: 6 }, total: 6 } })),
    reply(stats.getSummary, () => ({ flows: 12, triggers: 3 })),
    reply(dashboards.listDashboards, () => ({ results: [aDashboard], total: 1 })),
    reply(dashboards.getDashboard, () => aDashboard),
    ...routes,
  );

describe('home', () => {
  it('S1-2.1.5 S2-4.19 S2-4.20 shows four figures that lead to what they count, and the last failures with their error line', async () => {
    const server = home();
    renderAt('/dashboards?timeRange=P28D');
    const success = await screen.findByRole('link', { name: /Success ratio 80.00 %/ });
    expect(success.getAttribute('href')).toBe(
      '/executions?timeRange=P28D&state=SUCCESS&state=WARNING&state=CANCELLED',
    );
    await screen.findByRole('link', { name: /Failure ratio 20.00 %/ });
    await screen.findByRole('link', { name: /Flows 12/ });
    await screen.findByText('No space left');
    // Not those of the playground.
    const failed = server
      .to(executions.searchExecutions)
      .find(({ query }) => query.get('state') === 'FAILED');
    expect(failed?.query.get('kind')).toBe('NORMAL');
    await screen.findByText('No trigger has a next date.');
    // Sorted and cut by the server, however many triggers there are.
    expect(Object.fromEntries(server.to(triggers.searchTriggers)[0]?.query ?? [])).toEqual({
      'filters[nextExecutionDate][GREATER_THAN]': '1970-01-01T00:00:00Z',
      sort: 'nextExecutionDate:asc',
      size: '5',
    });
  });

  it('says on each card what the server could not answer, with another try', async () => {
    home(reply(triggers.searchTriggers, () => failure(500, { message: 'The disk is full' })));
    renderAt('/dashboards');
    const card = within(await screen.findByRole('region', { name: 'Next runs' }));
    await card.findByText('The disk is full');
    card.getByRole('button', { name: 'Try again' });
  });

  it('S1-4.29 S2-2.18 offers the last 28 days', async () => {
    const server = home();
    const { user, href } = renderAt('/dashboards');
    await user.click(await screen.findByRole('button', { name: 'Time range: Last 30 days' }));
    await user.click(await screen.findByRole('button', { name: 'Last 28 days' }));
    await waitFor(() => expect(href()).toBe('/dashboards?timeRange=P28D'));
    const days = 86_400_000;
    await waitFor(() => {
      const asked = JSON.parse(String(server.to(stats.getDailyExecutions).at(-1)?.body));
      expect(Math.round((Date.parse(asked.endDate) - Date.parse(asked.startDate)) / days)).toBe(28);
    });
  });

  it('S1-2.1.2 the root of the site leads to it', async () => {
    home();
    const { href } = renderAt('/');
    await screen.findByRole('heading', { level: 1, name: 'Overview' });
    expect(href()).toBe('/dashboards');
  });

  it('S1-2.1.44 S1-2.1.45 where nothing was made and nothing ran it gives way to the welcome page of the same tenant', async () => {
    home(
      reply(flows.searchFlows, () => ({ results: [], total: 0 })),
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    );
    const { href } = renderAt('/main/dashboards');
    await waitFor(() => expect(href()).toBe('/main/welcome'));
  });

  it.each([
    ['S2-9.5 only flows of the tutorial', 12, 0, '/welcome'],
    ['more flows than those of the tutorial', 12, 1, '/dashboards'],
  ])('S1-2.1.46 %s', async (_, total, others, expected) => {
    const ofTutorial = Array.from({ length: 10 }, (__, index) =>
      aFlow({ namespace: 'tutorial', id: `lesson_${index}` }),
    );
    const server = home(
      reply(flows.searchFlows, ({ query }) =>
        query.get('filters[namespace][NOT_EQUALS]') === 'tutorial'
          ? { results: [], total: others }
          : { results: ofTutorial, total },
      ),
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    );
    const { href } = renderAt('/dashboards');
    await waitFor(() => expect(server.to(flows.searchFlows).length).toBeGreaterThan(1));
    await waitFor(() => expect(href()).toBe(expected));
  });

  it('S1-2.1.42 S1-2.1.43 S1-7.4 asks once for the first ten flows and executions', async () => {
    const server = home();
    renderAt('/dashboards');
    await waitFor(() =>
      expect(server.to(flows.searchFlows)[0]?.query.toString()).toBe('size=10&sort=id%3Aasc'),
    );
    const asks = () =>
      server.to(executions.searchExecutions).filter(({ query }) => query.toString() === 'size=10').length;
    await screen.findByText('No space left');
    expect([server.to(flows.searchFlows).length, asks()]).toEqual([1, 1]);
  });
});

describe('dashboards of one’s own', () => {
  it('S2-2.18 S2-3.12 shows the charts over the dashboard’s own time', async () => {
    const server = home(reply(dashboards.getChartData, () => ({ results: [{ flow: 'nightly' }], total: 1 })));
    renderAt('/dashboards/mine');
    await screen.findByRole('table', { name: 'Open work' });
    await screen.findByText('nightly');
    const body = JSON.parse(String(server.to(dashboards.getChartData)[0]?.body)) as Record<string, string>;
    const days = (Date.parse(body.endDate!) - Date.parse(body.startDate!)) / 86_400_000;
    expect(days).toBeCloseTo(7);
  });

  it('draws the description of a flow that a Markdown chart names', async () => {
    const described = {
      id: 'about',
      type: 'core.dashboard.chart.Markdown',
      chartOptions: { displayName: 'About' },
      source: { type: 'FlowDescription', namespace: 'shop.orders', flowId: 'nightly' },
    };
    const server = home(
      reply(dashboards.getDashboard, () => ({ ...aDashboard, charts: [described] })),
      reply(dashboards.getChartData, () => ({
        results: [{ description: '# Loads the *orders*' }],
        total: 1,
      })),
    );
    renderAt('/dashboards/mine');
    const heading = await screen.findByRole('heading', { name: 'Loads the orders' });
    expect(heading.querySelector('em')?.textContent).toBe('orders');
    expect(server.to(dashboards.getChartData)).toHaveLength(1);
  });

  it('S2-6.3 says when a widget may not be seen', async () => {
    home(reply(dashboards.getChartData, () => failure(403, { message: 'Forbidden' })));
    renderAt('/dashboards/mine');
    await screen.findByText("You don't have the necessary permissions to view this widget");
  });

  it('S2-3.12 marks a dashboard that cannot be read in the list of them, with the reason', async () => {
    const broken = { ...aDashboard, id: 'broken', title: 'Broken', charts: [], exception: 'charts: no list' };
    home(reply(dashboards.listDashboards, () => ({ results: [aDashboard, broken], total: 2 })));
    const { user } = renderAt('/dashboards');
    await user.click(await screen.findByRole('button', { name: 'Dashboards' }));
    const item = await screen.findByRole('menuitem', { name: /^Broken/ });
    within(item).getByRole('img', { name: 'charts: no list' });
    expect(within(screen.getByRole('menuitem', { name: /^Mine/ })).queryByRole('img')).toBeNull();
  });

  it('S1-2.1.7 edits the source with its problems beside it, and saves it', async () => {
    const server = home(
      reply(dashboards.validateDashboard, () => ({
        constraints: 'charts: must have one entry',
        violations: [{ path: 'charts', message: 'must have one entry' }],
        index: 0,
        outdated: false,
      })),
      reply(dashboards.updateDashboard, () => aDashboard),
    );
    const { user } = renderAt('/dashboards/mine/edit');
    const source = await screen.findByLabelText('Source of the dashboard');
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.type(source, '# more');
    await screen.findByText('charts: must have one entry');
    await user.click(save);
    await screen.findByText('Mine is saved');
    expect(server.to(dashboards.updateDashboard)[0]?.body).toContain('# more');
  });

  it('S1-2.1.6 a new one whose blueprint cannot be read says so and offers another try', async () => {
    let isBroken = true;
    home(
      reply(blueprints.getBlueprintSource, () =>
        isBroken ? failure(500, { message: 'Internal Server Error: no disk' }) : 'title: Of a blueprint',
      ),
      reply(dashboards.validateDashboard, () => ({ index: 0, outdated: false })),
    );
    const { user } = renderAt('/dashboards/new?blueprintId=sales');
    const broken = within(await screen.findByRole('main'));
    await broken.findByText(/no disk/);
    expect(screen.queryByLabelText('Source of the dashboard')).toBeNull();
    isBroken = false;
    await user.click(broken.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Source of the dashboard')).toHaveProperty(
      'value',
      'title: Of a blueprint',
    );
  });

  it('S1-2.1.6 a new one begins with an example and not as a dashboard called "new"', async () => {
    home(
      reply(dashboards.validateDashboard, () => ({ index: 0, outdated: false })),
      reply(dashboards.previewChart, () => ({ results: [], total: 0 })),
    );
    renderAt('/dashboards/new');
    expect(await screen.findByLabelText('Source of the dashboard')).toHaveProperty(
      'value',
      expect.stringContaining('title: My dashboard'),
    );
    await screen.findByRole('region', { name: 'In progress' });
  });
});

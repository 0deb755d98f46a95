import { executions, flows, stats } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { anExecution } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('../../features/executions/list/ExecutionListPage.tsx')));

const rows = ['FAILED', 'SUCCESS', 'RUNNING'].map((state, index) =>
  anExecution({ id: `exec${index}`, state: state as 'FAILED' }),
);
const serve = (results = rows) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders', 'bank']),
    reply(executions.searchExecutions, () => ({ results, total: results.length })),
    reply(stats.getDailyExecutions, () => []),
  );
const lastQuery = (server: ReturnType<typeof serve>) => server.to(executions.searchExecutions).at(-1)!.query;

describe('filters', () => {
  it('reads plain and full names of a shared link and sends what they mean', async () => {
    const server = serve();
    renderAt('/executions?namespace=shop&filters[state][NOT_IN]=FAILED,KILLED&labels=team:data');
    await screen.findByRole('button', { name: 'Namespace starts with shop' });
    screen.getByRole('button', { name: 'State is none of Failed, Killed' });
    screen.getByRole('button', { name: 'Labels is team:data' });
    const query = lastQuery(server);
    expect(query.get('namespace')).toBe('shop');
    expect(query.get('filters[state][NOT_IN]')).toBe('FAILED,KILLED');
    expect(query.get('labels')).toBe('team:data');
  });

  it('S1-5.24 S2-5.10 a label is added as key:value only, and goes into the address', async () => {
    serve();
    const { user, href } = renderAt('/executions?page=2');
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Labels' }));
    const box = await screen.findByRole('textbox', { name: 'Labels' });
    await user.type(box, 'team{Enter}');
    await screen.findByText('Write it as key:value, without spaces in the key.');
    await user.type(box, ':data{Enter}');
    await waitFor(() => expect(href()).toBe('/executions?labels=team%3Adata'));
  });

  it('S2-3.10 S2-3.19 offers scope and who started it, and takes a condition away again', async () => {
    const server = serve();
    const { user, href } = renderAt('/executions?childFilter=MAIN&scope=SYSTEM');
    await screen.findByRole('button', { name: 'Scope is System flows' });
    expect(lastQuery(server).get('childFilter')).toBe('MAIN');
    await user.click(screen.getByRole('button', { name: 'Remove Started by' }));
    await waitFor(() => expect(href()).toBe('/executions?scope=SYSTEM'));
  });

  it('S1-9.5 a usual range is one press away', async () => {
    const server = serve();
    const { user, href } = renderAt('/executions');
    await user.click(await screen.findByRole('button', { name: 'Time range: Last 30 days' }));
    await user.click(await screen.findByRole('button', { name: 'Last 48 hours' }));
    await waitFor(() => expect(href()).toBe('/executions?timeRange=PT48H'));
    await waitFor(() => expect(lastQuery(server).get('timeRange')).toBe('PT48H'));
  });

  it('a day of the calendar is one press away, as two dates', async () => {
    localStorage.setItem('timezone', 'Asia/Tokyo');
    serve();
    const { user, router } = renderAt('/executions?timeRange=P7D');
    await user.click(await screen.findByRole('button', { name: 'Time range: Last 7 days' }));
    await user.click(await screen.findByText('Yesterday', {}, { timeout: 60_000 }));
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('timeRange'));
    const { startDate, endDate } = router.state.location.search as Record<string, string>;
    expect(startDate).toMatch(/T15:00:00\.000Z$/);
    expect(Date.parse(endDate!) - Date.parse(startDate!)).toBe(86_399_000);
  });

  it('a page that is gone since its link was made becomes the last one', async () => {
    const total = 12;
    fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(executions.searchExecutions, ({ query }) => ({
        results: query.get('page') === '2' ? rows.slice(0, 2) : [],
        total,
      })),
      reply(stats.getDailyExecutions, () => []),
    );
    const { href } = renderAt('/executions?page=9&size=10&state=FAILED');
    await screen.findByText('11–12 of 12');
    expect(href()).toBe('/executions?page=2&size=10&state=FAILED');
  });

  it('two dates of a link are a range, and then nothing refreshes by itself', async () => {
    const server = serve();
    renderAt('/executions?startDate=2026-03-01T00:00:00Z&endDate=2026-03-02T00:00:00Z&timeRange=P7D');
    await screen.findByText('1–3 of 3');
    expect(lastQuery(server).get('timeRange')).toBeNull();
    expect(lastQuery(server).get('endDate')).toBe('2026-03-02T00:00:00Z');
    expect(screen.queryByRole('button', { name: /automatically/ })).toBeNull();
  });

  it('S2-2s.2 a list without any wish begins in the default namespace', async () => {
    localStorage.setItem('defaultNamespace', 'bank');
    serve();
    const { href } = renderAt('/executions');
    await waitFor(() => expect(href()).toBe('/executions?namespace=bank'));
  });

  it('a list that is opened by a link shows what it showed last; back and a shared link show their own address', async () => {
    serve();
    const { router, href } = renderAt('/executions');
    await screen.findByText('1–3 of 3');
    const open = (to: '/{-$tenant}/settings' | '/{-$tenant}/executions', search = {}) =>
      router.navigate({ to, search });
    await open('/{-$tenant}/executions', { state: ['FAILED'], page: 2 });
    await open('/{-$tenant}/settings');
    await open('/{-$tenant}/executions');
    await waitFor(() => expect(href()).toBe('/executions?state=FAILED&page=2'));
    // The entry that was opened without a wish, before the filter, is not narrowed by what came after it.
    for (const expected of ['/settings', '/executions?state=FAILED&page=2', '/executions']) {
      router.history.back();
      await waitFor(() => expect(href()).toBe(expected));
    }
    await open('/{-$tenant}/settings');
    await open('/{-$tenant}/executions');
    await screen.findByText('1–3 of 3');
    // It was cleared by going back to where nothing was asked for, and that is what is remembered.
    expect(href()).toBe('/executions');
  });
});

describe('saved searches', () => {
  it('S2-5.11 an empty search cannot be saved', async () => {
    serve();
    const { user } = renderAt('/executions');
    await user.click(await screen.findByRole('button', { name: 'Saved searches' }));
    const item = await screen.findByRole('menuitem', { name: 'Save this search…' });
    expect(item.hasAttribute('disabled')).toBe(true);
  });

  it('S2-3.16 a search is saved under a label, applied and deleted', async () => {
    serve();
    const { user, href } = renderAt('/executions?state=FAILED&q=night');
    await user.click(await screen.findByRole('button', { name: 'Saved searches' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Save this search…' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Broken nights{Enter}');
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!);
    await waitFor(() => expect(href()).toBe('/executions'));
    await user.click(screen.getByRole('button', { name: 'Saved searches' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Broken nights' }));
    await waitFor(() => expect(href()).toBe('/executions?q=night&state=FAILED'));
    expect(localStorage.getItem('saved__executions')).toContain('"label":"Broken nights"');
    await user.click(screen.getByRole('button', { name: 'Saved searches' }));
    await user.click(await screen.findByRole('button', { name: 'Delete the search Broken nights' }));
    expect(localStorage.getItem('saved__executions')).toBeNull();
  });
});

describe('rows', () => {
  it('are walked through and selected by keyboard', async () => {
    serve();
    const { user } = renderAt('/executions');
    await screen.findByText('1–3 of 3');
    const table = document.querySelectorAll<HTMLElement>('tr[data-row]');
    table[0]!.focus();
    await user.keyboard(' ');
    await screen.findByText('1 selected');
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await screen.findByText('2 selected');
    expect(document.activeElement).toBe(table[1]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
    await user.keyboard('{Control>}a{/Control}');
    await screen.findByText('3 selected');
  });

  it('a column that is taken away stays away, and comes back with a reset', async () => {
    localStorage.setItem('columns:executions', 'state,id,flow,actions');
    serve();
    const { user } = renderAt('/executions');
    await screen.findByText('1–3 of 3');
    expect(screen.queryByRole('columnheader', { name: 'Duration' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Reset columns' }));
    await screen.findByRole('columnheader', { name: 'Duration' });
    expect(localStorage.getItem('columns:executions')).toBeNull();
  });

  it('a list that could not be read says why and tries again', async () => {
    let isBroken = true;
    fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(executions.searchExecutions, () =>
        isBroken
          ? failure(422, { message: 'Illegal argument: "X" is not a state' })
          : { results: rows, total: 3 },
      ),
    );
    const { user } = renderAt('/executions');
    await screen.findAllByText(/"X" is not a state/);
    // Found before the server recovers: the list also refreshes by itself. The toast may come first.
    const again = await screen.findByRole('button', { name: 'Try again' });
    isBroken = false;
    await user.click(again);
    await screen.findByText('1–3 of 3');
  });

  it('a chart that cannot be had says why and can be asked for again', async () => {
    let isBroken = true;
    fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(executions.searchExecutions, () => ({ results: rows, total: 3 })),
      reply(stats.getDailyExecutions, () =>
        isBroken ? failure(422, { message: 'The window is too wide.' }) : [],
      ),
    );
    const { user } = renderAt('/executions');
    await screen.findByText('The window is too wide.');
    expect(screen.queryByRole('list', { name: 'Executions over time, by state' })).toBeNull();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Nothing ran in this time.');
    expect(screen.queryByText('The window is too wide.')).toBeNull();
  });

  it('the chart above them counts states, and a bar narrows the list to its time', async () => {
    fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(executions.searchExecutions, () => ({ results: rows, total: 3 })),
      reply(stats.getDailyExecutions, () => [
        {
          startDate: '2026-03-01T00:00:00.000Z',
          groupBy: 'day' as const,
          duration: { count: 3 },
          executionCounts: { SUCCESS: 2, FAILED: 1 },
        },
      ]),
    );
    const { user, href } = renderAt('/executions');
    const chart = within(await screen.findByRole('list', { name: 'Executions over time, by state' }));
    await user.click(await chart.findByRole('button', { name: /Success 2, Failed 1/ }));
    await waitFor(() => expect(href()).toContain('startDate=2026-03-01T00%3A00%3A00.000Z'));
    expect(href()).toContain('endDate=2026-03-02T00%3A00%3A00.000Z');
  });

  it('A-10.5 come before the chart in the tab order, and the chart is one stop', async () => {
    const day = (date: string) => ({
      startDate: `2026-03-0${date}T00:00:00.000Z`,
      groupBy: 'day' as const,
      duration: { count: 1 },
      executionCounts: { SUCCESS: 1 },
    });
    fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(executions.searchExecutions, () => ({ results: rows, total: 3 })),
      reply(stats.getDailyExecutions, () => ['1', '2', '3'].map(day)),
    );
    const { user } = renderAt('/executions');
    const chart = within(await screen.findByRole('list', { name: 'Executions over time, by state' }));
    const [first, , last] = await chart.findAllByRole('button');
    await screen.findByText('1–3 of 3');
    const row = document.querySelector('tr[data-row]');
    expect(row!.compareDocumentPosition(first!) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    first!.focus();
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(document.activeElement).toBe(last);
    expect(chart.getAllByRole('button').map((bar) => bar.tabIndex)).toEqual([-1, -1, 0]);
    await user.keyboard('{Home}');
    expect(document.activeElement).toBe(first);
  });
});

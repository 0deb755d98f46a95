import { executions, flowParts, flows, product, stats, triggers } from '@millrace/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, aFlowWithSource } from '../testing/factories.ts';
import { aConfiguration, failure, fakeServer, reply } from '../testing/fakeServer.ts';
import { renderAt } from '../testing/renderAt.tsx';

const listing = [
  reply(flows.searchFlows, () => ({ results: [aFlow()], total: 1 })),
  reply(flows.listNamespaces, () => ['shop.orders']),
  reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
];

const menu = () => screen.findByRole('navigation', { name: 'Main menu' });

describe('start', () => {
  beforeEach(() => {
    document.body.innerHTML = '<div id="loader"></div><div id="app" hidden></div>';
  });

  it('S1-1.16 S1-1.17 S1-2.1.38 hides the app behind the loader until the configuration is there', async () => {
    let arrive = () => {};
    const waiting = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    fakeServer(
      ...listing,
      reply(product.getConfiguration, async () => {
        await waiting;
        return aConfiguration();
      }),
    );
    renderAt('/flows');
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(document.getElementById('loader')?.hidden).toBe(false);
    expect(document.getElementById('app')?.hidden).toBe(true);
    arrive();
    await menu();
    expect(document.getElementById('loader')?.hidden).toBe(true);
    expect(document.getElementById('app')?.hidden).toBe(false);
  });

  it('says so when the server refuses, and tries again when asked', async () => {
    let isUp = false;
    fakeServer(
      ...listing,
      reply(product.getConfiguration, () => (isUp ? aConfiguration() : failure(500))),
    );
    const { user } = renderAt('/flows');
    await screen.findByText('The server does not respond');
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await menu();
  });
});

describe('a server without authentication', () => {
  it('S1-1.21 S1-1.22 S2-6.1 requires no login, and no action is missing', async () => {
    fakeServer(...listing);
    const { href } = renderAt('/flows');
    const row = within(await screen.findByRole('row', { name: /nightly/ }));
    expect(href()).toBe('/flows');
    for (const action of ['Create flow', 'Search sources']) screen.getByRole('link', { name: action });
    screen.getByRole('button', { name: 'Import' });
    row.getByRole('button', { name: /Execute/ });
    row.getByRole('checkbox');
  });

  it('S1-1.9 a flow shows its namespace, its tasks and its triggers under those names', async () => {
    const flow = aFlowWithSource({
      triggers: [{ id: 'every_night', type: 'core.trigger.Schedule' }],
    });
    fakeServer(
      ...listing,
      reply(flows.getFlow, () => flow),
      reply(flowParts.getFlowDependencies, () => ({ nodes: [], edges: [] })),
      reply(triggers.searchTriggers, () => ({ results: [], total: 0 })),
      reply(stats.getDailyExecutions, () => []),
    );
    renderAt('/flows/edit/shop.orders/nightly/overview');
    const shownAs = async (name: string) =>
      (await screen.findByText(name, { selector: 'dt' })).nextElementSibling?.textContent;
    expect(await shownAs('Namespace')).toBe('shop.orders');
    expect(await shownAs('Tasks')).toContain(flow.tasks[0]?.id);
    expect(await shownAs('Triggers')).toContain('every_night');
  });
});

describe('routes', () => {
  it.each(['/flows', '/main/flows'])('S1-2.1.1 S1-2.1.8 %s shows the flow list', async (url) => {
    fakeServer(...listing);
    renderAt(url);
    expect(await screen.findByRole('heading', { name: 'Flows' })).toBeTruthy();
    await screen.findByRole('link', { name: 'nightly' });
  });

  it('S1-2.1.1 keeps the tenant in links and calls', async () => {
    const server = fakeServer(...listing);
    renderAt('/main/flows');
    const link = await screen.findByRole('link', { name: 'nightly' });
    expect(link.getAttribute('href')).toBe('/main/flows/edit/shop.orders/nightly');
    expect(server.to(flows.searchFlows)[0]?.path).toBe('/api/v1/main/flows/search');
  });

  it('S1-2.1.12 /executions shows the execution list', async () => {
    fakeServer(...listing);
    renderAt('/executions');
    expect(await screen.findByRole('heading', { name: 'Executions' })).toBeTruthy();
  });

  it.each(['/nope', '/nope/flows', '/executions/flows', '/main/nope', '/nope/x/y'])(
    'S1-2.1.3 S1-8.13 S1-8.14 the unknown path %s shows the 404 page beside the menu',
    async (url) => {
      fakeServer(...listing);
      renderAt(url);
      expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeTruthy();
      expect(screen.getByText('The requested URL was not found on this server.')).toBeTruthy();
      const links = [
        ...within(await menu()).getAllByRole('link'),
        screen.getByRole('link', { name: 'Back to the start' }),
      ];
      for (const link of links) expect(link.getAttribute('href')).not.toMatch(/^\/nope/);
    },
  );

  it('S1-2.1.40 carries showDocId on to the next page', async () => {
    fakeServer(...listing);
    const { user, href } = renderAt('/flows?showDocId');
    await user.click(within(await menu()).getByRole('link', { name: 'Executions' }));
    await screen.findByRole('heading', { name: 'Executions' });
    expect(href()).toContain('showDocId=true');
  });

  it('S1-2.1.39 S1-8.3 S1-8.14 a 404 of the API replaces the page until the next navigation', async () => {
    fakeServer(...listing);
    const { user } = renderAt('/executions/shop/nightly/gone');
    await screen.findByText('The flow or execution you are looking for does not exist.');
    await user.click(within(await menu()).getByRole('link', { name: 'Flows' }));
    await screen.findByRole('link', { name: 'nightly' });
  });
});

it('S1-8.14 what is neither a flow nor an execution and is gone is not called one', async () => {
  fakeServer(...listing);
  renderAt('/plugins/core.Nope');
  await screen.findByText('The requested URL was not found on this server.');
});

it('S1-2.4.6 S1-1.18 the theme switch changes the theme at once and stores it', async () => {
  localStorage.setItem('theme', 'dark');
  fakeServer(...listing);
  const { user } = renderAt('/flows');
  const button = await screen.findByRole('button', { name: 'Light theme' });
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  await user.click(button);
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('light');
  expect(localStorage.getItem('theme')).toBe('light');
});

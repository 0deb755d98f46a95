import { executions, flowParts, flows, stats } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { writeSetting } from '../../storage/settings.ts';
import { aFlow, aFlowWithSource } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The pages are large: their first load is not part of a test's time.
beforeAll(async () => {
  await Promise.all([import('./list/FlowListPage.tsx'), import('./page/FlowPage.tsx')]);
}, 180_000);

const listing = (rows = [aFlow()]) => [
  reply(flows.searchFlows, () => ({ results: rows, total: rows.length })),
  reply(flows.listNamespaces, () => ['shop.orders']),
  reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
];
const saved = aFlowWithSource();
const reading = reply(flows.getFlow, () => saved);

describe('flow list', () => {
  it('S2-7f.2 sorts on the server and keeps the order in the address', async () => {
    const server = fakeServer(...listing());
    const { user, href } = renderAt('/flows');
    await screen.findByRole('link', { name: 'nightly' });
    expect(server.to(flows.searchFlows)[0]?.query.get('sort')).toBe('id:asc');
    const header = within(screen.getByRole('columnheader', { name: 'Namespace' }));
    await user.click(header.getByRole('button'));
    await user.click(header.getByRole('button'));
    await waitFor(() =>
      expect(server.to(flows.searchFlows).at(-1)?.query.get('sort')).toBe('namespace:desc'),
    );
    expect(href()).toBe('/flows?sort=namespace%3Adesc');
  });

  it('marks flows for which a plugin is missing, and says which on their page', async () => {
    const flow = aFlow({ disabled: true, unknownTypes: ['acme.Later'], tasks: [] });
    fakeServer(
      ...listing([flow]),
      reply(flows.getFlow, () => ({ ...flow, source: saved.source })),
    );
    const { user } = renderAt('/flows');
    expect((await screen.findByText('Plugin missing')).title).toBe('acme.Later');
    await user.click(screen.getByText('nightly'));
    await screen.findByText(/No plugin provides acme\.Later/);
  });

  it('filters by the text in the address and forgets the page when the text changes', async () => {
    const server = fakeServer(...listing());
    const { user, href } = renderAt('/flows?q=night&page=3');
    const box = await screen.findByRole('searchbox', { name: 'Search flows' });
    expect(box).toHaveProperty('value', 'night');
    expect(server.to(flows.searchFlows)[0]?.query.get('page')).toBe('3');
    await user.type(box, 'ly{Enter}');
    await waitFor(() => expect(href()).toBe('/flows?q=nightly'));
  });

  it('the chart above counts the executions of the last thirty days of what the list shows', async () => {
    const server = fakeServer(
      ...listing(),
      reply(stats.getDailyExecutions, () => [
        {
          startDate: '2026-03-01T00:00:00Z',
          groupBy: 'day' as const,
          duration: { count: 3 },
          executionCounts: { SUCCESS: 3 },
        },
      ]),
    );
    const { user, href } = renderAt('/flows?namespace=shop');
    const [bar] = await screen.findAllByLabelText(/Success 3$/);
    // The Tab key reaches the rows before the bars of the chart.
    const table = await screen.findByRole('table');
    expect(table.compareDocumentPosition(bar!) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    const { body } = server.to(stats.getDailyExecutions)[0]!;
    const { startDate, endDate, namespace } = JSON.parse(String(body));
    expect(namespace).toBe('shop');
    expect(Date.parse(endDate) - Date.parse(startDate)).toBe(30 * 86_400_000);
    await user.click(bar!);
    await waitFor(() => expect(href()).toMatch(/^\/executions\?.*namespace=shop.*startDate=2026-03-01/));
  });

  it('an empty list offers to create the first flow', async () => {
    fakeServer(...listing([]));
    renderAt('/flows');
    const link = await screen.findByRole('link', { name: 'Create your first flow' });
    expect(link.getAttribute('href')).toBe('/flows/new');
  });

  it('a list that its filters emptied offers to clear them', async () => {
    fakeServer(...listing([]));
    const { user, href } = renderAt('/flows?namespace=none');
    await screen.findByText('Nothing matches these filters');
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!);
    await waitFor(() => expect(href()).toBe('/flows'));
  });

  it('a dropped value in the address is ignored', async () => {
    fakeServer(...listing());
    renderAt('/flows?page=many&sort=nonsense');
    await screen.findByRole('link', { name: 'nightly' });
  });
});

it('S2-2s.9 a flow opens on the tab that the settings name', async () => {
  writeSetting('flowTab', 'edit');
  fakeServer(...listing());
  renderAt('/flows');
  const link = (await screen.findByText('nightly')).closest('a');
  expect(link?.getAttribute('href')).toBe('/flows/edit/shop.orders/nightly/edit');
});

describe('flow page', () => {
  it('S1-2.1.11 opens at the tab in its address', async () => {
    fakeServer(...listing(), reading);
    renderAt('/flows/edit/shop.orders/nightly/edit');
    const editor = await screen.findByLabelText('source');
    expect(editor).toHaveProperty('value', saved.source);
    const tab = within(screen.getByRole('navigation', { name: 'Views of this flow' })).getByRole('link', {
      name: 'Edit',
    });
    expect(tab.getAttribute('aria-current')).toBe('page');
  });

  it('calls the editor by its older name too', async () => {
    fakeServer(...listing(), reading);
    const { href } = renderAt('/flows/edit/shop.orders/nightly/editor');
    await screen.findByLabelText('source');
    expect(href()).toBe('/flows/edit/shop.orders/nightly/edit');
  });

  it('S1-1.1 S2-7f.6 saves the exact text', async () => {
    const server = fakeServer(
      ...listing(),
      reading,
      reply(flows.updateFlow, ({ body }) => ({ ...saved, revision: 2, source: String(body) })),
      reply(flows.listRevisions, () => []),
    );
    const { user } = renderAt('/flows/edit/shop.orders/nightly/edit');
    await user.type(await screen.findByLabelText('source'), '# note');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved nightly, revision 2');
    expect(server.to(flows.updateFlow)[0]?.body).toBe(`${saved.source}# note`);
  });

  it('S1-4.26 S1-4.27 S1-8.15 asks before leaving with unsaved changes, keeps them as a draft, and forgets them when that is discarded', async () => {
    fakeServer(...listing(), reading);
    const { user, href } = renderAt('/flows/edit/shop.orders/nightly/edit');
    await user.type(await screen.findByLabelText('source'), '# note');
    const tabs = within(screen.getByRole('navigation', { name: 'Views of this flow' }));
    await user.click(tabs.getByRole('link', { name: 'Overview' }));
    await screen.findByText(/They are kept as a draft in this browser/);
    await user.click(screen.getByRole('button', { name: 'Stay' }));
    expect(href()).toBe('/flows/edit/shop.orders/nightly/edit');
    await user.click(tabs.getByRole('link', { name: 'Overview' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(href()).toBe('/flows/edit/shop.orders/nightly'));
    await user.click(tabs.getByRole('link', { name: 'Edit' }));
    expect(await screen.findByLabelText('source')).toHaveProperty('value', `${saved.source}# note`);
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByLabelText('source')).toHaveProperty('value', saved.source);
    await user.click(tabs.getByRole('link', { name: 'Overview' }));
    await waitFor(() => expect(href()).toBe('/flows/edit/shop.orders/nightly'));
  });

  it.each([
    ['deleted', { deleted: true }],
    ['labelled', { labels: [{ key: 'system.readOnly', value: 'true' }] }],
  ])('S2-4f.5 S2-3.20 a %s flow is read-only', async (_, changes) => {
    fakeServer(
      ...listing(),
      reply(flows.getFlow, () => aFlowWithSource(changes)),
    );
    renderAt('/flows/edit/shop.orders/nightly/edit');
    expect(await screen.findByLabelText('source')).toHaveProperty('readOnly', true);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('S2-7f.9 deletes after asking and returns to the list', async () => {
    const server = fakeServer(
      ...listing(),
      reading,
      reply(flows.deleteFlow, () => undefined),
      reply(flowParts.getFlowDependencies, () => ({
        nodes: ['caller', 'nightly', 'called', 'waiter'].map((id) => ({
          uid: id,
          namespace: 'shop.orders',
          id,
        })),
        edges: [
          { source: 'caller', target: 'nightly', relation: 'FLOW_TASK' as const },
          { source: 'nightly', target: 'called', relation: 'FLOW_TASK' as const },
          { source: 'nightly', target: 'waiter', relation: 'FLOW_TRIGGER' as const },
        ],
      })),
    );
    const { user, href } = renderAt('/flows/edit/shop.orders/nightly');
    await screen.findByText('This flow has not run yet');
    await user.click(screen.getByRole('button', { name: 'More actions for nightly' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    expect(server.to(flows.deleteFlow)).toHaveLength(0);
    const warning = await screen.findByText(/2 other flows run this flow or wait for it:/);
    expect(within(warning).getAllByRole('listitem').map(textOf)).toEqual([
      'shop.orders.caller',
      'shop.orders.waiter',
    ]);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(href()).toBe('/flows'));
    expect(server.to(flows.deleteFlow)).toHaveLength(1);
  });

  it('hands out its source: to the clipboard, as a file, and as a new flow', async () => {
    fakeServer(...listing(), reading);
    const { user, href } = renderAt('/flows/edit/shop.orders/nightly');
    await screen.findByText('This flow has not run yet');
    const choose = async (name: string) => {
      await user.click(screen.getByRole('button', { name: 'More actions for nightly' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await choose('Copy source');
    await screen.findByText('The source of nightly is in the clipboard');
    expect(await navigator.clipboard.readText()).toBe(saved.source);
    URL.createObjectURL = vi.fn(() => 'blob:flow');
    URL.revokeObjectURL = vi.fn();
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await choose('Export as YAML');
    expect(names).toEqual(['shop.orders.nightly.yaml']);
    vi.mocked(HTMLAnchorElement.prototype.click).mockRestore();
    await choose('Duplicate');
    await waitFor(() => expect(href()).toBe('/flows/new?copyOf=shop.orders%2Fnightly'));
    expect(await screen.findByLabelText('source')).toHaveProperty(
      'value',
      'id: nightly-copy\nnamespace: shop.orders\ntasks: []\n',
    );
  });
});

const textOf = ({ textContent }: Element) => textContent;

it('S1-4.26 another beginning of a new flow asks before it takes the place of what was written', async () => {
  fakeServer(...listing(), reading);
  const { user, router, href } = renderAt('/flows/new');
  await user.type(await screen.findByLabelText('source'), '# mine');
  const copy = () =>
    router.navigate({ to: '/{-$tenant}/flows/new', search: { copyOf: 'shop.orders/nightly' } });
  void copy();
  await user.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(href()).toBe('/flows/new');
  expect(screen.getByLabelText('source')).toHaveProperty('value', expect.stringContaining('# mine'));
  void copy();
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() =>
    expect(screen.getByLabelText('source')).toHaveProperty('value', expect.stringContaining('nightly-copy')),
  );
});

it('a flow to copy that cannot be read is not taken for another text', async () => {
  fakeServer(
    ...listing(),
    reply(flows.getFlow, () => failure(500, { message: 'Internal Server Error: no disk' })),
  );
  renderAt('/flows/new?copyOf=shop.orders%2Fnightly');
  await within(await screen.findByRole('main')).findByText(/no disk/);
  expect(screen.queryByLabelText('source')).toBeNull();
});

it('S2-7f.8 S1-2.1.10 a new flow is sent as it is and opens in the editor', async () => {
  const server = fakeServer(
    ...listing(),
    reading,
    reply(flows.createFlow, () => saved),
    reply(flows.listRevisions, () => []),
  );
  const { user, href } = renderAt('/flows/new?namespace=shop.orders');
  const editor = await screen.findByLabelText('source');
  expect(editor).toHaveProperty('value', expect.stringContaining('namespace: shop.orders'));
  await user.type(editor, '# mine');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(href()).toBe('/flows/edit/shop.orders/nightly/edit'));
  expect(server.to(flows.createFlow)[0]?.body).toMatch(/# mine$/);
});

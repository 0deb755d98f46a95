import { MantineProvider } from '@mantine/core';
import { executions, flows, product } from '@millrace/contract';
import { IconBook2 } from '@tabler/icons-react';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { writeSetting } from '../../storage/settings.ts';
import { aFlow } from '../../testing/factories.ts';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { theme } from '../../theme/theme.ts';
import { SidebarItem } from './SidebarItem.tsx';

const listing = [
  reply(flows.searchFlows, () => ({ results: [aFlow()], total: 1 })),
  reply(flows.listNamespaces, () => ['shop.orders']),
  reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
];

const menu = () => screen.findByRole('navigation', { name: 'Main menu' });

const staging = reply(product.getConfiguration, () =>
  aConfiguration({ environment: { name: 'staging', color: '#123456' } }),
);

describe('sidebar', () => {
  it('S1-1.11 S1-2.3.3 S1-3.14 S1-4.10 S2-2s.21 remembers that it is collapsed', async () => {
    fakeServer(...listing);
    const { user, unmount } = renderAt('/flows');
    await user.click(await screen.findByRole('button', { name: 'Collapse the menu' }));
    expect(localStorage.getItem('menuCollapsed')).toBe('true');
    unmount();
    renderAt('/flows');
    expect(await screen.findByRole('button', { name: 'Expand the menu' })).toBeTruthy();
  });

  it('S1-2.3.9 S1-2.3.10 disables the entry of the page itself and marks the section of a page below it', async () => {
    fakeServer(...listing);
    const { router } = renderAt('/flows');
    const entry = within(await menu())
      .getByText('Flows')
      .closest('a');
    expect(entry?.getAttribute('aria-disabled')).toBe('true');
    expect(entry?.hasAttribute('href')).toBe(false);
    await router.navigate({
      to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
      params: { namespace: 'shop.orders', id: 'nightly' },
      search: {},
    });
    await waitFor(async () => {
      const link = within(await menu()).getByRole('link', { name: 'Flows' });
      expect(link.getAttribute('aria-current')).toBe('page');
      expect(link.getAttribute('href')).toBe('/flows');
    });
  });

  it('A-10.3 A-10.4 lists what is used most first; templates are reached through the settings and the palette', async () => {
    fakeServer(
      ...listing,
      reply(product.getConfiguration, () => aConfiguration({ isTemplateEnabled: true })),
    );
    renderAt('/settings');
    const names = within(await menu())
      .getAllByRole('link')
      .map((link) => link.textContent);
    expect(names.slice(0, 5)).toEqual(['Millrace', 'Dashboards', 'Inbox', 'Flows', 'Executions']);
    expect(names).not.toContain('Templates');
    const link = await screen.findByRole('link', { name: 'Open templates (deprecated)' });
    expect(link.getAttribute('href')).toBe('/templates');
  });

  it('S1-2.3.10 a group is open where one of its pages is, and can be shut', async () => {
    fakeServer(...listing);
    const { user } = renderAt('/admin/iam');
    const group = within(await menu()).getByRole('button', { name: 'Administration' });
    expect(group.getAttribute('aria-expanded')).toBe('true');
    await user.click(group);
    expect(group.getAttribute('aria-expanded')).toBe('false');
    expect(within(await menu()).queryByText('Triggers')).toBeNull();
    await user.click(group);
    expect(within(await menu()).getByText('Triggers')).toBeTruthy();
  });

  it('S1-2.3.12 S1-3.9 an entry that leads out of the product is a plain anchor', async () => {
    const entry = <SidebarItem label="Forum" icon={IconBook2} href="https://forum.example.com" isExternal />;
    render(<MantineProvider theme={theme}>{entry}</MantineProvider>);
    const link = screen.getByRole('link', { name: 'Forum' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
      'https://forum.example.com',
      '_blank',
    ]);
  });

  it('S1-2.1.52 the logo leads home', async () => {
    fakeServer(...listing);
    const { user, href } = renderAt('/admin/iam');
    await user.click(await screen.findByRole('link', { name: 'Millrace' }));
    await waitFor(() => expect(href()).toBe('/dashboards'));
  });

  it('S1-2.3.13 no entry has a bubble of the browser', async () => {
    fakeServer(...listing);
    renderAt('/flows');
    expect((await menu()).querySelectorAll('[title]')).toHaveLength(0);
  });

  it('S1-2.3.4 S1-1.13 S1-1.19 S1-3.4 S2-2s.15 S2-2s.16 S2-2s.22 shows the environment and puts its name behind the title', async () => {
    fakeServer(...listing, staging);
    renderAt('/flows');
    const badge = within(await menu()).getByText('staging');
    expect(badge.style.getPropertyValue('--environment')).toBe('#123456');
    await waitFor(() => expect(document.title).toBe('Flows | Millrace - staging'));
  });

  it('S1-1.20 follows another name of the environment at once', async () => {
    fakeServer(...listing, staging);
    renderAt('/flows');
    await waitFor(() => expect(document.title).toBe('Flows | Millrace - staging'));
    act(() => writeSetting('environmentName', 'prod'));
    await waitFor(() => expect(document.title).toBe('Flows | Millrace - prod'));
    expect(within(await menu()).getByText('prod')).toBeTruthy();
  });
});

describe('bookmarks', () => {
  const stored = () => JSON.parse(localStorage.getItem('starred.bookmarks') ?? '[]') as unknown;
  const store = (...bookmarks: { path: string; label: string }[]) =>
    localStorage.setItem('starred.bookmarks', JSON.stringify(bookmarks));

  it('S1-2.3.5 S1-1.11 S1-3.2 S2-3.15 the star keeps a page with its filters, and the section appears with the first', async () => {
    fakeServer(...listing);
    const { user } = renderAt('/flows?q=night&page=2');
    expect(within(await menu()).queryByText('Bookmarks')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Add a bookmark' }));
    expect(within(await menu()).getByText('Bookmarks')).toBeTruthy();
    expect(stored()).toEqual([{ path: '/flows?q=night', label: 'Flows' }]);
    await user.click(screen.getByRole('button', { name: 'Remove the bookmark' }));
    expect(within(await menu()).queryByText('Bookmarks')).toBeNull();
  });

  it('S1-2.3.6 S1-7.6 S1-5.3 Enter saves a new name of any length', async () => {
    store({ path: '/executions', label: 'Runs' });
    fakeServer(...listing);
    const { user } = renderAt('/flows');
    await user.click(await screen.findByRole('button', { name: 'Rename the bookmark Runs' }));
    const field = screen.getByRole('textbox', { name: 'Name of the bookmark' });
    expect(document.activeElement).toBe(field);
    const long = 'x'.repeat(300);
    await user.clear(field);
    await user.paste(long);
    await user.keyboard('{Enter}');
    expect(stored()).toEqual([{ path: '/executions', label: long }]);
    expect(
      within(await menu())
        .getByRole('link', { name: long })
        .getAttribute('href'),
    ).toBe('/executions');
  });

  it('S1-2.3.6 S1-2.3.8 can be renamed and removed beside the collapsed menu', async () => {
    localStorage.setItem('menuCollapsed', 'true');
    store({ path: '/executions', label: 'Runs' });
    fakeServer(...listing);
    const { user } = renderAt('/flows');
    await user.click(await screen.findByRole('button', { name: 'Bookmarks', expanded: false }));
    await user.click(await screen.findByRole('button', { name: 'Rename the bookmark Runs' }));
    await user.keyboard('Night{Enter}');
    expect(stored()).toEqual([{ path: '/executions', label: 'Night' }]);
    await user.click(screen.getByRole('button', { name: 'Remove the bookmark Night' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove the bookmark?' });
    await user.click(within(dialog).getByRole('button', { name: 'Remove the bookmark' }));
    expect(localStorage.getItem('starred.bookmarks')).toBeNull();
  });

  it('S1-2.3.7 Escape leaves the name as it was', async () => {
    store({ path: '/executions', label: 'Runs' });
    fakeServer(...listing);
    const { user } = renderAt('/flows');
    await user.click(await screen.findByRole('button', { name: 'Rename the bookmark Runs' }));
    await user.type(screen.getByRole('textbox', { name: 'Name of the bookmark' }), 'other{Escape}');
    expect(stored()).toEqual([{ path: '/executions', label: 'Runs' }]);
    expect(within(await menu()).getByRole('link', { name: 'Runs' })).toBeTruthy();
  });

  it('S1-2.3.8 S1-7.6 is removed after a question, and stays when it is declined', async () => {
    store({ path: '/executions', label: 'Runs' });
    fakeServer(...listing);
    const { user } = renderAt('/flows');
    await user.click(await screen.findByRole('button', { name: 'Remove the bookmark Runs' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(stored()).toEqual([{ path: '/executions', label: 'Runs' }]);
    await user.click(screen.getByRole('button', { name: 'Remove the bookmark Runs' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Remove the bookmark' }));
    expect(within(await menu()).queryByText('Bookmarks')).toBeNull();
    expect(localStorage.getItem('starred.bookmarks')).toBeNull();
  });
});

import { executions, flows, provider } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { aFlow, aFlowWithSource, anExecution } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { heldBack } from '../../testing/heldBack.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// Large, and loaded when first wanted: its first load is not part of a test's time.
beforeAll(async () => void (await import('./Palette.tsx')));

const server = (...routes: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(flows.searchFlows, () => ({ results: [aFlow()], total: 1 })),
    reply(flows.getFlow, () => aFlowWithSource()),
    reply(executions.searchExecutions, () => ({
      results: [anExecution({ id: '7bXnightly' }), anExecution({ id: 'nightAbC123' })],
      total: 2,
    })),
    reply(provider.searchDocs, () => [
      { parsedUrl: 'build/flows', title: 'Night flows', description: 'What a flow is', excerpt: '' },
    ]),
    ...routes,
  );

async function openPalette(url = '/admin/iam') {
  const view = renderAt(url);
  await screen.findByRole('heading', { level: 1 });
  await view.user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Jump to…' });
  const field = await screen.findByRole('combobox', { name: 'Jump to…' });
  const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  const group = (name: string) => within(screen.getByRole('group', { name }));
  return { ...view, field, options, group };
}

describe('palette', () => {
  it('opens with Ctrl+K, offers pages and actions, and closes with Escape', async () => {
    server();
    const { user, group } = await openPalette();
    expect(group('Actions').getByRole('option', { name: 'Create flow' })).toBeTruthy();
    expect(group('Pages').getByRole('option', { name: 'Executions' })).toBeTruthy();
    expect(screen.queryByRole('option', { name: /Deutsch/ })).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Jump to…' })).toBeNull());
  });

  it('opens over a code editor, which uses the same key', async () => {
    server();
    const { user } = renderAt('/flows');
    const star = await screen.findByRole('button', { name: 'Add a bookmark' });
    const taken = vi.fn((event: KeyboardEvent) => event.stopPropagation());
    star.addEventListener('keydown', taken);
    star.focus();
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('combobox', { name: 'Jump to…' });
    expect(taken.mock.calls.map(([{ key }]) => key)).toEqual(['Control']);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(star));
  });

  it('finds flows, executions by the beginning of their id, and documents, with what was typed marked', async () => {
    const calls = server();
    const { user, field, group } = await openPalette();
    await user.type(field, 'night');
    const flow = await screen.findByRole('option', { name: /^nightly shop/ });
    expect(flow.querySelector('mark')?.textContent).toBe('night');
    expect(flow.getAttribute('href')).toBe('/flows/edit/shop.orders/nightly');
    // The one whose id begins so comes first, whenever it ran.
    await screen.findByRole('option', { name: /^7bXnightly/ });
    expect(group('Executions').getAllByRole('option')[0]?.textContent).toContain('nightAbC123');
    const doc = await screen.findByRole('option', { name: /Night flows/ });
    expect(doc.getAttribute('href')).toBe('/docs/build/flows');
    // Debounced: the server was not asked for each letter.
    expect(calls.to(executions.searchExecutions).map(({ query }) => query.get('q'))).toEqual(['night']);
  });

  it('goes by the keyboard, remembers where, and offers that first the next time', async () => {
    server();
    const { user, field, href, options } = await openPalette();
    await user.type(field, 'night');
    await screen.findByRole('option', { name: /^nightly shop/ });
    await screen.findByRole('option', { name: /^7bXnightly/ });
    const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
    expect(active()?.textContent).toContain('nightly');
    await user.keyboard('{ArrowDown}');
    expect(active()?.textContent).toContain('nightAbC123');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(active()?.textContent).toContain('in logs');
    await user.keyboard('{PageDown}{Enter}');
    await waitFor(() => expect(href()).toBe('/flows/edit/shop.orders/nightly'));
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('group', { name: 'Recent' });
    expect(options()[0]).toContain('nightly');
  });

  it('Enter takes an entry for the text as typed, also while the results are held back', async () => {
    const held = heldBack();
    server(
      reply(flows.searchFlows, async ({ query }) => {
        const q = query.get('q') ?? '';
        const isWhole = q === 'nightly-b';
        if (isWhole) await held.until;
        return { results: [aFlow({ id: isWhole ? q : 'nightly-a' })], total: 1 };
      }),
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    );
    const { user, field, href } = await openPalette();
    await user.type(field, 'nightly-');
    await screen.findByRole('option', { name: /^nightly-a/ });
    await user.type(field, 'b');
    // Nothing that was found fits any more, and a better entry than a search may still arrive.
    expect(screen.queryByRole('option', { name: /^nightly-a/ })).toBeNull();
    expect(field.getAttribute('aria-activedescendant')).toBeNull();
    await user.keyboard('{Enter}');
    expect(href()).toBe('/admin/iam');
    held.release();
    await waitFor(() => expect(href()).toBe('/flows/edit/shop.orders/nightly-b'));
  });

  it('a key after an early Enter takes it back', async () => {
    const held = heldBack();
    server(
      reply(flows.searchFlows, async () => {
        await held.until;
        return { results: [aFlow()], total: 1 };
      }),
    );
    const { user, field, href } = await openPalette();
    await user.type(field, 'nightly{Enter} s');
    held.release();
    await screen.findByRole('option', { name: /^nightly shop/ });
    expect(href()).toBe('/admin/iam');
  });

  it('executes a flow that is chosen there', async () => {
    server();
    const { user, field } = await openPalette();
    await user.type(field, 'execute a{Enter}');
    await user.type(await screen.findByRole('combobox', { name: 'Which flow do you want to run?' }), 'ni');
    await user.click(await screen.findByRole('option', { name: /nightly/ }));
    await screen.findByText('Execute nightly');
  });

  it('changes the theme and the language', async () => {
    server();
    const { user, field } = await openPalette('/settings');
    await user.type(field, 'dark{Enter}');
    await waitFor(() =>
      expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark'),
    );
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Jump to…' }), 'german{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'Einstellungen' });
    expect(localStorage.getItem('lang')).toBe('de');
    await (await import('../../i18n/i18n.ts')).changeLocale('en');
  });

  it('says what could not be searched and tries again, and never ends without a way on', async () => {
    let isBroken = true;
    server(
      reply(flows.searchFlows, () =>
        isBroken
          ? failure(500, { message: 'Out of breath' })
          : { results: [aFlow({ id: 'xyzzy' })], total: 1 },
      ),
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
      reply(provider.searchDocs, () => []),
    );
    const { user, field } = await openPalette();
    await user.type(field, 'xyzzy');
    await screen.findByText(/Flows could not be searched: Out of breath/);
    isBroken = false;
    await user.click(screen.getByText('Try again'));
    await screen.findByRole('option', { name: /xyzzy shop/ });
    expect(screen.queryByText(/could not be searched/)).toBeNull();
    await user.clear(field);
    server(
      reply(flows.searchFlows, () => ({ results: [], total: 0 })),
      reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
      reply(provider.searchDocs, () => []),
    );
    await user.type(field, 'qqq');
    await screen.findByText('No page, action, flow, execution or document matches “qqq”.');
    expect(screen.getByRole('option', { name: 'Search “qqq” in executions' }).getAttribute('href')).toBe(
      '/executions?q=qqq',
    );
  });
});

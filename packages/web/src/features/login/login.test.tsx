import { executions, flows, product, sessions, stats } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '../../api/call.ts';
import { clearSignIn, onSessionLost, rememberSignIn, signedInUser } from '../../api/session.ts';
import { openStream } from '../../api/streams.ts';
import { writeStored } from '../../storage/storage.ts';
import { fakeEventSource } from '../../testing/FakeEventSource.ts';
import { aFlow } from '../../testing/factories.ts';
import { aConfiguration, failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { safeReturn } from './LoginPage.tsx';

const withAuth = reply(product.getConfiguration, () => aConfiguration({ isBasicAuthEnabled: true }));
const session = { username: 'ada@example.com' };

// The pages are large: their first load is not part of a test's time.
beforeAll(async () => {
  await Promise.all([
    import('./LoginPage.tsx'),
    import('../flows/list/FlowListPage.tsx'),
    import('../settings/SettingsPage.tsx'),
  ]);
}, 180_000);

/** A server whose session has expired until it is renewed or the user signs in. */
function guardedServer({ renewal }: { renewal?: () => Promise<never> | ReturnType<typeof failure> } = {}) {
  let isOpen = false;
  const guarded = <T,>(reply: T) => (isOpen ? reply : failure(401));
  const server = fakeServer(
    withAuth,
    reply(flows.searchFlows, () => guarded({ results: [aFlow()], total: 1 })),
    reply(flows.listNamespaces, () => guarded(['shop.orders'])),
    reply(executions.searchExecutions, () => guarded({ results: [], total: 0 })),
    reply(sessions.renewSession, () => {
      if (renewal) return renewal();
      isOpen = true;
      return session;
    }),
    reply(sessions.getSession, () => guarded(session)),
    reply(sessions.login, (request) => {
      const { password } = JSON.parse(String(request.body)) as sessions.Login;
      if (password !== 'right') return failure(401, { message: 'Unauthorized' });
      isOpen = true;
      return session;
    }),
  );
  return server;
}

describe('an expired session', () => {
  it('S1-4.17 S1-8.4 S1-2.1.36 opens the login page when no user is signed in', async () => {
    const server = guardedServer();
    const { href } = renderAt('/flows?q=night');
    await screen.findByRole('heading', { name: 'Sign in to Millrace' });
    expect(href()).toBe('/login?from=%2Fflows%3Fq%3Dnight');
    expect(screen.queryByText(/session has ended/)).toBeNull();
    expect(server.to(sessions.renewSession)).toHaveLength(0);
  });

  it('S1-4.18 S1-8.4 S1-7.10 is renewed once for all calls, and each is tried again', async () => {
    rememberSignIn('ada@example.com');
    const server = guardedServer();
    const { href } = renderAt('/flows');
    await screen.findByRole('link', { name: 'nightly' });
    expect(href()).toBe('/flows');
    const renewals = server.to(sessions.renewSession);
    expect(renewals).toHaveLength(1);
    expect(renewals[0]?.query.toString()).toBe('grant_type=refresh_token');
    expect(renewals[0]?.body).toBeUndefined();
    expect(server.to(flows.searchFlows)).toHaveLength(2);
  });

  it.each([401, 403, 500])(
    'S1-4.19 a renewal that responds %d opens the login page as expired',
    async (status) => {
      rememberSignIn('ada@example.com');
      const server = guardedServer({ renewal: () => failure(status) });
      const { href } = renderAt('/main/flows');
      await screen.findByText(/session has ended/);
      expect(href()).toBe('/main/login?expired=1&from=%2Fmain%2Fflows');
      expect(server.to(sessions.renewSession)).toHaveLength(1);
    },
  );

  it('S1-4.19 every refusal counts as expired until the user signs in or out', async () => {
    const told = vi.fn();
    const stopListening = onSessionLost(told);
    rememberSignIn('ada@example.com');
    const server = guardedServer({ renewal: () => failure(401) });
    const refused = () =>
      call(flows.listNamespaces, { failures: 'handled' }).catch((error: unknown) => error);
    await refused();
    await refused();
    clearSignIn();
    await refused();
    stopListening();
    expect(told.mock.calls).toEqual([[{ expired: true }], [{ expired: true }], [{ expired: false }]]);
    expect(server.to(sessions.renewSession)).toHaveLength(1);
  });

  it('S1-4.18 is kept when the renewal gets no answer, as when the page is being left', async () => {
    rememberSignIn('ada@example.com');
    guardedServer({ renewal: () => Promise.reject(new TypeError('The page is gone.')) });
    const outcome = await call(flows.listNamespaces, { failures: 'handled' }).catch(
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ status: 401 });
    expect(signedInUser()).toBe('ada@example.com');
  });

  it('S1-4.18 is renewed by one tab for all: those who wait find it renewed', async () => {
    rememberSignIn('ada@example.com');
    const server = guardedServer();
    const turn = vi.fn(async (_name: string, attempt: () => Promise<unknown>) => {
      // Another tab had the lock and renewed the session meanwhile.
      await fetch('/oauth/access_token?grant_type=refresh_token', { method: 'POST' });
      writeStored('sessionRenewedAt', String(Date.now()));
      return await attempt();
    });
    vi.stubGlobal('navigator', { ...navigator, locks: { request: turn } });
    expect(await call(flows.listNamespaces, {})).toEqual(['shop.orders']);
    expect(turn).toHaveBeenCalledOnce();
    expect(server.to(sessions.renewSession)).toHaveLength(1);
  });

  it('S1-4.18 is renewed before a broken stream is opened again', async () => {
    rememberSignIn('ada@example.com');
    const server = guardedServer();
    const { opened } = fakeEventSource();
    const close = openStream('/stream', { onData: () => {} });
    opened[0]?.fail();
    await waitFor(() => expect(opened).toHaveLength(2));
    expect(server.to(sessions.renewSession)).toHaveLength(1);
    close();
  });

  it('S1-4.20 S1-3.15 S2-2s.21 is not renewed while a user impersonates another', async () => {
    rememberSignIn('ada@example.com');
    localStorage.setItem('impersonate', 'bob@example.com');
    const server = guardedServer();
    renderAt('/flows');
    await screen.findByRole('heading', { name: 'Sign in to Millrace' });
    expect(server.to(sessions.renewSession)).toHaveLength(0);
  });
});

describe('signing out', () => {
  it('S1-4.26 S1-4.28 asks for unsaved changes before the session is gone', async () => {
    rememberSignIn('ada@example.com');
    const server = fakeServer(
      withAuth,
      reply(flows.listNamespaces, () => []),
      reply(sessions.logout, () => undefined),
    );
    const { user, href } = renderAt('/settings');
    await user.type(await screen.findByLabelText('Environment name'), 'prod');
    const signOut = screen.getByLabelText(/Sign out/);
    await user.click(signOut);
    await user.click(await screen.findByText('Stay'));
    await waitFor(() => expect(screen.queryByText('Stay')).toBeNull());
    expect(server.to(sessions.logout)).toHaveLength(0);
    expect(href()).toBe('/settings');
    await user.click(signOut);
    await user.click(await screen.findByText('Leave'));
    await screen.findByText('Sign in to Millrace');
    expect(server.to(sessions.logout)).toHaveLength(1);
    expect(signedInUser()).toBeUndefined();
  });
});

describe('login page', () => {
  it('leads back to where the session was lost', async () => {
    guardedServer();
    const { user, href } = renderAt('/flows?q=night');
    await user.type(await screen.findByLabelText(/Email/), 'ada@example.com');
    await user.type(screen.getByLabelText(/^Password/), 'right');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await screen.findByRole('link', { name: 'nightly' });
    expect(href()).toBe('/flows?q=night');
  });

  it('[A29] leaves nothing in the browser but the name', async () => {
    guardedServer();
    const { user, href } = renderAt('/flows');
    await user.type(await screen.findByLabelText(/Email/), 'ada@example.com');
    await user.type(screen.getByLabelText(/^Password/), 'right');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await screen.findByRole('link', { name: 'nightly' });
    const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, href(), document.cookie]);
    expect(kept).toContain('ada@example.com');
    expect(kept).not.toMatch(/right|token|password|Basic/i);
  });

  it('S1-5.28 says that the credentials are wrong', async () => {
    guardedServer();
    const { user } = renderAt('/login');
    await user.type(await screen.findByLabelText(/Email/), 'ada@example.com');
    await user.type(screen.getByLabelText(/^Password/), 'wrong{Enter}');
    await screen.findByText('Incorrect username or password');
  });

  it('S1-5.22 S1-5.23 S1-5.26 S1-5.27 refuses what is longer than 256 characters', async () => {
    const server = guardedServer();
    const { user } = renderAt('/login');
    await user.click(await screen.findByLabelText(/Email/));
    await user.paste('a'.repeat(257));
    await user.click(screen.getByLabelText(/^Password/));
    await user.paste('b'.repeat(257));
    await screen.findByText('Email must not exceed 256 characters');
    await screen.findByText('Password must not exceed 256 characters');
    await user.keyboard('{Enter}');
    expect(server.to(sessions.login)).toHaveLength(0);
  });

  describe('when the server asks for no password', () => {
    it.each([
      ['/login', '/dashboards'],
      ['/login?from=%2Fflows%3Fq%3Dnight', '/flows?q=night'],
      ['/login?from=%2F%2Fevil.example', '/dashboards'],
    ])('leads on from %s to %s', async (address, place) => {
      fakeServer(
        reply(sessions.getSession, () => ({})),
        reply(flows.searchFlows, () => ({ results: [], total: 0 })),
      );
      const { href } = renderAt(address);
      await waitFor(() => expect(href()).toBe(place));
    });

    it('S1-6.3 S1-8.13 says so when something in front of the server asks for one', async () => {
      fakeServer(reply(sessions.getSession, () => failure(401)));
      renderAt('/login');
      await screen.findByText('You need to be authenticated to access this page.');
      expect(screen.getByRole('heading', { level: 1, name: 'Unauthorized' })).toBeTruthy();
    });

    it('does not go back and forth when only the page behind it is refused', async () => {
      const server = fakeServer(
        reply(sessions.getSession, () => ({})),
        reply(flows.searchFlows, () => failure(401)),
        reply(flows.listNamespaces, () => []),
        reply(stats.getDailyExecutions, () => []),
      );
      renderAt('/flows');
      await screen.findByText('You need to be authenticated to access this page.');
      expect(server.to(sessions.getSession)).toHaveLength(2);
    });
  });
});

describe('[A27] the way back', () => {
  beforeEach(() => expect(location.origin).toMatch(/^http:/));
  it.each([
    [undefined, '/'],
    ['', '/'],
    ['https://evil.example/x', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/login?from=/x', '/'],
    ['/main/flows?q=a#b', '/main/flows?q=a#b'],
  ])('from %j is %s', async (from, expected) => {
    await waitFor(() => expect(safeReturn(from)).toBe(expected));
  });
});

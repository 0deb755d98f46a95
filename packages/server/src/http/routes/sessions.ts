import { AppError, sessions as endpoints } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import type { OpenSession } from '../../auth/sessions.ts';
import type { Product } from '../../product.ts';
import { clientOf } from '../client.ts';
import { cookieScope } from '../cookieScope.ts';
import { clearSessionCookies, readSessionCookie, setSessionCookies } from '../cookies.ts';
import { mount } from '../mount.ts';

type Session = endpoints.Session;

const wrongPair = 'Incorrect username or password';

/** Signing in and out, and setting the password. */
export function mountSessions(app: FastifyInstance, { auth, config, clock }: Product): void {
  const scope = cookieScope(config);

  mount(app, endpoints.login, async ({ body, request, reply }) => {
    if (!(await auth.credentials.areNeeded())) {
      throw new AppError('illegal-state', 'this server requires no login');
    }
    if (!(await auth.checkPassword(body, clientOf(request)))) throw new AppError('unauthorized', wrongPair);
    await closeOf(readSessionCookie('refresh', request, scope));
    const opened = await auth.sessions.open(body.username);
    setSessionCookies(opened, { request, reply, scope, now: clock() });
    return present(opened);
  });

  mount(app, endpoints.renewSession, async ({ request, reply }) => {
    const secret = readSessionCookie('refresh', request, scope);
    const renewed = secret === undefined ? undefined : await auth.renewSession(secret, clientOf(request));
    if (!renewed) {
      clearSessionCookies({ request, reply, scope });
      throw new AppError('unauthorized', 'the session has ended');
    }
    setSessionCookies(renewed, { request, reply, scope, now: clock() });
    return present(renewed);
  });

  mount(app, endpoints.logout, async ({ query, request, reply }) => {
    const secret =
      readSessionCookie('refresh', request, scope) ?? readSessionCookie('access', request, scope);
    await closeOf(secret, query.everywhere);
    clearSessionCookies({ request, reply, scope });
  });

  mount(app, endpoints.getSession, ({ request: { user } }) => (user ? presentUser(user) : {}));

  mount(app, endpoints.saveBasicAuth, async ({ body, request, reply }) => {
    if (request.user?.token !== undefined)
      throw new AppError('illegal-state', 'an API token cannot change the password');
    await auth.savePassword(body, { setupToken: body.setupToken, client: clientOf(request) });
    // The user who sets the password is signed in with it, instead of being locked out by it.
    const opened = await auth.sessions.open(body.username);
    setSessionCookies(opened, { request, reply, scope, now: clock() });
  });

  async function closeOf(secret: string | undefined, isEverywhere = false): Promise<void> {
    const session = secret === undefined ? undefined : await auth.sessions.sessionOf(secret);
    if (!session) return;
    await (isEverywhere ? auth.sessions.closeAll(session.username) : auth.sessions.close(session.id));
  }
}

const present = ({ session, access }: OpenSession): Session => ({
  username: session.username,
  expiresAt: new Date(access.expiresAt).toISOString(),
  endsAt: new Date(session.endsAt).toISOString(),
});

const presentUser = (user: { username: string; expiresAt?: number; endsAt?: number }): Session => ({
  username: user.username,
  ...(user.expiresAt === undefined ? {} : { expiresAt: new Date(user.expiresAt).toISOString() }),
  ...(user.endsAt === undefined ? {} : { endsAt: new Date(user.endsAt).toISOString() }),
});

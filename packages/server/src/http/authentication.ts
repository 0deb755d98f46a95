import type { Access } from '@millrace/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '../auth/auth.ts';
import { decodePair, readBasicPair } from '../auth/basicPair.ts';
import type { Pair } from '../auth/credentials.ts';
import { clientOf } from './client.ts';
import { type CookieScope, pairCookie, readCookie, readSessionCookie } from './cookies.ts';
import { isApiPath } from './path.ts';

interface User {
  readonly username: string;
  /** The name of the API token that the request was signed in with. */
  readonly token?: string;
  readonly tokenId?: string;
  readonly expiresAt?: number;
  readonly endsAt?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access level of this route. The default requires credentials. */
    access?: Access;
  }
  interface FastifyRequest {
    /** The authenticated user; undefined while authentication is off. */
    user: User | undefined;
  }
}

/**
 * Requires credentials on every route that does not opt out. The check uses the route that the router found,
 * so no spelling of a path can reach a route without its check. Paths without a route serve only the files of
 * the web app, which are public; paths that look like the API are refused anyway, so that an anonymous caller
 * cannot learn which routes exist.
 */
export function requireCredentials(app: FastifyInstance, auth: Auth, scope: CookieScope): void {
  app.decorateRequest('user', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    if (isOpen(request)) return done();
    const areNeeded = auth.credentials.areNeeded();
    if (areNeeded === false) return done();
    letIn(request, reply, { auth, scope, areNeeded }).then((isIn) => {
      if (isIn) done();
    }, done);
  });
}

function isOpen(request: FastifyRequest): boolean {
  if (request.is404) return !isApiPath(request.url);
  const { access } = request.routeOptions.config;
  return access === 'anyone' || access === 'key';
}

interface Door {
  readonly auth: Auth;
  readonly scope: CookieScope;
  readonly areNeeded: boolean | Promise<boolean>;
}

async function letIn(request: FastifyRequest, reply: FastifyReply, door: Door): Promise<boolean> {
  if (!(await door.areNeeded)) return true;
  request.user = await identify(request, door);
  if (request.user) return true;
  if (!isAskedByPage(request)) {
    // Quotes and backslashes would end the quoted text early.
    const realm = door.auth.credentials.realm.replace(/["\\]/g, '');
    reply.header('www-authenticate', `Basic realm="${realm}", charset="UTF-8"`);
  }
  void reply.code(401).send();
  return false;
}

/** The first proof that is there decides: a wrong password is not forgiven because of a good cookie. */
async function identify(request: FastifyRequest, { auth, scope }: Door): Promise<FastifyRequest['user']> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return identifyPair(readBasicPair(authorization), request, auth);
    const found = await auth.findToken(token, clientOf(request));
    return found && { username: found.username, token: found.name, tokenId: found.id };
  }
  const secret = readSessionCookie('access', request, scope);
  if (secret !== undefined) {
    const found = await auth.findSession(secret, clientOf(request));
    if (!found) return undefined;
    const { username, endsAt } = found.session;
    return { username, expiresAt: found.expiresAt, endsAt };
  }
  const pair = readCookie(request, pairCookie);
  return pair === undefined ? undefined : identifyPair(decodePair(pair), request, auth);
}

async function identifyPair(
  pair: Pair | undefined,
  request: FastifyRequest,
  auth: Auth,
): Promise<FastifyRequest['user']> {
  if (!pair || !(await auth.checkPassword(pair, clientOf(request)))) return undefined;
  return { username: pair.username };
}

/** Whether our web app sent the request: it shows its own sign-in form instead of the browser's dialog. */
function isAskedByPage({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return true;
  return /^https?:\/\/[^/]+(\/[^?#]*)?\/login\/?([?#]|$)/.test(headers.referer ?? '');
}

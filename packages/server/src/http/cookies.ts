import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenSession } from '../auth/sessions.ts';

/** The scope of this server's cookies: everything below its base path, and nothing else on the host. */
export interface CookieScope {
  /** The base path; empty at the root of the host. */
  readonly basePath: string;
  /** Whether the browser uses TLS, according to a trusted proxy or the configured address. */
  isSecure(request: FastifyRequest): boolean;
}

/** Another product's name for a cookie that holds user name and password; clients of its API send it. */
export const pairCookie = 'BASIC_AUTH';
const names = { access: 'millrace-session', refresh: 'millrace-refresh' } as const;
type Kind = keyof typeof names;

/** No other host or path can set or shadow a `__Host-` cookie, which needs the root path and TLS. */
const nameOf = (kind: Kind, scope: CookieScope, request: FastifyRequest): string =>
  scope.basePath === '' && scope.isSecure(request) ? `__Host-${names[kind]}` : names[kind];

export function readSessionCookie(
  kind: Kind,
  request: FastifyRequest,
  scope: CookieScope,
): string | undefined {
  return readCookie(request, nameOf(kind, scope, request));
}

export function setSessionCookies(
  { access, refresh }: OpenSession,
  { request, reply, scope, now }: CookieTarget & { now: number },
): void {
  const target = { request, reply, scope };
  setCookie('access', access.secret, Math.round((access.expiresAt - now) / 1_000), target);
  setCookie('refresh', refresh.secret, Math.round((refresh.expiresAt - now) / 1_000), target);
}

export function clearSessionCookies(target: CookieTarget): void {
  setCookie('access', '', 0, target);
  setCookie('refresh', '', 0, target);
}

interface CookieTarget {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly scope: CookieScope;
}

function setCookie(kind: Kind, value: string, maxAgeSeconds: number, target: CookieTarget): void {
  const { request, reply, scope } = target;
  const parts = [
    `${nameOf(kind, scope, request)}=${value}`,
    `Path=${scope.basePath === '' ? '/' : scope.basePath}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(scope.isSecure(request) ? ['Secure'] : []),
  ];
  reply.header('set-cookie', parts.join('; '));
}

/** The value of the first cookie of this name. Browsers send the one with the longest path first. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 0 || part.slice(0, at).trim() !== name) continue;
    return part
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** The Cookie header without our own cookies, so that flows never see credentials of this server. */
export function withoutOwnCookies(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const own = new Set([pairCookie, ...Object.values(names).flatMap((name) => [name, `__Host-${name}`])]);
  const rest = header.split(';').filter((part) => !own.has(part.split('=', 1)[0]?.trim() ?? ''));
  const text = rest.join(';').trim();
  return text === '' ? undefined : text;
}

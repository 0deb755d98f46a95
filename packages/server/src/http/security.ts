import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authorityOfTarget, readHostName } from './hostName.ts';
import { HttpRefusal } from './problem.ts';

export interface SecurityOptions {
  /** Names under which the server may be reached; undefined when it listens on a public address. */
  readonly allowedHosts: ReadonlySet<string> | undefined;
  /** Origin of the configured public address, when a proxy in front changes the Host header. */
  readonly publicOrigin: string | undefined;
  /** The configured host from which the web app loads news and documentation, if any. */
  readonly providerOrigin?: string | undefined;
}

/**
 * The editor and the component library need `unsafe-inline` styles; scripts are only files of ours. Workers
 * of the editor start from blobs.
 */
const contentSecurityPolicy = (others: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${others}`,
    "font-src 'self' data:",
    `connect-src 'self'${others}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** API responses are data: browsers may not frame, sniff or run them, and they need no other headers. */
const apiHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

const pageHeaders = (providerOrigin: string | undefined): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(providerOrigin === undefined ? '' : ` ${providerOrigin}`),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Guards every request, whatever its route: checks Host and Origin, and sets the security headers. */
export function guardRequests(app: FastifyInstance, options: SecurityOptions): void {
  const ofPages = pageHeaders(options.providerOrigin);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/api/') ? apiHeaders : ofPages);
    checkHost(request, options);
    checkOrigin(request, options);
    done();
  });
}

/**
 * Protects against DNS rebinding: another site can point its own name at 127.0.0.1, and its requests then
 * carry that name. Every host that a request names must be ours, and there must be one Host header.
 */
function checkHost(request: FastifyRequest, { allowedHosts }: SecurityOptions): void {
  if (countHostHeaders(request) > 1)
    throw new HttpRefusal(400, 'Bad Request', 'there is more than one Host header');
  const target = authorityOfTarget(request.originalUrl);
  // The Host header or a trusted proxy's header; and the request line, if it names a host too.
  for (const host of target === undefined ? [request.host] : [request.host, target]) {
    const name = readHostName(host);
    if (name === undefined && host !== '')
      throw new HttpRefusal(400, 'Bad Request', `"${host}" is not the name of a host`);
    if (allowedHosts && (name === undefined || !allowedHosts.has(name)))
      throw new HttpRefusal(421, 'Misdirected Request', `this server does not answer as "${host}"`);
  }
}

/** Node keeps the first of several Host headers silently; a proxy may have used the last. */
function countHostHeaders({ raw: { rawHeaders } }: FastifyRequest): number {
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') count++;
  return count;
}

/**
 * Browsers say where a mutating request comes from; other programs say nothing and are let through. A webhook is
 * authorised by its key and may be called from anywhere.
 */
function checkOrigin(request: FastifyRequest, { publicOrigin }: SecurityOptions): void {
  const isByKey = request.routeOptions.config.access === 'key';
  if (readingMethods.has(request.method) || isByKey) return;
  const { origin } = request.headers;
  const { host } = request;
  if (origin === undefined) {
    const site = request.headers['sec-fetch-site'];
    if (site === undefined || site === 'same-origin' || site === 'none') return;
    throw new HttpRefusal(403, 'Forbidden', 'a page of another site may not change anything here');
  }
  if (origin === publicOrigin || origin === `http://${host}` || origin === `https://${host}`) return;
  throw new HttpRefusal(403, 'Forbidden', `a page from "${origin}" may not change anything here`);
}

/** The host names of a loopback server, with those that the configuration adds. */
export function loopbackNames(host: string, extra: readonly string[]): Set<string> {
  const names = ['localhost', '127.0.0.1', '[::1]', isIP(host) === 6 ? `[${host}]` : host, ...extra];
  return new Set(names.map((name) => name.toLowerCase()));
}

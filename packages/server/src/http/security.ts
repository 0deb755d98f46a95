import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authorityOfTarget, readHostName } from './hostName.ts';
import { HttpRefusal } from './problem.ts';

export interface SecurityOptions {
  /** Names under which the server may be reached; undefined when it listens on a public address. */
  readonly allowedHosts: ReadonlySet<string> | undefined;
  /** Origin of the configured public address, when a proxy in front changes the Host header. */
  readonly publicOrigin: string | undefined;
  /** Another host that the web app asks for news and documentation, when one is configured. */
  readonly providerOrigin?: string | undefined;
}

/**
 * `unsafe-inline` styles are what the editor and the component library need; scripts are only ever files of ours.
 * Workers of the editor start from blobs.
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

/** Answers of the API are data: they may not be framed, sniffed or run, and need to say no more than that. */
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

/** Guards every request, whatever its route: who is being talked to, from where, and how answers may be used. */
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
 * A page of another site can point its own name at 127.0.0.1; its requests then carry that name. Wherever a request
 * says whom it is meant for, it must be us, and be said once.
 */
function checkHost(request: FastifyRequest, { allowedHosts }: SecurityOptions): void {
  if (countHostHeaders(request) > 1)
    throw new HttpRefusal(400, 'Bad Request', 'there is more than one Host header');
  const target = authorityOfTarget(request.originalUrl);
  // The header, or the word of a proxy that is believed; and the request line, where it names a host as well.
  for (const host of target === undefined ? [request.host] : [request.host, target]) {
    const name = readHostName(host);
    if (name === undefined && host !== '')
      throw new HttpRefusal(400, 'Bad Request', `"${host}" is not the name of a host`);
    if (allowedHosts && (name === undefined || !allowedHosts.has(name)))
      throw new HttpRefusal(421, 'Misdirected Request', `this server does not answer as "${host}"`);
  }
}

/** The parser keeps the first of several and says nothing; something in front of us may have kept the last. */
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

/** The names a loopback server goes by, beside those the configuration adds. */
export function loopbackNames(host: string, extra: readonly string[]): Set<string> {
  const names = ['localhost', '127.0.0.1', '[::1]', isIP(host) === 6 ? `[${host}]` : host, ...extra];
  return new Set(names.map((name) => name.toLowerCase()));
}

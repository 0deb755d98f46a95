import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Auth } from '../auth/auth.ts';
import { newId } from '../newId.ts';
import { parseJson } from '../parseJson.ts';
import type { ProcessLog } from '../processLog.ts';
import { requireCredentials } from './authentication.ts';
import { bodyLimits, readText } from './body.ts';
import { requireBodyProgress } from './bodyProgress.ts';
import { toBoundedJson } from './boundedJson.ts';
import type { CookieScope } from './cookies.ts';
import { formLimits } from './form.ts';
import { handleAsGet } from './head.ts';
import { pathOfTarget } from './hostName.ts';
import type { Jobs } from './jobs/jobs.ts';
import { rewriteOlderPath } from './olderPaths.ts';
import { HttpRefusal, sendProblem } from './problem.ts';
import { parseQuery } from './query.ts';
import { logRequests, type RequestLogOptions, requestIdPattern } from './requestLog.ts';
import { guardRequests, type SecurityOptions } from './security.ts';
import { stripBasePath, stripTenant } from './tenant.ts';
import type { WebApp } from './web.ts';

export interface AppOptions {
  readonly log: ProcessLog;
  readonly security: SecurityOptions;
  /** Authentication; without it, every caller has access. */
  readonly auth: Auth | undefined;
  readonly cookies: CookieScope;
  /** Proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly web: WebApp;
  readonly requests: RequestLogOptions;
  /** Whether the product is healthy, for probes that reach only this port. */
  readonly isHealthy: () => Promise<boolean>;
  /** Runs long calls in the background; without it every call responds when it ends. */
  readonly jobs?: Jobs;
}

/** The HTTP kernel: everything that holds for every route. Routes are mounted on the result. */
export function createApp({
  log,
  security,
  auth,
  cookies,
  trustedProxies,
  web,
  requests,
  isHealthy,
  jobs,
}: AppOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    // Uploads, `wait=true` and event streams last long; headers may not.
    requestTimeout: 3_600_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize: 32_768, headersTimeout: 60_000 },
    bodyLimit: bodyLimits.text,
    forceCloseConnections: true,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && requestIdPattern.test(given) ? given : newId();
    },
    exposeHeadRoutes: false,
    rewriteUrl: (request) => {
      handleAsGet(request);
      return rewriteOlderPath(stripTenant(stripBasePath(pathOfTarget(request.url ?? '/'), cookies.basePath)));
    },
    schemaController: { compilersFactory: noSchemas },
    routerOptions: { maxParamLength: 512, querystringParser: parseQuery },
    // The framework's own errors (a malformed URL, headers that are too large) use the common format too.
    frameworkErrors: (error, request, reply) => sendProblem(error, request as FastifyRequest, reply, log),
  });
  const methods = new RouteMethods();
  app.decorate('mountedRoutes', methods);
  app.decorate('jobs', jobs);
  if (jobs) {
    app.addHook('onReady', async () => jobs.start());
    app.addHook('onClose', () => jobs.stop());
  }
  app.addHook('onRoute', (route) => methods.add(route.url, route.method));
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log));
  app.setReplySerializer((payload) => toBoundedJson(payload));
  readBodiesByRoute(app);
  void app.register(multipart, { limits: formLimits });
  logRequests(app, requests);
  requireBodyProgress(app);
  guardRequests(app, security);
  if (auth) requireCredentials(app, auth, cookies);
  const open = { config: { access: 'anyone' } } as const;
  app.get('/ping', open, (_request, reply) => reply.type('text/plain; charset=utf-8').send('pong'));
  app.get('/health', open, async (_request, reply) => {
    const isUp = await isHealthy();
    return reply.code(isUp ? 200 : 503).send({ name: 'millrace', status: isUp ? 'UP' : 'DOWN' });
  });
  app.get('/ui', open, (_request, reply) => reply.redirect(`${cookies.basePath}/`, 301));
  app.get('/ui/*', open, (request, reply) =>
    reply.redirect(`${cookies.basePath}/${request.url.replace(/^\/ui[/\\]+/, '')}`, 301),
  );
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.allowedFor(request.url);
    // A page may have the address of a call: `/login` is sent by a form, and is where a person fills it in.
    const isPage = allowed.length === 0 || (wantsPage(request) && !request.url.startsWith('/api/'));
    if (isPage && request.method === 'GET' && web.serve(request, reply)) return;
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    const refusal =
      allowed.length > 0
        ? new HttpRefusal(405, 'Method Not Allowed', `${request.method} is not possible here`)
        : new HttpRefusal(404, 'Not Found', 'there is nothing at this address');
    sendProblem(refusal, request, reply, log);
  });
  return app;
}

/**
 * The contract's schemas are checked where a route is mounted. The framework's own compilers are never used,
 * and loading them would slow down every start.
 */
const noSchemas = { buildValidator: unused, buildSerializer: unused };

function unused(): never {
  throw new Error('Routes take their schemas from the contract, not from the framework.');
}

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

/** The single parser for every content type; the route defines how it parses. */
function readBodiesByRoute(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const { bodyKind } = request.routeOptions.config;
    if (bodyKind === undefined || bodyKind === 'none' || bodyKind === 'multipart') {
      payload.resume();
      return undefined;
    }
    const text = await readText(payload, bodyLimits[bodyKind]);
    return bodyKind === 'json' && text !== '' ? parseJson(text) : text;
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly mountedRoutes: RouteMethods;
  }
}

/** All routes: to distinguish 405 from 404, and for the test that calls each of them without credentials. */
class RouteMethods {
  readonly #routes: { url: string; pattern: RegExp; methods: string[] }[] = [];

  add(url: string, method: string | string[]): void {
    if (url === '*' || url === '/*') return;
    const source = url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*$/, '.*');
    const methods = [method].flat().flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    this.#routes.push({ url, pattern: new RegExp(`^${source}$`), methods });
  }

  list(): { url: string; methods: string[] }[] {
    return this.#routes.map(({ url, methods }) => ({ url, methods }));
  }

  allowedFor(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    return [...new Set(this.#routes.filter((r) => r.pattern.test(path)).flatMap((r) => r.methods))];
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readBasicPair } from '../auth/basicPair.ts';
import { TooManyAttempts } from '../auth/loginThrottle.ts';
import { isLoopback } from '../config/publicAddress.ts';
import { loopbackNames } from '../http/security.ts';
import type { ProcessLog } from '../processLog.ts';
import type { Product } from '../product.ts';
import { type Health, readHealth } from './health.ts';
import { readInfo, readVersion } from './info.ts';
import { changeLogger, readLogger, readLoggers } from './loggers.ts';
import { readScheduler, readWorker } from './loops.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { json, type Page } from './page.ts';

const maxBodyBytes = 4_096;

type Respond = (product: Product, request: IncomingMessage, name: string) => Promise<Page> | Page;

interface Route {
  readonly method: 'GET' | 'POST';
  /** A path, and whether the name of one thing follows it. */
  readonly path: string;
  readonly isNamed?: true;
  /** Probes and scrapers bring no credentials; the rest needs them as soon as authentication is on. */
  readonly access: 'anyone' | 'credentials';
  readonly respond: Respond;
}

const liveness: Respond = () => json(200, { status: 'UP' });
const readiness: Respond = async (product) => {
  const { status } = await readHealth(product);
  return json(status === 'UP' ? 200 : 503, { status });
};
const metricsOf = new WeakMap<Product, Metrics>();
const metrics = (product: Product): Metrics => {
  const known = metricsOf.get(product) ?? createMetrics(product);
  metricsOf.set(product, known);
  return known;
};
const open = { method: 'GET', access: 'anyone' } as const;
const closed = { method: 'GET', access: 'credentials' } as const;

/** Every route of the port. */
export const managementRoutes: readonly Route[] = [
  { ...open, path: '/health', respond: async (product) => healthPage(await readHealth(product)) },
  { ...open, path: '/health/liveness', respond: liveness },
  { ...open, path: '/healthz', respond: liveness },
  { ...open, path: '/health/readiness', respond: readiness },
  { ...open, path: '/readyz', respond: readiness },
  { ...open, path: '/version', respond: readVersion },
  { ...open, path: '/prometheus', respond: (product) => metrics(product).readText() },
  { ...open, path: '/metrics', respond: (product) => metrics(product).list() },
  {
    ...open,
    path: '/metrics',
    isNamed: true,
    respond: (product, _request, name) => metrics(product).readOne(name),
  },
  { ...closed, path: '/info', respond: readInfo },
  { ...closed, path: '/worker', respond: readWorker },
  { ...closed, path: '/scheduler', respond: readScheduler },
  { ...closed, path: '/loggers', respond: ({ log }) => readLoggers(log) },
  { ...closed, path: '/loggers', isNamed: true, respond: ({ log }, _request, name) => readLogger(name, log) },
  {
    method: 'POST',
    path: '/loggers',
    isNamed: true,
    access: 'credentials',
    respond: ({ log }, request, name) => changeLevel(request, name, log),
  },
];

/**
 * Health, metrics and the state of the loops, on a separate port for those who watch over the product. Plain
 * `node:http`: a few fixed pages need no framework, and it keeps responding when the product's port is busy. No page
 * shows the environment or the configuration.
 */
export function createManagementServer(product: Product): Server {
  const { server } = product.config;
  const hosts = isLoopback(server.host) ? loopbackNames(server.host, server.allowedHosts) : undefined;
  const respond = async (request: IncomingMessage): Promise<Page> => {
    // Protects against DNS rebinding: another site can point its own name at this machine.
    if (hosts && !hosts.has(hostOf(request))) return json(421, { message: 'Misdirected Request' });
    const path = request.url?.split('?', 1)[0] ?? '/';
    const found = findRoutes(path);
    const route = found.find(({ method }) => method === methodOf(request));
    if (!(await isAllowed(request, route?.access ?? 'credentials', product))) return unauthorized;
    if (found.length === 0) return json(404, { message: 'Not Found' });
    if (!route) return json(405, { message: 'Method Not Allowed' });
    return route.respond(product, request, path.slice(route.path.length + 1));
  };
  const options = { maxHeaderSize: 16_384, requestTimeout: 30_000, headersTimeout: 15_000 };
  return createServer(options, (request, response) => {
    respond(request).then(
      (page) => send(request, response, page),
      (error: unknown) => {
        if (error instanceof TooManyAttempts) {
          const headers = { 'retry-after': String(error.retryAfterSeconds) };
          send(request, response, json(429, { message: error.message }, headers));
          return;
        }
        product.log.error('A management page failed.', { url: request.url, error });
        send(request, response, json(500, { message: 'Internal server error' }));
      },
    );
  });
}

const findRoutes = (path: string): Route[] =>
  managementRoutes.filter((route) =>
    route.isNamed
      ? path.startsWith(`${route.path}/`) && namePattern.test(path.slice(route.path.length + 1))
      : path === route.path,
  );

const namePattern = /^[\w.:-]{1,200}$/;

const methodOf = ({ method }: IncomingMessage): string | undefined => (method === 'HEAD' ? 'GET' : method);

const unauthorized = json(
  401,
  { message: 'Unauthorized' },
  { 'www-authenticate': 'Basic realm="Millrace management"' },
);

/** A port with its own credentials requires them everywhere; otherwise protected routes use the product's. */
async function isAllowed(
  { headers, socket }: IncomingMessage,
  access: Route['access'],
  { auth, config }: Product,
): Promise<boolean> {
  const { username, password } = config.management;
  const hasOwn = username !== undefined && password !== undefined;
  if (!hasOwn && (access === 'anyone' || !(await auth.credentials.areNeeded()))) return true;
  const pair = readBasicPair(headers.authorization);
  if (!pair) return false;
  const client = {
    address: socket.remoteAddress ?? '',
    isProxied: headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined,
  };
  return hasOwn ? auth.checkPair(pair, { username, password }, client) : auth.checkPassword(pair, client);
}

/** A page of another site can send text without asking, but not JSON. */
async function changeLevel(request: IncomingMessage, name: string, log: ProcessLog): Promise<Page> {
  const isData = request.headers['content-type']?.split(';', 1)[0]?.trim() === 'application/json';
  if (!isData || request.headers.origin !== undefined) {
    request.resume();
    return json(415, { message: 'application/json is expected, from a program' });
  }
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxBodyBytes) return json(413, { message: 'Payload Too Large' });
  }
  return changeLogger(name, text, log);
}

const hostOf = ({ headers }: IncomingMessage): string =>
  (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');

function healthPage(health: Health): Page {
  return json(health.status === 'UP' ? 200 : 503, health);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, headers }: Page,
): void {
  request.resume();
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isSame } from '../auth/credentials.ts';
import { isLoopback } from '../config/reach.ts';
import { loopbackNames } from '../http/security.ts';
import type { Product } from '../product.ts';
import { type Health, readHealth } from './health.ts';
import { readInfo, readVersion } from './info.ts';
import { changeLogger, readLogger, readLoggers } from './loggers.ts';
import { readScheduler, readWorker } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { json, type Page } from './page.ts';

const maxBodyBytes = 4_096;

/**
 * Health, metrics and what the loops do, on a port of their own for those who watch over the product. Plain
 * `node:http`: a few fixed answers need no framework, and it keeps answering when the product's port is busy. The
 * environment and the configuration are not among the answers.
 */
export function createManagementServer(product: Product): Server {
  const answer = createPages(product);
  const { management, server } = product.config;
  const hosts = isLoopback(server.host) ? loopbackNames(server.host, server.allowedHosts) : undefined;
  const respond = async (request: IncomingMessage): Promise<Page> => {
    // A page of another site can point its own name at this machine.
    if (hosts && !hosts.has(hostOf(request))) return json(421, { message: 'Misdirected Request' });
    if (management.username !== undefined && !isAllowed(request, management)) {
      return json(
        401,
        { message: 'Unauthorized' },
        { 'www-authenticate': 'Basic realm="Millrace management"' },
      );
    }
    return answer(request);
  };
  const options = { maxHeaderSize: 16_384, requestTimeout: 30_000, headersTimeout: 15_000 };
  return createServer(options, (request, response) => {
    respond(request).then(
      (page) => send(response, page),
      (error: unknown) => {
        product.log.error('A management page failed.', { url: request.url, error });
        send(response, json(500, { message: 'Internal server error' }));
      },
    );
  });
}

type Answer = (request: IncomingMessage) => Promise<Page>;

function createPages(product: Product): Answer {
  const metrics = createMetrics(product);
  const liveness = async () => json(200, { status: 'UP' });
  const readiness = async () => {
    const { status } = await readHealth(product);
    return json(status === 'UP' ? 200 : 503, { status });
  };
  const pages: Record<string, () => Promise<Page>> = {
    '/health': async () => healthPage(await readHealth(product)),
    '/health/liveness': liveness,
    '/healthz': liveness,
    '/health/readiness': readiness,
    '/readyz': readiness,
    '/version': async () => readVersion(product),
    '/info': async () => readInfo(product),
    '/prometheus': () => metrics.readText(),
    '/metrics': () => metrics.list(),
    '/loggers': async () => readLoggers(product.log),
    '/worker': async () => readWorker(product),
    '/scheduler': () => readScheduler(product),
  };
  return async (request) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const [, group, name] = /^\/(metrics|loggers)\/([\w.:-]{1,200})$/.exec(path) ?? [];
    if (group === 'loggers' && name !== undefined && request.method === 'POST') {
      return changeLevel(request, name, product);
    }
    request.resume();
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page && name === undefined) return json(404, { message: 'Not Found' });
    if (!isRead) return json(405, { message: 'Method Not Allowed' });
    if (page) return page();
    return group === 'metrics' ? metrics.readOne(name ?? '') : readLogger(name ?? '', product.log);
  };
}

/** A page of another site can send text without asking, but not JSON. */
async function changeLevel(request: IncomingMessage, name: string, { log }: Product): Promise<Page> {
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

function isAllowed(
  request: IncomingMessage,
  { username = '', password = '' }: Product['config']['management'],
): boolean {
  const encoded = /^basic +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return isSame(Buffer.from(encoded, 'base64').toString('utf8'), `${username}:${password}`);
}

function healthPage(health: Health): Page {
  return json(health.status === 'UP' ? 200 : 503, health);
}

function send(response: ServerResponse, { status, type, body, headers }: Page): void {
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}

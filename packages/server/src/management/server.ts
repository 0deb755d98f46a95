import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Product } from '../product.ts';
import { type Health, readHealth } from './health.ts';
import { createMetrics } from './metrics.ts';

/**
 * Health and metrics on a port of their own, for the machines that watch over the product. Plain `node:http`: six fixed
 * answers need no framework, and it keeps answering when the product's port is busy.
 */
export function createManagementServer(product: Product): Server {
  const metrics = createMetrics(product);
  const pages: Record<string, () => Promise<Page>> = {
    '/health': async () => healthPage(await readHealth(product)),
    '/health/liveness': async () => json(200, { status: 'UP' }),
    '/health/readiness': async () => {
      const { status } = await readHealth(product);
      return json(status === 'UP' ? 200 : 503, { status });
    },
    '/version': async () => json(200, { version: product.version, type: 'STANDALONE' }),
    '/prometheus': async () => {
      const { contentType, text } = await metrics.read();
      return { status: 200, type: contentType, body: text };
    },
  };
  pages['/healthz'] = pages['/health/liveness']!;
  pages['/readyz'] = pages['/health/readiness']!;

  return createServer({ maxHeaderSize: 16_384, requestTimeout: 30_000 }, (request, response) => {
    request.resume();
    const path = request.url?.split('?', 1)[0] ?? '/';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) return send(response, json(404, { message: 'Not Found' }));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(response, json(405, { message: 'Method Not Allowed' }));
    }
    page().then(
      (answer) => send(response, answer),
      (error: unknown) => {
        product.log.error('A management page failed.', { path, error });
        send(response, json(500, { message: 'Internal server error' }));
      },
    );
  });
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function json(status: number, body: unknown): Page {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

function healthPage(health: Health): Page {
  return json(health.status === 'UP' ? 200 : 503, health);
}

function send(response: ServerResponse, { status, type, body }: Page): void {
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(body);
}

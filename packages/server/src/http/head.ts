import type { IncomingMessage } from 'node:http';

/**
 * The server handles a HEAD request as a GET request, and Node leaves out the body. A HEAD route for each GET
 * route doubled the time to mount all routes, which every start waits for.
 */
export function handleAsGet(request: Pick<IncomingMessage, 'method'>): void {
  if (request.method !== 'HEAD') return;
  heads.add(request);
  request.method = 'GET';
}

/** The method that the client sent. */
export const sentMethod = (raw: Pick<IncomingMessage, 'method'>): string =>
  heads.has(raw) ? 'HEAD' : (raw.method ?? '');

const heads = new WeakSet<object>();

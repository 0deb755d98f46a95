import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { apiRoot } from './mount.ts';
import { webhookPrefix } from './security.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly realm: string;
}

/**
 * Asks for credentials on everything below the API root but webhooks, which have their key. The decision uses the
 * path as the router will see it, so no other spelling of a path can slip past.
 */
export function requireCredentials(app: FastifyInstance, credentials: Credentials): void {
  const expected = digest(`${credentials.username}:${credentials.password}`);
  app.addHook('onRequest', (request, reply, done) => {
    const isOpen = !request.url.startsWith(apiRoot) || request.url.startsWith(webhookPrefix);
    if (isOpen || timingSafeEqual(digest(givenPair(request.headers.authorization)), expected)) return done();
    // Quotes and backslashes would end the quoted text early.
    const realm = credentials.realm.replace(/["\\]/g, '');
    void reply.code(401).header('www-authenticate', `Basic realm="${realm}"`).send();
  });
}

function givenPair(header: string | undefined): string {
  const match = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header ?? '');
  return match?.[1] === undefined ? '' : Buffer.from(match[1], 'base64').toString('utf8');
}

/** Equal lengths for a comparison in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

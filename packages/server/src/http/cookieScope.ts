import type { Config } from '../config/schema.ts';
import type { CookieScope } from './cookies.ts';

/** Behind a TLS proxy, HTTPS is known from a trusted proxy's headers or from the configured https address. */
export function cookieScope({ server: { basePath }, url }: Pick<Config, 'server' | 'url'>): CookieScope {
  const address = url === undefined ? undefined : new URL(url);
  return {
    basePath,
    isSecure: (request) =>
      request.protocol === 'https' || (address?.protocol === 'https:' && request.host === address.host),
  };
}

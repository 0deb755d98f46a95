import type { FastifyRequest } from 'fastify';
import type { Client } from '../auth/auth.ts';

/** The client of a request, as far as its address can be trusted. */
export function clientOf({ ip, ips, headers }: FastifyRequest): Client {
  const saysForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  // With one address the peer is not among the trusted proxies.
  return { address: ip, isProxied: saysForwarded && (ips === undefined || ips.length <= 1) };
}

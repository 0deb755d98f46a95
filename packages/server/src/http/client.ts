import type { FastifyRequest } from 'fastify';
import type { Client } from '../auth/auth.ts';

/** Where a request comes from, as far as it can be believed. */
export function clientOf({ ip, ips, headers }: FastifyRequest): Client {
  const saysForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  // With one address the peer is not among the trusted proxies.
  return { address: ip, isProxied: saysForwarded && (ips === undefined || ips.length <= 1) };
}

import type { Config } from './schema.ts';

const loopbackHosts = new Set(['localhost', '::1', '[::1]']);

export function isLoopback(host: string): boolean {
  return loopbackHosts.has(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether requests can come from other machines: through the listen address or a proxy on this machine. */
export function isReachableByOthers({ server, url }: Pick<Config, 'server' | 'url'>): boolean {
  const names = [server.host, ...server.allowedHosts, ...(url === undefined ? [] : [new URL(url).hostname])];
  return names.some((name) => !isLoopback(name)) || server.trustedProxies.length > 0;
}

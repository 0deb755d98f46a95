/**
 * The tenant in front of every path, if the page's address has one. The router owns the address; it hands in
 * how to read it, so that calls need no router.
 */
let read: () => string | undefined = () => undefined;

export function readTenantFrom(source: () => string | undefined): void {
  read = source;
}

export const currentTenant = (): string | undefined => read();

/** The prefix of every path of this server, `/orchestrator` for example; nothing at the root of a host. */
export const basePath = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';

/** `/api/v1` or `/api/v1/{tenant}`, without a slash at the end. */
export function apiRoot(): string {
  const tenant = currentTenant();
  return `${basePath()}/api/v1${tenant ? `/${encodeURIComponent(tenant)}` : ''}`;
}

/** Where news and documentation come from: the server itself, unless its configuration names another host. */
let provider: string | undefined;

export function setProviderUrl(url: string | undefined): void {
  provider = url?.replace(/\/+$/, '');
}

export const providerRoot = (): string => provider ?? basePath();

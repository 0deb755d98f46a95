import { mainTenant } from '@millrace/contract';

/**
 * The path below the base path. Paths outside of it do not exist, except `/`, which leads to the app so that
 * the host's address alone works.
 */
export function stripBasePath(url: string, basePath: string): string {
  if (basePath === '') return url;
  if (url === basePath || url.startsWith(`${basePath}?`)) return `/${url.slice(basePath.length)}`;
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : outside;
}

/** No route and no file has this name. */
const outside = '/api/outside-of-the-base-path';

const root = '/api/v1/';
const tenantRoot = `${root}${mainTenant}/`;

/**
 * Both forms of every path reach the same route: `/api/v1/main/flows` is read as `/api/v1/flows`. It happens once,
 * before routing, so that no route and no check can see two spellings. A tenant is never named like a resource, so
 * an unknown first segment simply finds no route.
 */
export function stripTenant(url: string): string {
  return url.startsWith(tenantRoot) ? root + url.slice(tenantRoot.length) : url;
}

/** The only tenant there is; answers carry it and paths may name it. */
export const mainTenant = 'main';

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

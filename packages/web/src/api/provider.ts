import { basePath } from './tenant.ts';

/** Where news and documentation come from: the server itself, unless its configuration names another host. */
let root: string | undefined;

export function setProviderUrl(url: string | undefined): void {
  root = url?.replace(/\/+$/, '');
}

export const providerRoot = (): string => root ?? basePath();

/** Where news and documentation come from: the server itself, unless its configuration names another host. */
let root = '';

export function setProviderUrl(url: string | undefined): void {
  root = url?.replace(/\/+$/, '') ?? '';
}

export const providerRoot = (): string => root;

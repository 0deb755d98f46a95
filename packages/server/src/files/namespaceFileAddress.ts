const pattern = /^nsfile:\/\/((?:\w[\w-]*(?:\.\w[\w-]*)*)?)\/+(.+)$/s;

export const isNamespaceFileUri = (text: string): boolean => pattern.test(text);

/**
 * `nsfile:///scripts/a.py` is a file of the flow's namespace, and `nsfile://company.team/a.py` one of another
 * namespace. Returns its address in internal storage; undefined for other addresses.
 */
export function namespaceFileAddress(uri: string, ownNamespace: string): string | undefined {
  const [, namespace = '', path] = pattern.exec(uri) ?? [];
  if (path === undefined) return undefined;
  return `millrace:///${(namespace || ownNamespace).replaceAll('.', '/')}/_files/${path}`;
}

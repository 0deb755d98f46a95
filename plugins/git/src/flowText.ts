const namespaceLine = /^namespace:[^\n\r]*/m;

/** The text of a flow in another namespace; only its namespace line changes. */
export function withNamespace(source: string, namespace: string): string {
  const line = `namespace: ${namespace}`;
  if (namespaceLine.test(source)) return source.replace(namespaceLine, line);
  return /^id:/m.test(source)
    ? source.replace(/^id:[^\n\r]*/m, (id) => `${id}\n${line}`)
    : `${line}\n${source}`;
}

/** The text as it is kept in Git: the revision belongs to the server. */
export const withoutRevision = (source: string): string => {
  const text = source.replace(/^revision:[^\n\r]*\r?\n?/m, '');
  return text.endsWith('\n') ? text : `${text}\n`;
};

export const isSameText = (one: string, other: string): boolean =>
  withoutRevision(one).trim() === withoutRevision(other).trim();

/** `company.team.sales.eu` below `company.team` → `sales/eu`. */
export const folderOf = (namespace: string, root: string): string =>
  namespace === root ? '' : namespace.slice(root.length + 1).replaceAll('.', '/');

/** `sales/eu/flow.yml` below `company.team` → `company.team.sales.eu`. */
export function namespaceOf(file: string, root: string): string {
  const folders = file.split('/').slice(0, -1);
  return [root, ...folders].join('.');
}

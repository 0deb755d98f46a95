export interface NamespaceNode {
  id: string;
  /** The last part of the id. */
  name: string;
  /** Holds something itself, and not only other namespaces. */
  isUsed: boolean;
  children: NamespaceNode[];
}

/** Namespaces as a forest. Parents that hold nothing themselves are there too; the system's own tree comes first. */
export function namespaceTree(ids: readonly string[], systemNamespace: string): NamespaceNode[] {
  const nodes = new Map<string, NamespaceNode>();
  const roots: NamespaceNode[] = [];
  const nodeOf = (id: string): NamespaceNode => {
    const known = nodes.get(id);
    if (known) return known;
    const dot = id.lastIndexOf('.');
    const node: NamespaceNode = { id, name: id.slice(dot + 1), isUsed: false, children: [] };
    nodes.set(id, node);
    (dot < 0 ? roots : nodeOf(id.slice(0, dot)).children).push(node);
    return node;
  };
  for (const id of [...ids].sort()) nodeOf(id).isUsed = true;
  return roots.sort(
    (a, b) => Number(b.id === systemNamespace) - Number(a.id === systemNamespace) || a.id.localeCompare(b.id),
  );
}

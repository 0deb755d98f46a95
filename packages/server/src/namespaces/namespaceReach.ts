import { parentsOf } from './namespaceName.ts';

/** Namespaces that only their own flows and those of the listed namespaces may use. */
export type RestrictedNamespaces = Readonly<Record<string, readonly string[]>>;

/** Whether flows of one namespace may use another, which may be restricted, itself or through a parent. */
export function mayUse(user: string, namespace: string, restricted: RestrictedNamespaces): boolean {
  return [namespace, ...parentsOf(namespace)].every((place) => {
    const allowed = Object.hasOwn(restricted, place) ? restricted[place] : undefined;
    return !allowed || [place, ...allowed].some((name) => isWithin(user, name));
  });
}

const isWithin = (namespace: string, above: string): boolean =>
  namespace === above || namespace.startsWith(`${above}.`);

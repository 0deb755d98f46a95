/** `a.b.c` is inside `a.b`, which is inside `a`. */
export function withParents(namespace: string): string[] {
  const parts = namespace.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

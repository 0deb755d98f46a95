type Values = Record<string, unknown>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a value under a dotted id: `a.b` becomes `{a: {b: …}}`. No part of an id can reach a prototype. */
export function setNested(values: Values, id: string, value: unknown): void {
  const parts = id.split('.');
  const last = parts.pop() ?? '';
  let target = values;
  for (const part of parts) {
    const inner = Object.hasOwn(target, part) ? target[part] : undefined;
    const next: Values = isValues(inner) ? inner : {};
    define(target, part, next);
    target = next;
  }
  define(target, last, value);
}

/** The value of a dotted id, supplied under that very name or nested. */
export function getNested(values: Readonly<Values>, id: string): unknown {
  if (Object.hasOwn(values, id)) return values[id];
  let found: unknown = values;
  for (const part of id.split('.')) {
    found = isValues(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

const define = (target: Values, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
};

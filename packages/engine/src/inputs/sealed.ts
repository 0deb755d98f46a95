/** The marker of encrypted texts, which existing clients know. */
export const encryptedType = 'io.kestra.datatype:aes_encrypted';

export interface Sealed {
  readonly type: typeof encryptedType;
  readonly value: string;
}

export const sealed = (value: string): Sealed => ({ type: encryptedType, value });

export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === encryptedType &&
  'value' in value &&
  typeof value.value === 'string';

/** Deeper values are not searched, so that a hostile value cannot overflow the stack. */
const maxDepth = 64;

/** Replaces every sealed text in a value. A value without sealed texts is returned as is, not copied. */
export function mapSealed(value: unknown, replace: (sealed: Sealed) => unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (isSealed(value)) return replace(value);
  let changed: Record<string, unknown> | unknown[] | undefined;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item !== 'object' || item === null) continue;
    const other = mapSealed(item, replace, depth + 1);
    if (other === item) continue;
    changed ??= Array.isArray(value) ? [...value] : { ...value };
    (changed as Record<string, unknown>)[key] = other;
  }
  return changed ?? value;
}

/** The text shown in place of a secret. */
export const hiddenText = '******';

/** The value with its secrets hidden, safe to show to every user. */
export const hideSealed = <T>(value: T): T => mapSealed(value, () => hiddenText) as T; // Maps stay maps.

/**
 * The values that a user edited while their secrets were hidden: where one is still hidden, the original takes
 * its place.
 */
export function keepHidden(edited: unknown, original: unknown, depth = 0): unknown {
  if (edited === hiddenText && isSealed(original)) return original;
  if (!isParted(edited) || !isParted(original) || depth > maxDepth) return edited;
  const parts = Object.entries(edited).map(
    ([key, value]) =>
      [key, keepHidden(value, Object.hasOwn(original, key) ? original[key] : undefined, depth + 1)] as const,
  );
  return Array.isArray(edited) ? parts.map(([, value]) => value) : Object.fromEntries(parts);
}

const isParted = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Encrypted texts are told apart from others by this marker, which existing clients know. */
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

/** Deeper than any value that is worth looking into; keeps a hostile one from using up the stack. */
const maxDepth = 64;

/** A value with every sealed text replaced. What holds none is returned as it is: nothing is copied in the ordinary case. */
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

/** What is shown in place of a secret. */
export const hiddenText = '******';

/** A value as anybody may see it. */
export const hideSealed = <T>(value: T): T => mapSealed(value, () => hiddenText) as T; // Maps stay maps.

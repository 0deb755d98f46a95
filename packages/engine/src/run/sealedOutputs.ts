import { encryptedType } from '../inputs/typeOutputs.ts';

type Values = Readonly<Record<string, unknown>>;
type Decrypt = (value: string) => string;

/** Deeper than any output that is worth opening; keeps a hostile one from using up the stack. */
const maxDepth = 64;

/**
 * Outputs as expressions see them: sealed texts opened, each told to `found`. What holds none is returned as it is, so
 * that nothing is copied in the ordinary case. One that cannot be opened stays sealed.
 */
export function openOutputs(
  outputs: Values | undefined,
  decrypt: Decrypt | undefined,
  found: (text: string) => void,
): Values | undefined {
  return outputs && (open(outputs, decrypt, found, 0) as Values);
}

function open(
  value: unknown,
  decrypt: Decrypt | undefined,
  found: (text: string) => void,
  depth: number,
): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (isSealed(value)) return openOne(value, decrypt, found);
  let opened: Record<string, unknown> | unknown[] | undefined;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item !== 'object' || item === null) continue;
    const plain = open(item, decrypt, found, depth + 1);
    if (plain === item) continue;
    opened ??= Array.isArray(value) ? [...value] : { ...value };
    (opened as Record<string, unknown>)[key] = plain;
  }
  return opened ?? value;
}

interface Sealed {
  readonly value: string;
}

const isSealed = (value: object): value is Sealed =>
  'type' in value && value.type === encryptedType && 'value' in value && typeof value.value === 'string';

/** Without a key the text was never covered: the marker only tells that it is not to be shown. */
function openOne(sealed: Sealed, decrypt: Decrypt | undefined, found: (text: string) => void): unknown {
  try {
    const text = decrypt ? decrypt(sealed.value) : sealed.value;
    found(text);
    return text;
  } catch {
    return sealed;
  }
}

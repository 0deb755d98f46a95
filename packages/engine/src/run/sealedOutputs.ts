import { mapSealed, type Sealed } from '../inputs/sealed.ts';

type Values = Readonly<Record<string, unknown>>;
type Decrypt = (value: string) => string;

/**
 * Outputs for expressions: decrypts sealed texts and passes each to `found`; on an error a text stays sealed.
 */
export function openOutputs(
  outputs: Values | undefined,
  decrypt: Decrypt | undefined,
  found: (text: string) => void,
): Values | undefined {
  return outputs && (mapSealed(outputs, (sealed) => openOne(sealed, decrypt, found)) as Values);
}

/** Without a key the text was never encrypted; the marker only says that it must not be shown. */
function openOne(sealed: Sealed, decrypt: Decrypt | undefined, found: (text: string) => void): unknown {
  try {
    const text = decrypt ? decrypt(sealed.value) : sealed.value;
    found(text);
    return text;
  } catch {
    return sealed;
  }
}

import type { Output } from '@millrace/contract';
import { setNested } from './nesting.ts';
import { inputError } from './resolveInputs.ts';
import { type Sealed, sealed } from './sealed.ts';
import { inputRules } from './types/index.ts';

export type TypedOutputs =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly error: string };

/** [E210] Gives the outputs of a flow their declared types. A value of the wrong type fails all of them. */
export function typeOutputs(
  outputs: readonly Output[],
  rendered: Readonly<Record<string, unknown>>,
  encrypt?: (text: string) => string,
): TypedOutputs {
  const values: Record<string, unknown> = {};
  for (const output of outputs) {
    const raw = Object.hasOwn(rendered, output.id) ? (rendered[output.id] ?? null) : null;
    if (raw === null) {
      if (output.required !== false) return { error: inputError(output.id, 'missing required output', null) };
      setNested(values, output.id, null);
      continue;
    }
    const parsed = inputRules[output.type](raw, { ...output, type: output.type });
    if ('reason' in parsed) return { error: inputError(output.id, parsed.reason, raw) };
    setNested(
      values,
      output.id,
      output.type === 'SECRET' ? cover(String(parsed.value), encrypt) : parsed.value,
    );
  }
  return { values };
}

const cover = (text: string, encrypt: ((text: string) => string) | undefined): Sealed =>
  sealed(encrypt ? encrypt(text) : text);

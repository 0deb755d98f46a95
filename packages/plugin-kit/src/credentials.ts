import type { z } from 'zod';
import { isExpression } from './dynamic.ts';
import type { Masker } from './masker.ts';
import { entryOf, shapeOf } from './schemaPath.ts';

const credential =
  /(?:password|passphrase|secret|token|jwt|(?:api|private|secret|access|ssl|client|encryption|master)key|secretkeyid|connectionstring|credentials)$/i;
/** Positions in a list of results. */
const cursor = /^(?:next|page)token$/i;

/** True when a text property of this name holds a credential. */
export const isCredential = (name: string): boolean => credential.test(name) && !cursor.test(name);

/** Whether a schema has credentials anywhere, so that most types are walked only once. */
const known = new WeakMap<z.ZodType, boolean>();

/**
 * Masks the credentials among the properties, by the names in the schema: a password that is written in the flow
 * or comes from an input is masked like one of `secret()`. Maps with keys of the user's choice are left alone.
 */
export function hideCredentials(masker: Masker, schema: z.ZodType, value: unknown): void {
  if (!holdsCredentials(schema)) return;
  const shape = shapeOf(schema);
  if (shape && isRecord(value)) {
    for (const [name, inner] of Object.entries(shape)) {
      const given = value[name];
      if (typeof given !== 'string') hideCredentials(masker, inner, given);
      // The task renders this property itself.
      else if (isCredential(name) && !isExpression(given)) masker.add(given);
    }
    return;
  }
  const entry = entryOf(schema);
  if (entry && typeof value === 'object' && value !== null)
    for (const given of Object.values(value)) hideCredentials(masker, entry, given);
}

function holdsCredentials(schema: z.ZodType): boolean {
  const earlier = known.get(schema);
  if (earlier !== undefined) return earlier;
  // A schema that contains itself is not followed twice.
  known.set(schema, false);
  const shape = shapeOf(schema);
  const entry = entryOf(schema);
  const found = shape
    ? Object.entries(shape).some(([name, inner]) => isCredential(name) || holdsCredentials(inner))
    : entry !== undefined && holdsCredentials(entry);
  known.set(schema, found);
  return found;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { mockValue } from '@millrace/engine/dry-run';
import type { z } from 'zod';
import { toJsonSchema } from './jsonSchema.ts';
import type { Outputs } from './values.ts';

/**
 * Generates outputs of a type from its schema, for dry runs and tests of flows. The result is deterministic
 * and valid for the schema.
 */
export function mockOutputs({ output }: { readonly output: z.ZodObject }): Outputs {
  return mockValue(toJsonSchema(output), 'value') as Outputs; // an object schema gives an object
}

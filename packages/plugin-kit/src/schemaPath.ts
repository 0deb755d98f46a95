import type { z } from 'zod';

/** The parts of Zod's definitions that a walk down a property path looks at. */
interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

// Zod types `def` per class; a walk meets all of them and reads only what is there.
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** Takes off defaults, optionals and coercions. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, out } = defOf(schema);
  const inside = innerType ?? out;
  return inside ? unwrap(inside) : schema;
}

/** What `.meta()` said on the schema or on anything it wraps; the outermost word wins. */
export function metaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { innerType, out } = defOf(schema);
  const inside = innerType ?? out;
  return { ...(inside && metaOf(inside)), ...schema.meta() };
}

export const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined =>
  defOf(unwrap(schema)).shape;

/** What the entries of a list or the values of a map are. */
export function entryOf(schema: z.ZodType): z.ZodType | undefined {
  const { element, valueType } = defOf(unwrap(schema));
  return element ?? valueType;
}

/** The schemas met on the way from the root (left out) to the property; shorter when the way is not known. */
export function schemasAlong(root: z.ZodType, path: readonly PropertyKey[]): readonly z.ZodType[] {
  const met: z.ZodType[] = [];
  let here: z.ZodType | undefined = root;
  for (const step of path) {
    const def: Def = defOf(unwrap(here));
    here = def.shape ? def.shape[String(step)] : (def.element ?? def.valueType);
    if (!here) return met;
    met.push(here);
  }
  return met;
}

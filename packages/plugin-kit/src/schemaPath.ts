import type { z } from 'zod';

/** The parts of Zod's definitions that a walk along a property path reads. */
interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

// Zod types `def` per class; a walk visits all classes and reads only existing properties.
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** Removes defaults, optionals and coercions. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, out } = defOf(schema);
  const inside = innerType ?? out;
  return inside ? unwrap(inside) : schema;
}

/** The `.meta()` of the schema merged with that of the schemas it wraps; the outermost value wins. */
export function metaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { innerType, out } = defOf(schema);
  const inside = innerType ?? out;
  return { ...(inside && metaOf(inside)), ...schema.meta() };
}

export const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined =>
  defOf(unwrap(schema)).shape;

/** The schema of a list's entries or a map's values. */
export function entryOf(schema: z.ZodType): z.ZodType | undefined {
  const { element, valueType } = defOf(unwrap(schema));
  return element ?? valueType;
}

/** The schemas on the path from the root (excluded) to the property; shorter when the path is unknown. */
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

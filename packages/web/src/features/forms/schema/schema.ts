import { isMap } from '../source/edit.ts';

/** A JSON Schema, as far as it is read: nothing in it is trusted to be there. */
export type Schema = Readonly<Record<string, unknown>>;
export type Definitions = Readonly<Record<string, unknown>>;

export const asSchema = (value: unknown): Schema => (isMap(value) ? value : {});
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** How often a reference may lead to another before it counts as one that never ends. */
const maxReferences = 20;

/** A resolved schema stays the same object, because forms ask for the same parts with every key press. */
const resolved = new WeakMap<Definitions, WeakMap<object, Schema>>();

/**
 * The schema with its references followed. Keywords beside a reference win over those of its target, and parts
 * that all apply are put together. A place for many types keeps its choices (`allOf` of if/then) as they are.
 */
export function resolve(definitions: Definitions, schema: unknown): Schema {
  if (!isMap(schema)) return nothing;
  const known = resolved.get(definitions) ?? new WeakMap<object, Schema>();
  resolved.set(definitions, known);
  const found = known.get(schema) ?? follow(definitions, schema, 0);
  known.set(schema, found);
  return found;
}

const nothing: Schema = {};

function follow(definitions: Definitions, schema: unknown, depth: number): Schema {
  const { $ref, ...own } = asSchema(schema);
  const reference = textOf($ref);
  if (reference !== undefined) {
    const target = definitions[nameOf(reference)];
    if (depth > maxReferences) return own;
    const rest = follow(definitions, target, depth + 1);
    return Object.keys(own).length === 0 ? rest : { ...rest, ...own };
  }
  const parts = listOf(own.allOf);
  if (isMap(schema) && (parts.length === 0 || isPlace(own))) return schema;
  const { allOf: _, ...rest } = own;
  return [...parts.map((part) => follow(definitions, part, depth + 1)), rest].reduce<Schema>(merge, {});
}

function merge(a: Schema, b: Schema): Schema {
  const properties = { ...asSchema(a.properties), ...asSchema(b.properties) };
  const required = [...new Set([...listOf(a.required), ...listOf(b.required)])];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const nameOf = (reference: string): string => decodeURIComponent(reference.replace(/^#\/[^/]+\//, ''));

/** Whether elements of several types are allowed here, each with its own properties. */
export const isPlace = (schema: Schema): boolean =>
  Array.isArray(schema.allOf) &&
  schema.allOf.every((choice) => isMap(choice) && isMap(choice.if) && 'then' in choice);

/** The types that a place offers, with their titles; older names are understood and not offered. */
export function typesOf(place: Schema): ReadonlyMap<string, string> {
  const type = asSchema(asSchema(place.properties).type);
  const offered = listOf(type.enum).length > 0 ? type : asSchema(listOf(type.anyOf)[0]);
  const titles = listOf(offered.markdownEnumDescriptions);
  return new Map(listOf(offered.enum).map((name, index) => [String(name), textOf(titles[index]) ?? '']));
}

/** The schema of one type at its place; undefined for an unknown type. */
export function typeSchema(definitions: Definitions, place: Schema, type: unknown): Schema | undefined {
  for (const choice of listOf(place.allOf)) {
    const { if: condition, then: answer } = asSchema(choice);
    const wanted = asSchema(asSchema(asSchema(condition).properties).type);
    if (wanted.const === type || listOf(wanted.enum).includes(type)) return resolve(definitions, answer);
  }
  return undefined;
}

export const descriptionOf = (schema: Schema): string | undefined =>
  textOf(schema.markdownDescription) ?? textOf(schema.description);

export const isDeprecated = (schema: Schema): boolean =>
  schema.deprecated === true || schema.$deprecated === true || schema.deprecationMessage !== undefined;

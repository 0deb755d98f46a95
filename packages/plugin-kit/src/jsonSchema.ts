import { z } from 'zod';
import { entryOf, metaOf, shapeOf } from './schemaPath.ts';

export type JsonSchema = { [key: string]: unknown };

/** In a place for another type, the schema references the definition of that kind. */
const placeReference = (place: string): JsonSchema => ({ $ref: `#/definitions/${place}` });

/** Zod limits integers to these values; they are noise for a reader. */
const isSafeLimit = (value: unknown) =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;

/** A cache of documents: schemas are immutable, and creating a document takes milliseconds. */
const made = new WeakMap<z.ZodObject, JsonSchema>();

/** The Draft-7 schema of a type's properties, each with `$dynamic`, `$required` and the like. */
export function toJsonSchema(schema: z.ZodObject): JsonSchema {
  const json = made.get(schema) ?? makeJsonSchema(schema);
  made.set(schema, json);
  return json;
}

/** Merges two schemas, required properties first. */
export function mergeSchemas(own: JsonSchema, more: JsonSchema): JsonSchema {
  const required = [
    ...((own.required as string[] | undefined) ?? []),
    ...((more.required as string[] | undefined) ?? []),
  ];
  const properties = { ...(own.properties as JsonSchema), ...(more.properties as JsonSchema) };
  return {
    ...own,
    properties: requiredFirst(properties, required),
    ...(required.length > 0 && { required }),
  };
}

const requiredFirst = (properties: JsonSchema, required: readonly string[]): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).sort(
      ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)) || a.localeCompare(b),
    ),
  );

function makeJsonSchema(schema: z.ZodObject): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema._zod.def, jsonSchema as JsonSchema),
  }) as JsonSchema;
  const { $schema: _, ...rest } = json;
  annotate(schema, rest);
  return rest;
}

function tidy(def: { type: string; defaultValue?: unknown }, json: JsonSchema): void {
  const place = json.$place;
  if (typeof place === 'string') {
    const { description } = json;
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, placeReference(place), { description });
  }
  if (isSafeLimit(json.maximum)) delete json.maximum;
  if (isSafeLimit(json.minimum)) delete json.minimum;
  if (json.minItems === 0) delete json.minItems;
  // The keys of a map are always text.
  delete json.propertyNames;
  // Zod drops a default below a coercion, so the author's default is restored here.
  if ((def.type === 'default' || def.type === 'prefault') && json.default === undefined) {
    json.default = def.defaultValue;
  }
  for (const key of Object.keys(json)) if (json[key] === undefined) delete json[key];
}

/** `$dynamic` and `$required` on every property, also of nested parts, of lists of them and of maps. */
function annotate(schema: z.ZodType, json: JsonSchema): void {
  const [entry, entryJson] = [entryOf(schema), json.items ?? json.additionalProperties];
  if (entry && isSchema(entryJson)) annotate(entry, entryJson);
  const shape = shapeOf(schema);
  const properties = json.properties as Record<string, JsonSchema> | undefined;
  if (!shape || !properties) return;
  const required = new Set((json.required as string[] | undefined) ?? []);
  for (const [name, property] of Object.entries(properties)) {
    const inner = shape[name];
    if (!inner) continue;
    property.$dynamic = metaOf(inner).$dynamic !== false;
    property.$required = required.has(name);
    annotate(inner, property);
  }
  json.properties = requiredFirst(properties, [...required]);
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const expression: JsonSchema = { type: 'string', pattern: '.*{{.*}}.*' };

/**
 * The same schema for the editor: every dynamic property also accepts an expression, and the form's hints
 * (`$…`) are removed.
 */
export function toEditorSchema(json: JsonSchema): JsonSchema {
  const { $dynamic, $required, $deprecated, $internalStorageURI, description, ...rest } = json;
  const plain: JsonSchema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, toEditorPart(key, value)]),
  );
  // Environments, headers and labels often contain plain numbers, and saving accepts them as texts.
  if (isPlainText(plain.additionalProperties)) {
    plain.additionalProperties = { type: ['string', 'number', 'boolean'] };
  }
  const words = {
    ...(typeof description === 'string' && { markdownDescription: describe(description, json) }),
    ...($deprecated === true && { deprecationMessage: String(description ?? 'Deprecated.') }),
  };
  if ($dynamic !== true || takesText(plain)) return { ...plain, ...words };
  const { default: fallback, ...native } = plain;
  return { anyOf: [native, expression], ...(fallback !== undefined && { default: fallback }), ...words };
}

/** The names under `properties` are the author's: a property called `description` is not a description. */
function toEditorPart(key: string, value: unknown): unknown {
  if (key === 'default') return value;
  if (key !== 'properties') return toEditorValue(value);
  return Object.fromEntries(
    Object.entries(value as JsonSchema).map(([name, property]) => [name, toEditorValue(property)]),
  );
}

const isPlainText = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'type' in json &&
  json.type === 'string' &&
  Object.keys(json).length === 1;

function toEditorValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toEditorValue);
  return typeof value === 'object' && value !== null ? toEditorSchema(value as JsonSchema) : value;
}

/** Whether the schema already accepts any text or any value, so that nothing is added. */
function takesText(json: JsonSchema): boolean {
  if (json.$ref !== undefined) return false;
  if (Array.isArray(json.anyOf)) return json.anyOf.some((branch) => takesText(branch as JsonSchema));
  if (json.type === undefined && json.enum === undefined) return true;
  return json.type === 'string' && !json.enum && !json.pattern;
}

const describe = (description: string, json: JsonSchema): string =>
  json.default === undefined ? description : `${description}\n\nDefault: \`${JSON.stringify(json.default)}\``;

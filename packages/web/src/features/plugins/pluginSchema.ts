/** What a type's JSON Schema tells a reader, property by property. */
export interface PropertyRow {
  name: string;
  type: string;
  /** The definition that the type refers to. */
  definition: string | undefined;
  isRequired: boolean;
  isDynamic: boolean;
  isDeprecated: boolean;
  text: string;
  /** Defaults, limits and choices, in words. */
  facts: string[];
}

export interface PluginExample {
  title: string | undefined;
  code: string;
  language: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** Required ones first, deprecated ones last, each by name. */
export function propertyRows(schema: unknown): PropertyRow[] {
  const { properties, required } = mapOf(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(mapOf(properties))
    .map(([name, value]) => rowOf(name, mapOf(value), needed.includes(name)))
    .toSorted(
      (a, b) =>
        Number(a.isDeprecated) - Number(b.isDeprecated) ||
        Number(b.isRequired) - Number(a.isRequired) ||
        a.name.localeCompare(b.name),
    );
}

export function examplesOf(schema: unknown): PluginExample[] {
  const { $examples } = mapOf(schema);
  return (Array.isArray($examples) ? $examples : []).flatMap((value) => {
    const { title, code, lang } = mapOf(value);
    return typeof code === 'string' ? [{ title: textOf(title), code, language: textOf(lang) ?? 'yaml' }] : [];
  });
}

export function metricsOf(schema: unknown): { name: string; type: string; text: string }[] {
  const { $metrics } = mapOf(schema);
  return (Array.isArray($metrics) ? $metrics : []).flatMap((value) => {
    const { name, type, description } = mapOf(value);
    return typeof name === 'string'
      ? [{ name, type: textOf(type) ?? '', text: textOf(description) ?? '' }]
      : [];
  });
}

export const describe = (schema: unknown): { title: string | undefined; text: string | undefined } => {
  const { title, description } = mapOf(schema);
  return { title: textOf(title), text: textOf(description) };
};

function rowOf(name: string, schema: Schema, isRequired: boolean): PropertyRow {
  const { title, description, $dynamic, $deprecated, deprecated } = schema;
  return {
    name,
    type: typeNameOf(schema),
    definition: definitionOf(schema),
    isRequired,
    isDynamic: $dynamic === true,
    isDeprecated: $deprecated === true || deprecated === true,
    text: [textOf(title), textOf(description)].filter(Boolean).join('\n\n'),
    facts: factsOf(schema),
  };
}

function typeNameOf(schema: Schema): string {
  const { type, items, anyOf, oneOf, additionalProperties, format } = schema;
  const definition = textOf(schema.$ref);
  if (definition) return shortRef(definition);
  if (type === 'array') return `array of ${typeNameOf(mapOf(items)) || 'anything'}`;
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `map of ${typeNameOf(mapOf(additionalProperties)) || 'anything'}`;
  }
  const branches = [anyOf, oneOf].find(Array.isArray) as unknown[] | undefined;
  if (branches)
    return [...new Set(branches.map((one) => typeNameOf(mapOf(one))).filter(Boolean))].join(' or ');
  const names = Array.isArray(type) ? type.join(' or ') : (textOf(type) ?? '');
  return typeof format === 'string' ? `${names} (${format})` : names;
}

function definitionOf(schema: Schema): string | undefined {
  const own = textOf(schema.$ref) ?? textOf(mapOf(schema.items).$ref);
  return own && shortRef(own);
}

const limits = [
  'default',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
] as const;

function factsOf(schema: Schema): string[] {
  const found = limits.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name}: ${JSON.stringify(schema[name])}`],
  );
  const choices = Array.isArray(schema.enum)
    ? [`one of ${schema.enum.map((one) => String(one)).join(', ')}`]
    : [];
  return [...found, ...choices];
}

const shortRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const mapOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

import type { JsonSchema } from '../jsonSchema.ts';

/** Validates the few Draft 7 keywords that our documents use. Returns the problems as text for a test. */
export function matches(document: JsonSchema, value: unknown): string[] {
  const definitions = document.definitions as Record<string, JsonSchema>;
  const check = (schema: JsonSchema, here: unknown, path: string): string[] => {
    if (typeof schema.$ref === 'string') {
      const target = definitions[schema.$ref.replace('#/definitions/', '')];
      return target ? check(target, here, path) : [`${path}: ${schema.$ref} is missing`];
    }
    return [
      ...checkType(schema, here, path),
      ...checkObject(schema, here, path),
      ...(Array.isArray(here) && schema.items
        ? here.flatMap((item, index) => check(schema.items as JsonSchema, item, `${path}[${index}]`))
        : []),
      ...((schema.allOf as JsonSchema[] | undefined) ?? []).flatMap((part) => check(part, here, path)),
      ...checkIf(schema, here, path),
      ...checkAny(schema, here, path),
    ];
  };

  const checkObject = (schema: JsonSchema, here: unknown, path: string): string[] => {
    if (typeof here !== 'object' || here === null || Array.isArray(here)) return [];
    const properties = (schema.properties as Record<string, JsonSchema> | undefined) ?? {};
    const missing = ((schema.required as string[] | undefined) ?? []).filter((name) => !(name in here));
    const others = schema.additionalProperties;
    return [
      ...missing.map((name) => `${path}: missing ${name}`),
      ...Object.entries(here).flatMap(([name, item]) => {
        const at = `${path}.${name}`;
        if (properties[name]) return check(properties[name], item, at);
        if (others === false) return [`${at}: unknown property`];
        return typeof others === 'object' ? check(others as JsonSchema, item, at) : [];
      }),
    ];
  };

  const checkIf = (schema: JsonSchema, here: unknown, path: string): string[] =>
    schema.if &&
    !isForOtherType(schema.if as JsonSchema, here) &&
    check(schema.if as JsonSchema, here, path).length === 0
      ? check(schema.then as JsonSchema, here, path)
      : [];

  const checkAny = (schema: JsonSchema, here: unknown, path: string): string[] => {
    if (!Array.isArray(schema.anyOf)) return [];
    const tried = schema.anyOf.map((part) => check(part as JsonSchema, here, path));
    return tried.some((problems) => problems.length === 0)
      ? []
      : [`${path}: none of [${tried.flat().join(' | ')}]`];
  };

  return check(document, value, '');
}

/** Each task meets the branches of more than a thousand types: most are left out by their constant alone. */
function isForOtherType(schema: JsonSchema, here: unknown): boolean {
  const { type } = (schema.properties as Record<string, JsonSchema> | undefined) ?? {};
  if (!type || typeof here !== 'object' || here === null || !('type' in here)) return false;
  if (Array.isArray(type.enum)) return !type.enum.includes(here.type);
  return 'const' in type && type.const !== here.type;
}

const typeNames: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  null: (value) => value === null,
};

function checkType(schema: JsonSchema, here: unknown, path: string): string[] {
  const problems: string[] = [];
  const types = [schema.type ?? []].flat() as string[];
  if (types.length > 0 && !types.some((type) => typeNames[type]?.(here)))
    problems.push(`${path}: must be ${types}`);
  if (Array.isArray(schema.enum) && !schema.enum.includes(here)) problems.push(`${path}: not in the list`);
  if ('const' in schema && schema.const !== here) problems.push(`${path}: must be ${schema.const}`);
  if (
    typeof schema.pattern === 'string' &&
    typeof here === 'string' &&
    !new RegExp(schema.pattern).test(here)
  ) {
    problems.push(`${path}: must match ${schema.pattern}`);
  }
  if (typeof schema.minItems === 'number' && Array.isArray(here) && here.length < schema.minItems) {
    problems.push(`${path}: too few`);
  }
  if (typeof schema.minimum === 'number' && typeof here === 'number' && here < schema.minimum) {
    problems.push(`${path}: too small`);
  }
  return problems;
}

import type { plugins } from '@millrace/contract';

export type JsonSchema = Record<string, unknown>;

/** `type: core.log.Log` on a separate line, behind a dash or in braces. */
const writtenType = /(?:^|[\s{,-])["']?type["']?:[ \t]+["']?([\w.]+)/gm;

/** The types that a text uses and the outline knows by name, in a steady order. */
export function typesIn(source: string, outline: JsonSchema): string[] {
  const names = namesIn(outline);
  const written = new Set([...source.matchAll(writtenType)].map(([, name = '']) => name));
  return [...written].filter((name) => names.has(short(name)) || isOldName(name)).sort();
}

/** Names of Kestra before version 0.17: the outline lists none of them. */
const isOldName = (name: string): boolean => /^io\.kestra\.(core|plugin)\..+\.[A-Z]\w+$/.test(name);

const short = (name: string): string => name.replace(/^io\.kestra\.plugin\./, '');

const listed = new WeakMap<JsonSchema, ReadonlySet<string>>();

function namesIn(outline: JsonSchema): ReadonlySet<string> {
  const known = listed.get(outline);
  if (known) return known;
  const names = new Set<string>();
  for (const place of Object.values(asMap(outline.definitions))) {
    const choices = asMap(asMap(asMap(place).properties).type).anyOf;
    for (const choice of Array.isArray(choices) ? choices : []) {
      const { enum: offered, pattern } = asMap(choice);
      for (const name of Array.isArray(offered) ? offered : []) names.add(String(name));
      // Older names stand in one pattern of alternatives.
      for (const [name] of String(pattern ?? '').matchAll(/[\w]+(?:\\\.\w+)+/g)) {
        names.add(name.replaceAll('\\', ''));
      }
    }
  }
  listed.set(outline, names);
  return names;
}

/** The outline with the schemas of some types, each behind the branch that leads to it. */
export function addTypes(outline: JsonSchema, types: readonly (plugins.TypeSchema | null)[]): JsonSchema {
  const definitions: JsonSchema = { ...asMap(outline.definitions) };
  for (const { type, place, branch, schema } of new Set(types.filter((found) => found !== null))) {
    if (type in definitions) continue;
    definitions[type] = schema;
    const { allOf, ...rest } = asMap(definitions[place]);
    definitions[place] = { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), branch] };
  }
  return { ...outline, definitions };
}

const asMap = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

import type { z } from 'zod';
import type { Outputs } from './definition.ts';
import { type JsonSchema, toJsonSchema } from './jsonSchema.ts';

/**
 * Outputs as the type would return them, made from its schema: for dry runs and tests of flows. The same every time, and
 * they pass the schema they came from.
 */
export function mockOutputs({ output }: { readonly output: z.ZodObject }): Outputs {
  return mockOf(toJsonSchema(output), 'value', 0) as Outputs; // an object schema gives an object
}

const maxDepth = 8;

function mockOf(schema: JsonSchema, name: string, depth: number): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branch = [schema.anyOf, schema.oneOf].find(Array.isArray)?.[0];
  if (branch !== undefined) return mockOf(branch as JsonSchema, name, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return mockText(schema, name);
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 1), 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return depth > maxDepth
        ? []
        : [mockOf((schema.items as JsonSchema | undefined) ?? {}, name, depth + 1)];
    case 'object':
      return mockMap(schema, depth);
    default:
      return name;
  }
}

function mockMap(schema: JsonSchema, depth: number): Record<string, unknown> {
  if (depth > maxDepth) return {};
  const properties = Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {});
  if (properties.length === 0 && typeof schema.additionalProperties === 'object') {
    return { key: mockOf(schema.additionalProperties as JsonSchema, 'value', depth + 1) };
  }
  return Object.fromEntries(properties.map(([name, property]) => [name, mockOf(property, name, depth + 1)]));
}

function mockText({ format, $internalStorageURI }: JsonSchema, name: string): string {
  if (format === 'date-time') return '2026-01-31T08:00:00.000Z';
  if (format === 'duration') return 'PT1S';
  return $internalStorageURI === true || name === 'uri' ? `millrace:///mock/${name}` : name;
}

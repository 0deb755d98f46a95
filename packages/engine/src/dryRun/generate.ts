import type { Input, Output } from '@millrace/contract';
import type { JsonSchema, Values } from './types.ts';
import type { Wanted } from './wantedOutputs.ts';

const maxDepth = 8;
/** Numbers that say that all is well. */
const likelyNumbers: Readonly<Record<string, number>> = { code: 200, statusCode: 200, exitCode: 0 };

/**
 * Generates outputs from their JSON Schema. The result is deterministic and valid for the schema; where the schema
 * allows any value, it has the parts that the flow reads.
 */
export function generateOutputs(schema: JsonSchema | undefined, wanted?: Wanted): Values {
  if (schema === undefined) return wanted && wanted.keys.size > 0 ? asMap(openValue('value', wanted)) : {};
  return asMap(mockMap(schema, 0, wanted, true));
}

export function mockValue(schema: JsonSchema, name: string, depth = 0, wanted?: Wanted): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly JsonSchema[] | undefined;
  if (choices?.[0]) return mockValue(choices[0], name, depth, wanted);
  const type = Array.isArray(schema.type) ? (schema.type[0] as unknown) : schema.type;
  switch (type) {
    case 'string':
      return mockText(schema, name, wanted);
    case 'integer':
    case 'number':
      return likelyNumbers[name] ?? Math.max(Number(schema.minimum ?? 1), 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return depth > maxDepth ? [] : [mockItem(schema, name, depth, wanted)];
    case 'object':
      return mockMap(schema, depth, wanted, false);
    default:
      return openValue(name, wanted);
  }
}

function mockItem(schema: JsonSchema, name: string, depth: number, wanted: Wanted | undefined): unknown {
  const item = wanted && [...wanted.keys].find(([key]) => /^\d+$/.test(key))?.[1];
  return mockValue((schema.items as JsonSchema | undefined) ?? {}, name, depth + 1, item);
}

function mockMap(schema: JsonSchema, depth: number, wanted: Wanted | undefined, isClosed: boolean): unknown {
  if (depth > maxDepth) return {};
  const properties = Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {});
  if (properties.length === 0) {
    if (isClosed) return {};
    if (wanted && wanted.keys.size > 0) return openMap(wanted, schema.additionalProperties, depth);
    if (isSchema(schema.additionalProperties))
      return { key: mockValue(schema.additionalProperties, 'value', depth + 1) };
  }
  return Object.fromEntries(
    properties.map(([name, property]) => [
      name,
      mockValue(property, name, depth + 1, wanted?.keys.get(name)),
    ]),
  );
}

function openMap(wanted: Wanted, entries: unknown, depth: number): unknown {
  const schema = isSchema(entries) ? entries : {};
  return Object.fromEntries(
    [...wanted.keys].map(([name, inner]) => [name, mockValue(schema, name, depth + 1, inner)]),
  );
}

/** A value of which nothing is known but its use in the flow. */
function openValue(name: string, wanted: Wanted | undefined): unknown {
  const value = !wanted
    ? name
    : wanted.isList
      ? [listItem(name, wanted)]
      : wanted.keys.size > 0
        ? Object.fromEntries([...wanted.keys].map(([key, inner]) => [key, openValue(key, inner)]))
        : name;
  return wanted?.isJson ? JSON.stringify(value) : value;
}

function listItem(name: string, wanted: Wanted): unknown {
  const [item] = wanted.keys.values();
  return item ? openValue(name, item) : name;
}

function mockText({ format, $internalStorageURI }: JsonSchema, name: string, wanted?: Wanted): string {
  if (format === 'date-time') return '2026-01-31T08:00:00.000Z';
  if (format === 'duration') return 'PT1S';
  if ($internalStorageURI === true || name === 'uri') return `millrace:///mock/${name}`;
  if (wanted && (wanted.isJson || wanted.isList))
    return JSON.stringify(openValue(name, { ...wanted, isJson: false }));
  return name;
}

const generatedByType: Readonly<Record<string, unknown>> = {
  INT: 1,
  FLOAT: 1.5,
  BOOLEAN: true,
  BOOL: true,
  DATETIME: '2026-01-31T08:00:00Z',
  DATE: '2026-01-31',
  TIME: '08:00:00',
  DURATION: 'PT1S',
  JSON: {},
  YAML: {},
  ARRAY: [],
  URI: 'https://example.com',
  EMAIL: 'someone@example.com',
};

/** A valid value of an input or of a flow's output. */
export function generateInput(input: Input | Output): unknown {
  const values = input.values as readonly unknown[] | undefined;
  if (input.type === 'SELECT' || input.type === 'ENUM') return values?.[0] ?? input.id;
  if (input.type === 'MULTISELECT') return values?.slice(0, 1) ?? [];
  if (input.type === 'FILE') return `millrace:///mock/${input.id}`;
  if (input.type === 'INT' || input.type === 'FLOAT') {
    const min = Number(input.min ?? Number.NaN);
    return Number.isFinite(min) ? min : generatedByType[input.type];
  }
  return generatedByType[input.type] ?? input.id;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asMap = (value: unknown): Values => (isSchema(value) ? value : {});

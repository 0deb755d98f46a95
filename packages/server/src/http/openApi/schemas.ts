import * as contract from '@millrace/contract';
import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

type Direction = 'input' | 'output';

const prefix = '#/components/schemas/';

/**
 * JSON schemas of requests and responses. A schema that the contract exports appears once, under its name;
 * where input and output differ, each has its own.
 */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #names = z.registry<{ id: string }>();

  constructor() {
    for (const [name, schema] of exportedSchemas()) this.#names.add(schema, { id: name });
  }

  of(schema: z.ZodType, direction: Direction): JsonSchema {
    const json = z.toJSONSchema(schema, {
      metadata: this.#names,
      io: direction,
      unrepresentable: 'any',
    }) as JsonSchema;
    const { $schema: _, $defs = {}, id, ...own } = json;
    const renamed = new Map<string, string>();
    const definitions = Object.entries($defs as Record<string, JsonSchema>);
    if (typeof id === 'string') definitions.push([id, own]);
    for (const [name] of definitions) {
      renamed.set(name, direction === 'output' ? name : `${name}Input`);
    }
    // A schema that is the same in both directions needs only one name.
    for (const [name, definition] of definitions) {
      const shared = this.components[name];
      const isSame =
        shared !== undefined && JSON.stringify(clean(definition, renamed)) === JSON.stringify(shared);
      if (direction === 'input' && isSame) renamed.set(name, name);
    }
    for (const [name, definition] of definitions) {
      this.components[renamed.get(name) ?? name] ??= clean(definition, renamed);
    }
    return typeof id === 'string' ? { $ref: prefix + (renamed.get(id) ?? id) } : clean(own, renamed);
  }
}

/** Exported schemas by name: capitalized exports at the top of the contract or next to a resource's calls. */
function exportedSchemas(): [string, z.ZodType][] {
  const found = new Map<z.ZodType, string>();
  const groups = [contract, ...Object.values(contract).filter((value) => isGroup(value))];
  const taken = new Set<string>();
  for (const group of groups) {
    for (const [name, value] of Object.entries(group)) {
      if (!(value instanceof z.ZodType) || !/^[A-Z]/.test(name) || found.has(value) || taken.has(name))
        continue;
      found.set(value, name);
      taken.add(name);
    }
  }
  return [...found].map(([schema, name]) => [name, schema]);
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof z.ZodType) && !Array.isArray(value);

/** Points references at the components and removes Zod-specific keywords. */
function clean(value: unknown, renamed: ReadonlyMap<string, string>): JsonSchema {
  return cleanValue(value, renamed) as JsonSchema;
}

function cleanValue(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (key === '$ref' && typeof item === 'string') {
      const name = item.replace('#/$defs/', '');
      return [['$ref', prefix + (renamed.get(name) ?? name)]];
    }
    if (key === 'id' && typeof item === 'string') return [];
    return [[key, cleanValue(item, renamed)]];
  });
  return Object.fromEntries(entries);
}

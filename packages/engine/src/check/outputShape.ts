import { isData } from '../flow/read/fields.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Key {
  readonly key: string | undefined;
}

/** The first step that a schema rules out: the names that exist instead, or none below a plain value. */
export interface MissingStep {
  readonly index: number;
  readonly names: readonly string[];
  /** The kind of plain value that has no properties at all. */
  readonly plain?: 'text' | 'number' | 'boolean';
}

const plainKinds: Readonly<Record<string, MissingStep['plain']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

/** Follows steps through a JSON Schema. Where the schema is open or unclear, everything may exist. */
export function missingStep(schema: Schema, steps: readonly Key[]): MissingStep | undefined {
  let at: unknown = schema;
  for (const [index, { key }] of steps.entries()) {
    if (!isData(at) || hasChoice(at)) return undefined;
    const kind = typeof at.type === 'string' ? at.type : undefined;
    const plain = kind === undefined ? undefined : plainKinds[kind];
    if (plain) return key === undefined || isIndex(key) ? undefined : { index, names: [], plain };
    if (kind === 'array') at = key === undefined || isIndex(key) ? at.items : undefined;
    else if (kind === 'object') {
      if (key === undefined) return undefined;
      const properties = propertiesOf(at);
      if (properties && Object.hasOwn(properties, key)) at = properties[key];
      else if (isClosed(at)) return { index, names: Object.keys(properties ?? {}) };
      else at = at.additionalProperties;
    } else return undefined;
  }
  return undefined;
}

/** The part of a schema that steps lead to; undefined when it is unknown. */
export function shapeAt(schema: unknown, steps: readonly Key[]): Schema | undefined {
  let at: unknown = schema;
  for (const { key } of steps) {
    if (!isData(at)) return undefined;
    if (at.type === 'array') at = at.items;
    else {
      const properties = propertiesOf(at);
      at =
        key !== undefined && properties && Object.hasOwn(properties, key)
          ? properties[key]
          : at.additionalProperties;
    }
  }
  return isData(at) ? at : undefined;
}

export const propertiesOf = (schema: Schema | undefined): Schema | undefined =>
  isData(schema?.properties) ? schema.properties : undefined;

/** Whether only the listed properties exist. */
export const isClosed = (schema: Schema): boolean =>
  isData(schema.properties) &&
  (schema.additionalProperties === undefined || schema.additionalProperties === false);

const hasChoice = (schema: Schema): boolean =>
  ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'patternProperties'].some((word) => word in schema);

const isIndex = (key: string): boolean => /^-?\d+$/.test(key);

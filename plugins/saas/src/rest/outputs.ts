import { isMap } from '@millrace/plugin-kit';
import { z } from 'zod';

/** An output field: its type and its path in the service's response. */
export interface Output {
  readonly description: string;
  readonly kind: keyof typeof kinds;
  /** The path: dots separate map keys, numbers index lists. Default: the name of the output. */
  readonly from?: string;
}

export type OutputFields = Readonly<Record<string, Output>>;

const anyMap = () => z.record(z.string(), z.unknown());

const kinds = {
  text: () => z.string(),
  integer: () => z.number().int(),
  decimal: () => z.number(),
  flag: () => z.boolean(),
  map: anyMap,
  maps: () => z.array(anyMap()),
  texts: () => z.array(z.string()),
  list: () => z.array(z.unknown()),
  any: () => z.unknown(),
};

const field =
  (kind: Output['kind']) =>
  (description: string, from?: string): Output => ({
    kind,
    description,
    ...(from !== undefined && { from }),
  });

export const out = {
  text: field('text'),
  integer: field('integer'),
  decimal: field('decimal'),
  flag: field('flag'),
  map: field('map'),
  maps: field('maps'),
  texts: field('texts'),
  list: field('list'),
  any: field('any'),
};

/** Services leave fields out, so every output is optional. */
export const outputSchema = (fields: OutputFields): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind, description }]) => [
      name,
      kinds[kind]().optional().describe(description),
    ]),
  );

/** Reads the outputs from a response; missing ones are omitted. */
export function readOutputs(fields: OutputFields, response: unknown): Record<string, unknown> {
  const found = Object.entries(fields).map(([name, { kind, from }]) => [
    name,
    convert(kind, valueAt(response, from ?? name)),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}

/** Services write ids as numbers and counts as texts; outputs have one type. */
function convert(kind: Output['kind'], value: unknown): unknown {
  if (kind === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if ((kind === 'integer' || kind === 'decimal') && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isNaN(number) ? undefined : number;
  }
  return value;
}

/** The value at a path such as `data.items.0.id`; the whole value for an empty path. A key with dots is found as it is. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (isMap(value) && path in value) return value[path];
  let here = value;
  for (const step of path.split('.')) {
    if (Array.isArray(here)) here = here.at(Number(step));
    else if (isMap(here)) here = here[step];
    else return undefined;
  }
  return here;
}

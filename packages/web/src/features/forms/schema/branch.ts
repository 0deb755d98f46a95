import { parse } from 'yaml';
import { isMap } from '../source/edit.ts';
import { print } from '../source/print.ts';
import { asSchema, listOf, type Schema, textOf } from './schema.ts';

/** Which alternative a value belongs to; -1 when it fits none. */
export function branchOf(branches: readonly Schema[], value: unknown): number {
  if (value === undefined || value === null) return -1;
  if (isMap(value) && 'type' in value) {
    const byType = branches.findIndex((branch) => {
      const type = asSchema(asSchema(branch.properties).type);
      return type.const === value.type || listOf(type.enum).includes(value.type);
    });
    if (byType !== -1) return byType;
  }
  const fitting = branches.findIndex((branch) => fits(branch, value));
  return fitting;
}

function fits({ type, enum: choices }: Schema, value: unknown): boolean {
  if (listOf(choices).length > 0) return listOf(choices).includes(value);
  const types = typeof type === 'string' ? [type] : listOf(type);
  if (types.length === 0) return true;
  return types.some((name) => {
    if (name === 'array') return Array.isArray(value);
    if (name === 'object') return isMap(value);
    if (name === 'integer') return Number.isInteger(value);
    return typeof value === name;
  });
}

/** The value carried over to another alternative, as much of it as can be. */
export function toBranch(branch: Schema, value: unknown): unknown {
  const type = textOf(branch.type);
  if (value === undefined || value === null || value === '') return emptyOf(branch);
  if (type === 'array') {
    const read = typeof value === 'string' ? readOr(value, value) : value;
    return Array.isArray(read) ? read : [read];
  }
  if (type === 'object') {
    const read = typeof value === 'string' ? readOr(value, undefined) : value;
    const properties = asSchema(branch.properties);
    if (!isMap(read)) return emptyOf(branch);
    return branch.additionalProperties === false
      ? Object.fromEntries(Object.entries(read).filter(([name]) => name in properties))
      : read;
  }
  if (type === 'string') {
    if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0];
    return typeof value === 'object' ? print(value) : String(value);
  }
  if (type === 'integer' || type === 'number')
    return Number.isFinite(Number(value)) ? Number(value) : undefined;
  if (type === 'boolean') return value === true || value === 'true';
  return value;
}

/** How an alternative begins: with what it says itself. */
function emptyOf(branch: Schema): unknown {
  if (branch.default !== undefined) return branch.default;
  const type = textOf(branch.type);
  if (type === 'array') return [''];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'object') return requiredDefaults(branch);
  return '';
}

/** The required properties that the schema itself gives a value. */
export function requiredDefaults(schema: Schema): Record<string, unknown> {
  const properties = asSchema(schema.properties);
  return Object.fromEntries(
    listOf(schema.required).flatMap((name) => {
      const { default: fallback, const: fixed } = asSchema(properties[String(name)]);
      const value = fixed ?? fallback;
      return value === undefined ? [] : [[String(name), value]];
    }),
  );
}

function readOr(text: string, otherwise: unknown): unknown {
  try {
    return parse(text);
  } catch {
    return otherwise;
  }
}

/** What an alternative is called. */
export const branchName = (branch: Schema): string =>
  textOf(branch.title) ??
  textOf(asSchema(asSchema(branch.properties).type).const) ??
  (typeof branch.type === 'string' ? branch.type : 'any');

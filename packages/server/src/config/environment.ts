import { z } from 'zod';
import { clientVariables } from '../cli/client/variables.ts';
import { Config } from './schema.ts';

const prefix = 'MILLRACE_';
/** Variables with another reader: the whole configuration, its file, and those of client commands. */
const ownNames = new Set(['MILLRACE_CONFIGURATION', 'MILLRACE_CONFIG', ...clientVariables]);

export interface EnvironmentSettings {
  readonly settings: Record<string, unknown>;
  readonly unknownNames: readonly string[];
}

/** `MILLRACE_SERVER_MANAGEMENT_PORT=1` sets `server.managementPort`. Lists are separated by commas. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentSettings {
  const settings: Record<string, unknown> = {};
  const unknownNames: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || ownNames.has(name) || value === undefined) continue;
    const leaf = leaves.get(name);
    if (leaf) setAt(settings, leaf.path, leaf.isList ? splitList(value) : value);
    else unknownNames.push(name);
  }
  return { settings, unknownNames };
}

/** `['server', 'managementPort']` → `MILLRACE_SERVER_MANAGEMENT_PORT`. */
export function environmentName(path: readonly string[]): string {
  return prefix + path.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()).join('_');
}

interface Leaf {
  readonly path: readonly string[];
  readonly isList: boolean;
}

const leaves = collectLeaves(Config, [], new Map());

function collectLeaves(
  schema: z.ZodType,
  path: readonly string[],
  found: Map<string, Leaf>,
): Map<string, Leaf> {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    for (const [key, child] of Object.entries<z.ZodType>(inner.shape))
      collectLeaves(child, [...path, key], found);
  } else if (!(inner instanceof z.ZodRecord)) {
    found.set(environmentName(path), { path, isList: inner instanceof z.ZodArray });
  }
  return found;
}

function unwrap(schema: z.ZodType): z.ZodType {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    inner = inner.unwrap();
  }
  return inner as z.ZodType;
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let place = target;
  for (const part of path.slice(0, -1)) {
    place[part] ??= {};
    // Only objects are put at inner parts, one line above.
    place = place[part] as Record<string, unknown>;
  }
  place[path.at(-1) ?? ''] = value;
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

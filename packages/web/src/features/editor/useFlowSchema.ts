import { plugins } from '@millrace/contract';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { call } from '../../api/index.ts';
import { loadMonaco } from '../../ui/code/index.ts';

/** The name every flow text has in the editor; the schema is matched by its ending. */
export const FLOW_PATH = 'flow.flow.yaml';

/** The server's schema of flows. It changes only with the server. */
const outlineQuery = () =>
  queryOptions({
    queryKey: ['schema', 'flow'],
    queryFn: ({ signal }) =>
      call(plugins.getFlowSchema, {
        params: { type: 'flow' },
        query: { arrayOf: false, outline: true },
        signal,
        failures: 'handled',
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The schemas of types by the names they were asked for; null for a name that the server does not know. */
type Known = Readonly<Record<string, plugins.TypeSchema | null>>;

const knownKey = ['schema', 'types'];
const noTypes: readonly (plugins.TypeSchema | null)[] = [];

/** The named types and every other one that was read before. */
async function readTypes(client: QueryClient, names: readonly string[]): Promise<Known> {
  const before = client.getQueryData<Known>(knownKey) ?? {};
  const missing = names.filter((name) => !(name in before));
  if (missing.length === 0) return before;
  const found = await call(plugins.listTypeSchemas, {
    query: { types: missing.join(',') },
    failures: 'handled',
  });
  const read = missing.map((name) => [name, found.find(({ names }) => names.includes(name)) ?? null]);
  return client.setQueryData<Known>(knownKey, (known) => ({ ...known, ...Object.fromEntries(read) })) ?? {};
}

export interface FlowSchema {
  /** Names every type, and describes those that the text uses. */
  readonly data: JsonSchema | undefined;
  /** What is known about the types that the text uses. */
  readonly types: readonly (plugins.TypeSchema | null)[];
  readonly error: Error | null;
  refetch(): unknown;
  /** The schema of a type that the text does not use yet; undefined for one that the server does not know. */
  readType(type: string): Promise<JsonSchema | undefined>;
}

/** The schema for a text: there may be more than a thousand types, and a text uses a few of them. */
export function useFlowSchema(source: string): FlowSchema {
  const client = useQueryClient();
  const outline = useQuery(outlineQuery());
  const used = outline.data ? typesIn(source, outline.data).join(',') : undefined;
  const types = useQuery({
    queryKey: [...knownKey, used],
    queryFn: () => readTypes(client, used ? used.split(',') : []),
    enabled: used !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  const known = useMemo(() => (types.data ? Object.values(types.data) : noTypes), [types.data]);
  const data = useMemo(
    () => outline.data && types.data && addTypes(outline.data, known),
    [outline.data, types.data, known],
  );
  const readType = useCallback(
    async (type: string) => (await readTypes(client, [type]))[type]?.schema,
    [client],
  );
  return {
    data,
    types: known,
    error: outline.error ?? types.error,
    refetch: () => (outline.error ? outline.refetch() : types.refetch()),
    readType,
  };
}

/** Gives the code editor the schema: completion, hover and validation follow from it. */
export function useCodeSchema(schema: JsonSchema | undefined): void {
  useEffect(() => {
    if (!schema) return;
    loadMonaco().then(
      ({ setYamlSchema }) =>
        setYamlSchema({
          uri: 'inmemory://schema/flow.json',
          fileMatch: ['**/*.flow.yaml'],
          schema: withoutOldNames(schema),
        }),
      () => {}, // The editor itself says that it could not be loaded.
    );
  }, [schema]);
}

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

/**
 * The schema for completion. A branch lists all names of its type, and every word of such a list would be offered: as a
 * pattern, older names are accepted and not offered.
 */
export function withoutOldNames(schema: JsonSchema): JsonSchema {
  const definitions = Object.entries(asMap(schema.definitions)).map(([name, definition]) => {
    const { allOf, ...rest } = asMap(definition);
    return [name, Array.isArray(allOf) ? { ...rest, allOf: allOf.map(byPattern) } : definition];
  });
  return { ...schema, definitions: Object.fromEntries(definitions) };
}

function byPattern(branch: unknown): unknown {
  const condition = asMap(asMap(branch).if);
  const { type, ...others } = asMap(condition.properties);
  const names: unknown = asMap(type).enum;
  if (!Array.isArray(names)) return branch;
  const pattern = `^(${names.map((name) => String(name).replaceAll('.', '\\.')).join('|')})$`;
  return { ...asMap(branch), if: { ...condition, properties: { ...others, type: { pattern } } } };
}

const asMap = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

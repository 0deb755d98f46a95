import { plugins } from '@millrace/contract';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { call } from '../../api/index.ts';
import { loadMonaco } from '../../ui/code/index.ts';
import { addTypes, type JsonSchema, typesIn } from './flowSchema.ts';

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
  const data = useMemo(
    () => outline.data && types.data && addTypes(outline.data, Object.values(types.data)),
    [outline.data, types.data],
  );
  const readType = useCallback(
    async (type: string) => (await readTypes(client, [type]))[type]?.schema,
    [client],
  );
  return {
    data,
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
        setYamlSchema({ uri: 'inmemory://schema/flow.json', fileMatch: ['**/*.flow.yaml'], schema }),
      () => {}, // The editor itself says that it could not be loaded.
    );
  }, [schema]);
}

import { readYaml, shortType } from '@millrace/engine';
import { hasOwnType, nearestType, type PluginCatalogue } from '@millrace/plugin-kit';
import { CommandFailure } from '../command.ts';

/** A type that flows use and this version of the product does not have. */
export interface MissingType {
  readonly type: string;
  /** How often it is used. */
  readonly uses: number;
  /** In how many flows. */
  readonly flows: number;
  readonly nearest: string | undefined;
}

/** The types of these flows that the catalogue does not know, the most used first. */
export function findMissingTypes(flows: Iterable<unknown>, catalogue: PluginCatalogue): MissingType[] {
  const uses = new Map<string, number>();
  const flowsOf = new Map<string, number>();
  for (const flow of flows) {
    const types = typesIn(flow, catalogue).filter((type) => catalogue.find(type) === undefined);
    for (const type of types) uses.set(type, (uses.get(type) ?? 0) + 1);
    for (const type of new Set(types)) flowsOf.set(type, (flowsOf.get(type) ?? 0) + 1);
  }
  const names = catalogue.list().map(({ type }) => type);
  return [...uses]
    .map(([type, count]) => ({
      type,
      uses: count,
      flows: flowsOf.get(type) ?? 0,
      nearest: nearestType(type, names),
    }))
    .sort((a, b) => b.uses - a.uses || a.type.localeCompare(b.type));
}

/** A type of a plugin: a name with dots whose last part is a class. The types of inputs have none. */
const pluginType = /^[a-z][\w]*(\.[\w-]+)*\.[A-Z]\w*$/;

function typesIn(value: unknown, catalogue: PluginCatalogue, isPlugin = true): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => typesIn(each, catalogue, isPlugin));
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as { type?: unknown };
  const isType = typeof type === 'string' && pluginType.test(type);
  const definition = isType ? catalogue.find(type)?.definition : undefined;
  return [
    ...(isType && isPlugin ? [shortType(type)] : []),
    ...Object.entries(value).flatMap(([name, each]) =>
      typesIn(each, catalogue, definition === undefined || !hasOwnType(definition, name)),
    ),
  ];
}

/** Parses texts, whether or not they are flows that can be saved. `refuse` gets those that are no YAML. */
export function readAnyFlows(
  sources: readonly { readonly origin: string; readonly text: string }[],
  refuse: (message: string) => void,
): unknown[] {
  return sources.flatMap(({ origin, text }) => {
    const reading = readYaml(text);
    if (!('problem' in reading)) return [reading.data];
    refuse(`${origin} is left out, because it is not valid YAML: ${reading.problem.message}`);
    return [];
  });
}

const pageSize = 100;

/** Every flow of a running Kestra or Millrace server; newer Kestra versions need the tenant in the URL. */
export async function readFlowsOf(url: string, authorization: string | undefined): Promise<unknown[]> {
  const flows: unknown[] = [];
  const root = url.replace(/\/+$/, '');
  let base = `${root}/api/v1/main`;
  for (let page = 1; ; page++) {
    let response = await read(`${base}/flows/search?page=${page}&size=${pageSize}`, authorization);
    if (response.status === 404 && page === 1) {
      base = `${root}/api/v1`;
      response = await read(`${base}/flows/search?page=${page}&size=${pageSize}`, authorization);
    }
    if (!response.ok)
      throw new CommandFailure(`${root} responded with ${response.status} to the list of flows.`);
    const { results = [] } = (await response.json()) as { results?: unknown[] };
    flows.push(...results);
    if (results.length < pageSize) return flows;
  }
}

async function read(address: string, authorization: string | undefined): Promise<Response> {
  try {
    return await fetch(address, authorization === undefined ? {} : { headers: { authorization } });
  } catch (cause) {
    throw new CommandFailure(`${new URL(address).origin} cannot be reached.`, { cause });
  }
}

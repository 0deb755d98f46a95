import { AppError, type Flow, type FlowTopology, mainTenant } from '@millrace/contract';
import { dependenciesBetween, type FlowDependency, type FlowKey, flowDependencies } from '@millrace/engine';
import type { Store } from '@millrace/store';
import type { FlowCache } from './flowCache.ts';

type Parts = { readonly store: Store; readonly flows: FlowCache };

/** The flows that start this one and those it starts; with `expandAll` also theirs, and so on. */
export async function flowTopology(
  key: FlowKey,
  choice: { readonly destinationOnly: boolean; readonly expandAll: boolean },
  parts: Parts,
): Promise<FlowTopology> {
  const found = await parts.flows.find(key.namespace, key.id);
  if (!found || found.record.deleted)
    throw new AppError('not-found', `there is no flow "${key.id}" in the namespace "${key.namespace}"`);
  const all = await readRelatedFlows(parts, key.id);
  const isHere = isSame(key);
  const edges = (
    choice.expandAll
      ? reachable(key, flowDependencies(await readRelatedFlows(parts)))
      : dependenciesBetween(found.flow, all)
  ).filter(({ target }) => !choice.destinationOnly || isHere(target));
  return toTopology([key], existing(edges, all));
}

/** Every flow of a namespace, even a flow without any relation, and the flows related to them. */
export async function namespaceTopology(
  namespace: string,
  destinationOnly: boolean,
  parts: Parts,
): Promise<FlowTopology> {
  const all = await readRelatedFlows(parts);
  const isHere = (key: FlowKey) => key.namespace === namespace;
  const edges = flowDependencies(all).filter(
    ({ source, target }) => isHere(target) || (!destinationOnly && isHere(source)),
  );
  return toTopology(all.filter(isHere), existing(edges, all));
}

/** Types that relate flows, under all the names they go by. */
const relates = /Subflow|ForEachItem|flows?\.Flow|trigger\.Flow|types\.Flow/;

/**
 * Every flow. Only the sources of flows that can be related to another one are parsed, because parsing
 * thousands of sources would block the server. With `id`: only flows that can be related to that flow.
 */
async function readRelatedFlows({ store, flows }: Parts, id?: string): Promise<Flow[]> {
  const found: Flow[] = [];
  const size = 1_000;
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size, filters: [] });
    for (const record of results) {
      const { source, namespace, id: own, revision } = record;
      const isRelated =
        relates.test(source) && (id === undefined || source.includes(id) || /\.Flow\b/.test(source));
      found.push(
        isRelated
          ? flows.read(record).flow
          : { namespace, id: own, revision, tasks: [], disabled: false, deleted: false },
      );
    }
    if (results.length < size) return found;
  }
}

/** A call of a flow that is not there leads nowhere. */
function existing(edges: readonly FlowDependency[], all: readonly FlowKey[]): FlowDependency[] {
  const known = new Set(all.map(uidOf));
  return edges.filter(({ source, target }) => known.has(uidOf(source)) && known.has(uidOf(target)));
}

const isSame = (key: FlowKey) => (other: FlowKey) => other.namespace === key.namespace && other.id === key.id;

function reachable(start: FlowKey, all: readonly FlowDependency[]): FlowDependency[] {
  const seen = new Set([uidOf(start)]);
  const edges = new Set<FlowDependency>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const edge of all) {
      const ends = [uidOf(edge.source), uidOf(edge.target)];
      if (edges.has(edge) || !ends.some((uid) => seen.has(uid))) continue;
      for (const uid of ends) seen.add(uid);
      edges.add(edge);
      grew = true;
    }
  }
  return [...edges];
}

function toTopology(keys: readonly FlowKey[], edges: readonly FlowDependency[]): FlowTopology {
  const ends = edges.flatMap(({ source, target }) => [source, target]);
  const nodes = new Map(
    [...keys, ...ends].map(({ namespace, id }) => [uidOf({ namespace, id }), { namespace, id }]),
  );
  const links = new Map(
    edges.map(({ source, target, relation }) => {
      const edge = { source: uidOf(source), target: uidOf(target), relation };
      return [JSON.stringify(edge), edge];
    }),
  );
  return {
    nodes: [...nodes].map(([uid, key]) => ({ uid, tenantId: mainTenant, ...key })),
    edges: [...links.values()],
  };
}

const uidOf = ({ namespace, id }: FlowKey): string => `${mainTenant}_${namespace}_${id}`;

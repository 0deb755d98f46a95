import { AppError, type FlowRecord } from '@millrace/contract';
import { splitSources } from '@millrace/engine';
import { deleteFlow } from './deleteFlow.ts';
import type { StoredFlow } from './flowCache.ts';
import { importFlow, readFlow, type SaveOptions, type SaveParts } from './saveFlow.ts';

interface Scope {
  /** The namespace that every flow must have; absent for any. */
  readonly namespace?: string;
  readonly takesChildren: boolean;
  /** Flows of the scope that the text does not have are deleted. */
  readonly deletesOthers: boolean;
}

/** Makes the flows of a text those of a namespace. Nothing is touched before every document is known to be good. */
export async function saveFlows(
  text: string,
  scope: Scope,
  parts: SaveParts,
  options: SaveOptions = {},
): Promise<StoredFlow[]> {
  const sources = text.trim() === '' ? [] : splitSources(text);
  const wanted = new Set<string>();
  for (const source of sources) {
    const { namespace, id } = readFlow(source, parts, options).flow;
    if (!isInside(namespace, scope)) throw refuse('namespace', `the flow "${id}" is of "${namespace}"`);
    const key = keyOf({ namespace, id });
    if (wanted.has(key)) throw refuse('id', `the flow "${id}" appears twice`);
    wanted.add(key);
  }
  const deleted: StoredFlow[] = [];
  for (const record of scope.deletesOthers ? await flowsInside(scope, parts) : []) {
    if (wanted.has(keyOf(record))) continue;
    await deleteFlow(record, parts);
    const marker = await parts.flows.find(record.namespace, record.id);
    if (marker) deleted.push(marker);
  }
  const saved: StoredFlow[] = [];
  for (const source of sources) saved.push(await importFlow(source, parts, options));
  return [...deleted, ...saved];
}

function isInside(namespace: string, { namespace: root, takesChildren }: Scope): boolean {
  if (root === undefined || namespace === root) return true;
  return takesChildren && namespace.startsWith(`${root}.`);
}

async function flowsInside(scope: Scope, { store }: SaveParts): Promise<FlowRecord[]> {
  const operation = scope.takesChildren ? 'STARTS_WITH' : 'EQUALS';
  const filters =
    scope.namespace === undefined ? [] : [{ field: 'namespace', operation, value: scope.namespace } as const];
  const all: FlowRecord[] = [];
  const size = 1_000;
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size, filters });
    all.push(...results);
    if (results.length < size) return all;
  }
}

const keyOf = ({ namespace, id }: { namespace: string; id: string }): string => `${namespace}/${id}`;

function refuse(path: string, message: string): AppError {
  return new AppError('invalid-entity', `${path}: ${message}`, { errors: [{ path, message }] });
}

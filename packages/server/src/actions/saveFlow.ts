import { AppError, type Flow, type FlowRecord, mainTenant } from '@millrace/contract';
import {
  applyDefaults,
  describeErrors,
  isSameSource,
  onlyUnknownTypes,
  type ParsedFlow,
  parseFlow,
  setDisabled,
  stripRevision,
} from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import { Conflict, type Op, type Store } from '@millrace/store';
import type { FlowEvents } from '../scheduler/flowEvents.ts';
import { syncTriggers } from '../scheduler/syncTriggers.ts';
import type { FlowCache, StoredFlow } from './flowCache.ts';

export type SaveParts = {
  readonly store: Store;
  readonly catalogue: PluginCatalogue;
  readonly flows: FlowCache;
  readonly flowTriggers: FlowEvents;
  readonly clock: () => number;
};

export interface SaveOptions {
  /** The revision that the text is based on. */
  readonly baseRevision?: number | undefined;
  /** Save a flow whose only errors are types that no plugin provides, disabled. */
  readonly keepUnknownTypes?: boolean | undefined;
  /** The user who saves. */
  readonly author?: string | undefined;
  /** Why the user saves. */
  readonly message?: string | undefined;
}

/**
 * Saves a flow that does not exist yet, or revives a deleted one. Its revisions count on. With a `baseRevision` the same
 * text a second time returns the flow that the first save created.
 */
export async function createFlow(
  written: string,
  parts: SaveParts,
  options: SaveOptions = {},
): Promise<StoredFlow> {
  const { flow, source } = readFlow(written, parts, options);
  const { baseRevision } = options;
  return saveOnce({ key: flow, source, baseRevision }, parts, async () => {
    const latest = await parts.store.getFlow(flow.namespace, flow.id);
    if (latest && !latest.deleted) throw refuse('id', 'Flow id already exists');
    return save({ flow, source, latest, options }, parts);
  });
}

/** Saves a flow that is new, has changed, or was deleted. */
export async function importFlow(
  written: string,
  parts: SaveParts,
  options: SaveOptions = {},
): Promise<StoredFlow> {
  const { flow, source } = readFlow(written, parts, options);
  const latest = await parts.store.getFlow(flow.namespace, flow.id);
  return save({ flow, source, latest, options }, parts);
}

interface FlowKey {
  readonly namespace: string;
  readonly id: string;
}

/**
 * Saves a new revision of a flow; the same text again changes nothing. With the `baseRevision` of the edit it never
 * overwrites a revision that the author has not seen.
 */
export async function updateFlow(
  key: FlowKey,
  written: string,
  parts: SaveParts,
  options: SaveOptions = {},
): Promise<StoredFlow> {
  const latest = await parts.store.getFlow(key.namespace, key.id);
  if (!latest || latest.deleted) {
    throw new AppError('not-found', `there is no flow "${key.id}" in the namespace "${key.namespace}"`);
  }
  const { flow, source } = readFlow(written, parts, options);
  const { baseRevision } = options;
  if (flow.id !== key.id) throw refuse('id', `the id "${key.id}" of a flow cannot be changed`);
  if (flow.namespace !== key.namespace) {
    throw refuse('namespace', `the namespace "${key.namespace}" of a flow cannot be changed`);
  }
  return saveOnce({ key, source, baseRevision }, parts, async () => {
    if (baseRevision !== undefined && latest.revision !== baseRevision) {
      const message = `the flow "${key.id}" has revision ${latest.revision}, but the change is based on revision ${baseRevision}; load the latest revision and repeat the change`;
      throw new AppError('conflict', message);
    }
    return save({ flow, source, latest, options }, parts);
  });
}

interface BasedSave {
  readonly key: FlowKey;
  readonly source: string;
  readonly baseRevision: number | undefined;
}

/**
 * A refused save may be a retry of a committed save whose response got lost or that still runs. Then it
 * returns the newest revision after its base with the same text.
 */
async function saveOnce(
  { key, source, baseRevision }: BasedSave,
  { store, flows }: SaveParts,
  attempt: () => Promise<StoredFlow>,
): Promise<StoredFlow> {
  try {
    return await attempt();
  } catch (error) {
    if (baseRevision === undefined || !(error instanceof AppError)) throw error;
    const saved = (await store.listRevisions(key.namespace, key.id)).findLast(
      (record) => record.revision > baseRevision && !record.deleted && isSameSource(record.source, source),
    );
    if (!saved) throw error;
    return flows.read(saved);
  }
}

interface Saved {
  readonly flow: Flow;
  readonly source: string;
  readonly latest: FlowRecord | undefined;
  readonly options: SaveOptions;
}

async function save({ flow, source, latest, options }: Saved, parts: SaveParts): Promise<StoredFlow> {
  if (latest && !latest.deleted && isSameSource(latest.source, source)) return parts.flows.read(latest);
  const message = options.message?.trim();
  const record: FlowRecord = {
    tenantId: mainTenant,
    namespace: flow.namespace,
    id: flow.id,
    revision: (latest?.revision ?? 0) + 1,
    source: stripRevision(source),
    ...(flow.description === undefined ? {} : { description: flow.description }),
    labels: flow.labels ?? [],
    disabled: flow.disabled,
    deleted: false,
    updatedAt: parts.clock(),
    ...(options.author && { author: options.author }),
    ...(message && { message }),
  };
  await insertRevision(record, { latest, flow }, parts);
  return parts.flows.read(record);
}

interface Change {
  /** The revision before. */
  readonly latest: FlowRecord | undefined;
  /** The flow of the new revision; undefined when the revision deletes the flow. */
  readonly flow: Flow | undefined;
}

/** The retries when triggers fire while their flow is saved; more conflicts do not occur. */
const maxTries = 50;

/** Appends a revision and syncs its triggers; fails when another revision was appended meanwhile. */
export async function insertRevision(record: FlowRecord, change: Change, parts: SaveParts): Promise<void> {
  const { store, flows, flowTriggers } = parts;
  const { namespace, id } = record;
  const expectRevision = record.revision - 1;
  try {
    for (let tries = 1; ; tries++) {
      try {
        const triggers = await triggerOps(record, change, parts);
        await store.commit([{ op: 'flow.insert', flow: record, expectRevision }, ...triggers]);
        break;
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        const revision = (await store.getFlow(namespace, id))?.revision ?? 0;
        if (revision === expectRevision && tries < maxTries) continue;
        const message = `the flow "${id}" was saved by someone else meanwhile; load it again and repeat the change`;
        throw new AppError('conflict', message, { cause: error });
      }
    }
  } finally {
    flows.evict(namespace, id);
  }
  await flowTriggers.refresh(namespace, id);
}

async function triggerOps(
  { namespace, id, revision }: FlowRecord,
  { latest, flow }: Change,
  { store, flows, catalogue, clock }: SaveParts,
): Promise<Op[]> {
  return syncTriggers({
    before: latest && !latest.deleted ? flows.read(latest).runnable : undefined,
    after: flow && applyDefaults({ ...flow, revision }, { catalogue }),
    rows: await store.listFlowTriggers(namespace, id),
    now: clock(),
  });
}

/** The flow of a source and the source to store: a flow saved with unknown types is stored as disabled. */
export function readFlow(
  source: string,
  { catalogue }: Pick<SaveParts, 'catalogue'>,
  { keepUnknownTypes }: SaveOptions = {},
): { flow: Flow; source: string } {
  const parsed = parseFlow(source, catalogue);
  if (!keepUnknownTypes || !parsed.flow || !onlyUnknownTypes(parsed.issues))
    return { flow: fitFlow(parsed), source };
  return {
    flow: { ...parsed.flow, disabled: true },
    source: parsed.flow.disabled ? source : setDisabled(source, true),
  };
}

/** The flow of a text that has no errors; otherwise an error with one entry per problem. */
export function fitFlow({ flow, issues }: ParsedFlow): Flow {
  const problem = describeErrors(issues);
  if (flow && problem === undefined) return flow;
  const errors = issues.filter(({ severity }) => severity === 'error');
  throw new AppError('invalid-entity', problem ?? 'the text is not a flow', {
    errors: errors.map(({ message, path }) => ({ message, path })),
  });
}

function refuse(path: string, message: string): AppError {
  return new AppError('invalid-entity', `${path}: ${message}`, { errors: [{ path, message }] });
}

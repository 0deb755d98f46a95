import { AppError, type Flow, type FlowRecord } from '@millrace/contract';
import {
  applyDefaults,
  describeErrors,
  isSameSource,
  type ParsedFlow,
  parseFlow,
  stripRevision,
} from '@millrace/engine';
import { Conflict, type Op } from '@millrace/store';
import { mainTenant } from '../http/tenant.ts';
import type { Product } from '../product.ts';
import { syncTriggers } from '../triggers/syncTriggers.ts';
import type { StoredFlow } from './flowCache.ts';

export type SaveParts = Pick<Product, 'store' | 'catalogue' | 'flows' | 'flowTriggers' | 'clock'>;

/**
 * Saves a flow that does not exist yet, or revives a deleted one. Its revisions count on. With a `baseRevision` the same
 * text a second time returns the flow that the first save created.
 */
export async function createFlow(
  source: string,
  parts: SaveParts,
  baseRevision?: number,
): Promise<StoredFlow> {
  const flow = readFlow(source, parts);
  return saveOnce({ key: flow, source, baseRevision }, parts, async () => {
    const latest = await parts.store.getFlow(flow.namespace, flow.id);
    if (latest && !latest.deleted) throw refuse('id', 'Flow id already exists');
    return save(flow, source, latest, parts);
  });
}

/** Saves a flow that is new, has changed, or was deleted. */
export async function importFlow(source: string, parts: SaveParts): Promise<StoredFlow> {
  const flow = readFlow(source, parts);
  return save(flow, source, await parts.store.getFlow(flow.namespace, flow.id), parts);
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
  source: string,
  parts: SaveParts,
  baseRevision?: number,
): Promise<StoredFlow> {
  const latest = await parts.store.getFlow(key.namespace, key.id);
  if (!latest || latest.deleted) {
    throw new AppError('not-found', `there is no flow "${key.id}" in the namespace "${key.namespace}"`);
  }
  const flow = readFlow(source, parts);
  if (flow.id !== key.id) throw refuse('id', `the id "${key.id}" of a flow cannot be changed`);
  if (flow.namespace !== key.namespace) {
    throw refuse('namespace', `the namespace "${key.namespace}" of a flow cannot be changed`);
  }
  return saveOnce({ key, source, baseRevision }, parts, async () => {
    if (baseRevision !== undefined && latest.revision !== baseRevision) {
      const message = `the flow "${key.id}" has revision ${latest.revision}, but the change is based on revision ${baseRevision}; load the latest revision and repeat the change`;
      throw new AppError('conflict', message);
    }
    return save(flow, source, latest, parts);
  });
}

interface BasedSave {
  readonly key: FlowKey;
  readonly source: string;
  readonly baseRevision: number | undefined;
}

/**
 * A refused save may be the repetition of one that was committed and whose response got lost, also while the first one
 * still runs: it returns the newest revision after its base that has its text.
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

async function save(
  flow: Flow,
  text: string,
  latest: FlowRecord | undefined,
  parts: SaveParts,
): Promise<StoredFlow> {
  if (latest && !latest.deleted && isSameSource(latest.source, text)) return parts.flows.read(latest);
  const record: FlowRecord = {
    tenantId: mainTenant,
    namespace: flow.namespace,
    id: flow.id,
    revision: (latest?.revision ?? 0) + 1,
    source: stripRevision(text),
    ...(flow.description === undefined ? {} : { description: flow.description }),
    labels: flow.labels ?? [],
    disabled: flow.disabled,
    deleted: false,
    updatedAt: parts.clock(),
  };
  await insertRevision(record, { latest, flow }, parts);
  return parts.flows.read(record);
}

interface Change {
  /** The revision before. */
  readonly latest: FlowRecord | undefined;
  /** What the new revision says; undefined when it deletes the flow. */
  readonly flow: Flow | undefined;
}

/** A trigger that fires while its flow is saved is looked at again; it does not happen this often. */
const maxTries = 50;

/** Appends a revision and brings the triggers in line with it; fails when someone else has appended one meanwhile. */
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
    flows.forget(namespace, id);
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

function readFlow(source: string, { catalogue }: SaveParts): Flow {
  return fitFlow(parseFlow(source, catalogue));
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

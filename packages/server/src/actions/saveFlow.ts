import { AppError, type Flow, type FlowRecord } from '@millrace/contract';
import { describeErrors, isSameSource, type ParsedFlow, parseFlow, stripRevision } from '@millrace/engine';
import { Conflict } from '@millrace/store';
import { mainTenant } from '../http/tenant.ts';
import type { Product } from '../product.ts';
import type { StoredFlow } from './flowCache.ts';

type Parts = Pick<Product, 'store' | 'catalogue' | 'flows' | 'clock'>;

/** Saves a flow that does not exist yet, or revives a deleted one. Its revisions count on. */
export async function createFlow(source: string, parts: Parts): Promise<StoredFlow> {
  const flow = readFlow(source, parts);
  const latest = await parts.store.getFlow(flow.namespace, flow.id);
  if (latest && !latest.deleted) throw refuse('id', 'Flow id already exists');
  return save(flow, source, latest, parts);
}

/** Saves a new revision of a flow; the same text again changes nothing. */
export async function updateFlow(
  key: { readonly namespace: string; readonly id: string },
  source: string,
  parts: Parts,
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
  return save(flow, source, latest, parts);
}

async function save(
  flow: Flow,
  text: string,
  latest: FlowRecord | undefined,
  parts: Parts,
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
  await insertRevision(record, parts);
  return parts.flows.read(record);
}

/** Appends a revision; fails when someone else has appended one meanwhile. */
export async function insertRevision(record: FlowRecord, { store, flows }: Parts): Promise<void> {
  try {
    await store.commit([{ op: 'flow.insert', flow: record, expectRevision: record.revision - 1 }]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const message = `the flow "${record.id}" was saved by someone else meanwhile; load it again and repeat the change`;
    throw new AppError('conflict', message, { cause: error });
  } finally {
    flows.forget(record.namespace, record.id);
  }
}

function readFlow(source: string, { catalogue }: Parts): Flow {
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

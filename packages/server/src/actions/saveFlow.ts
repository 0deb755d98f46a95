import { AppError, type Flow, type FlowRecord, type Issue } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
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
  const source = withoutRevision(text);
  if (latest && !latest.deleted && withoutRevision(latest.source) === source) return parts.flows.read(latest);
  const record: FlowRecord = {
    tenantId: mainTenant,
    namespace: flow.namespace,
    id: flow.id,
    revision: (latest?.revision ?? 0) + 1,
    source,
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
  const parsed = parseFlow(source, catalogue);
  const errors = parsed.issues.filter((issue) => issue.severity === 'error');
  if (errors.length > 0 || !parsed.flow) throw invalidFlow(errors);
  return parsed.flow;
}

/** The error that saving an invalid flow gives: one entry per problem. */
export function invalidFlow(issues: readonly Issue[]): AppError {
  return new AppError('invalid-entity', issues.map(describeIssue).join(', '), {
    errors: issues.map(({ message, path }) => ({ message, path })),
  });
}

export function describeIssue({ path, message }: Issue): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Revisions are counted by the server; a number in the text would be wrong from the next save on. */
function withoutRevision(source: string): string {
  return source.replace(/^revision:[^\n]*(\n|$)/m, '');
}

function refuse(path: string, message: string): AppError {
  return new AppError('invalid-entity', `${path}: ${message}`, { errors: [{ path, message }] });
}

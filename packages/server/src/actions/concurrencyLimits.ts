import {
  AppError,
  type ConcurrencyLimit,
  type Flow,
  mainTenant,
  type PagedResults,
} from '@millrace/contract';
import type { Store } from '@millrace/store';
import { notPlayground } from '../alerts/rules/playground.ts';
import type { Admission } from '../executor/admission.ts';
import { holding } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { FlowCache } from './flowCache.ts';

type Parts = {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly admission: Admission;
  readonly executor: ExecutorPort;
};

/** Flows with a concurrency limit, and the number of slots in use for each. */
export async function listConcurrencyLimits(
  { page, size }: { readonly page: number; readonly size: number },
  parts: Parts,
): Promise<PagedResults<ConcurrencyLimit>> {
  const limited = await limitedFlows(parts);
  const shown = limited.slice((page - 1) * size, page * size);
  return { results: await Promise.all(shown.map((flow) => count(flow, parts))), total: limited.length };
}

/** Starts queued executions for which a concurrency slot is free. */
export async function refreshConcurrencyLimit(
  { namespace, flowId }: { readonly namespace: string; readonly flowId: string },
  parts: Parts,
): Promise<ConcurrencyLimit> {
  const found = await parts.flows.find(namespace, flowId);
  if (!found || found.record.deleted || !found.flow.concurrency)
    throw new AppError(
      'not-found',
      `there is no flow "${flowId}" with a concurrency limit in the namespace "${namespace}"`,
    );
  for (const id of await parts.admission.fill(found.flow)) parts.executor.notify(id, { type: 'start' });
  return count(found.flow, parts);
}

const pageSize = 1_000;

/** The source of every flow with a limit contains this word; the others need not be parsed. */
async function limitedFlows({ store, flows }: Parts): Promise<Flow[]> {
  const found: Flow[] = [];
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size: pageSize, filters: [], source: 'concurrency' });
    found.push(...results.map((record) => flows.read(record).flow).filter(({ concurrency }) => concurrency));
    if (results.length < pageSize) return found;
  }
}

async function count({ namespace, id }: Flow, { store }: Parts): Promise<ConcurrencyLimit> {
  const { total } = await store.listExecutions({
    page: 1,
    size: 1,
    filters: [
      { field: 'namespace', operation: 'EQUALS', value: namespace },
      { field: 'flowId', operation: 'EQUALS', value: id },
      { field: 'state', operation: 'IN', value: holding },
      notPlayground,
    ],
  });
  return { tenantId: mainTenant, namespace, flowId: id, running: total };
}

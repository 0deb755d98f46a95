import { AppError, type ConcurrencyLimit, type Flow, type PagedResults } from '@millrace/contract';
import { mainTenant } from '../http/tenant.ts';
import { holding } from '../loops/admission.ts';
import type { Product } from '../product.ts';

type Parts = Pick<Product, 'store' | 'flows' | 'admission' | 'executor'>;

/** Flows with a concurrency limit, and how many executions hold a place under each. */
export async function listConcurrencyLimits(
  { page, size }: { readonly page: number; readonly size: number },
  parts: Parts,
): Promise<PagedResults<ConcurrencyLimit>> {
  const limited = await limitedFlows(parts);
  const shown = limited.slice((page - 1) * size, page * size);
  return { results: await Promise.all(shown.map((flow) => count(flow, parts))), total: limited.length };
}

/** Whoever waits for a place that is free starts. */
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
  for (const id of await parts.admission.fill(found.flow)) parts.executor.tell(id, { type: 'start' });
  return count(found.flow, parts);
}

const pageSize = 1_000;

/** The word is in the source of every flow that has a limit; the others need not be read. */
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
    ],
  });
  return { tenantId: mainTenant, namespace, flowId: id, running: total };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Execution } from '@millrace/contract';
import type { Api } from '../../e2e/product/api.ts';

export interface Durations {
  readonly count: number;
  /** From the creation of the first execution to the end of the last one. */
  readonly spanSeconds: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly notSuccessful: number;
}

const pageSize = 500;
/** More pages add no information and load the server during the next measurement. */
const maxPages = 10;

/** The server's durations of a flow's executions, from created to ended. Waits for the last one to end. */
export async function readDurations(api: Api, flowId: string): Promise<Durations> {
  const query = { namespace: 'bench', flowId, sort: 'state.startDate:asc', size: String(pageSize) };
  await waitUntilOver(api, flowId);
  const first = await api.searchExecutions({ ...query, page: '1' });
  const pages = Math.ceil(first.total / pageSize);
  const step = Math.max(1, Math.floor(pages / maxPages));
  const executions = [...first.results];
  for (let page = 1 + step; page < pages; page += step) {
    executions.push(...(await api.searchExecutions({ ...query, page: String(page) })).results);
  }
  if (pages > 1) executions.push(...(await api.searchExecutions({ ...query, page: String(pages) })).results);
  return { count: first.total, ...summarize(executions) };
}

async function waitUntilOver(api: Api, flowId: string): Promise<void> {
  const state = 'CREATED,QUEUED,RUNNING,RESTARTED';
  while ((await api.searchExecutions({ namespace: 'bench', flowId, state, size: '1' })).total > 0)
    await wait(100);
}

function summarize(executions: readonly Execution[]): Omit<Durations, 'count'> {
  const times = executions.map(({ state }) => ({
    createdAt: Date.parse(state.histories[0]?.date ?? state.startDate),
    endedAt: Date.parse(state.endDate ?? ''),
  }));
  const durations = times.map(({ createdAt, endedAt }) => endedAt - createdAt).sort((a, b) => a - b);
  const at = (share: number) =>
    durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0;
  const firstAt = Math.min(...times.map(({ createdAt }) => createdAt));
  const lastAt = Math.max(...times.map(({ endedAt }) => endedAt));
  return {
    spanSeconds: (lastAt - firstAt) / 1000,
    meanMs: durations.reduce((sum, duration) => sum + duration, 0) / Math.max(1, durations.length),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    notSuccessful: executions.filter(({ state }) => state.current !== 'SUCCESS').length,
  };
}

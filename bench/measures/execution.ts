import { setTimeout as wait } from 'node:timers/promises';
import { terminalStates } from '@millrace/contract';
import type { Api } from '../../e2e/product/api.ts';

/** Runs a flow once and returns its duration, from created to ended, in milliseconds. */
export async function timeExecution(api: Api, flowId: string): Promise<number> {
  const over = { namespace: 'bench', flowId, state: terminalStates.join(','), size: '1' };
  const { total } = await api.searchExecutions(over);
  const { id } = await api.execute('bench', flowId);
  // Polls by state, which does not read the execution: reading it would load ten thousand task runs each
  // time.
  while ((await api.searchExecutions(over)).total === total) await wait(50);
  const { state } = await api.getExecution(id);
  if (state.current !== 'SUCCESS')
    throw new Error(`The execution ${id} of ${flowId} ended ${state.current}.`);
  return Date.parse(state.endDate ?? '') - Date.parse(state.histories[0]?.date ?? state.startDate);
}

export async function timeBestOf(times: number, api: Api, flowId: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < times; turn += 1) best = Math.min(best, await timeExecution(api, flowId));
  return best;
}

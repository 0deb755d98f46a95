import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Execution, isTerminal } from '@millrace/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatedFlow } from './journeys/gatedFlow.ts';
import { Api } from './product/api.ts';
import { eachDatabase } from './product/database.ts';
import { type LaunchOptions, launchProduct, type Product } from './product/launchProduct.ts';

const isOver = (execution: Execution) => isTerminal(execution.state.current);
const statesOf = (execution: Execution) =>
  (execution.taskRunList ?? []).map(({ taskId, state }) => `${taskId} ${state.current}`);

describe.each(eachDatabase)('on $name', ({ createDatabase }) => {
  let place: LaunchOptions & { data: string };
  let flow: GatedFlow;
  let product: Product;

  beforeEach(async () => {
    place = { data: mkdtempSync(join(tmpdir(), 'millrace-')), ...(await createDatabase()) };
    flow = new GatedFlow();
    product = await launchProduct(place);
  });

  afterEach(async () => {
    await product.stop('SIGKILL');
    flow.clean();
    rmSync(place.data, { recursive: true, force: true });
  });

  /** Starts the flow and waits until its second task stands at the gate. */
  async function startFlow(): Promise<string> {
    const api = new Api(product.url);
    await api.saveFlow(flow.source);
    const { id } = await api.execute(flow.namespace, flow.id);
    await flow.waitForRuns(['before', 'gate']);
    return id;
  }

  async function startAgainAndFinish(id: string): Promise<Execution> {
    product = await launchProduct(place);
    await flow.waitForRuns(['before', 'gate', 'gate']);
    flow.openGate();
    return new Api(product.url).waitForExecution(id, isOver);
  }

  it('resumes after kill -9: the running task runs again, a finished one does not', async () => {
    const id = await startFlow();
    await product.stop('SIGKILL');

    const execution = await startAgainAndFinish(id);

    expect(execution.state.current).toBe('SUCCESS');
    expect(statesOf(execution)).toEqual(['before SUCCESS', 'gate SUCCESS', 'after SUCCESS']);
    expect(flow.runs).toEqual(['before', 'gate', 'gate', 'after']);
  });

  it('hands a running task back on stop, and resumes at the next start', async () => {
    const id = await startFlow();
    const exit = await product.stop('SIGINT');
    expect(exit).toEqual({ code: 0, signal: null });

    const execution = await startAgainAndFinish(id);

    expect(execution.state.current).toBe('SUCCESS');
    expect(flow.runs).toEqual(['before', 'gate', 'gate', 'after']);
  });

  it('loses no acknowledged execution to kill -9 under load', async () => {
    const api = new Api(product.url);
    await api.saveFlow(`id: quick
namespace: journey
tasks:
  - id: one
    type: core.log.Log
    message: one
  - id: two
    type: core.log.Log
    message: two
`);
    const acknowledged: string[] = [];
    const ask = async () => {
      for (;;) acknowledged.push((await api.execute('journey', 'quick')).id);
    };
    const asking = Promise.allSettled([ask(), ask(), ask(), ask()]);
    while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    await product.stop('SIGKILL');
    await asking;

    product = await launchProduct(place);
    const again = new Api(product.url);
    for (const id of acknowledged) {
      const execution = await again.waitForExecution(id, isOver);
      expect(statesOf(execution)).toEqual(['one SUCCESS', 'two SUCCESS']);
    }
  });

  it('finishes an action on many executions after kill -9: none is replayed twice, none is left out', async () => {
    const api = new Api(product.url);
    await api.saveFlow('id: many\nnamespace: journey\ntasks: [{id: say, type: core.log.Log, message: hi}]\n');
    const ids: string[] = [];
    const ask = async () => {
      while (ids.length < 600) ids.push((await api.execute('journey', 'many')).id);
    };
    await Promise.all([ask(), ask(), ask(), ask()]);
    const { id: jobId } = await api.startJob('/executions/replay/by-ids', ids);
    while ((await api.readJob(jobId)).done < 100);
    await product.stop('SIGKILL');

    product = await launchProduct(place);
    const again = new Api(product.url);
    await expect.poll(async () => (await again.readJob(jobId)).state, { timeout: 60_000 }).toBe('ENDED');
    const result = await again.readJob(jobId);
    expect(result).toMatchObject({ done: ids.length, response: { body: { count: ids.length } } });
    const replayed: (string | undefined)[] = [];
    for (let page = 1; replayed.length < ids.length; page++) {
      const query = { flowId: 'many', labels: 'system.replay:true', size: '100', page: String(page) };
      const { results, total } = await again.searchExecutions(query);
      expect(total).toBe(ids.length);
      replayed.push(...results.map(({ parentId }) => parentId));
    }
    expect(replayed.sort()).toEqual([...ids].sort());
  });
});

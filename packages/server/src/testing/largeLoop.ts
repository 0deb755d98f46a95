import { setTimeout as delay } from 'node:timers/promises';
import { coreFamily } from '@millrace/plugin-core';
import { createCatalogue, loadedFamily } from '@millrace/plugin-kit';
import { loadConfig } from '../config/load.ts';
import { openProduct } from '../openProduct.ts';
import { createProductApp } from '../startServer.ts';
import { silentLog } from './silentLog.ts';

/** A process that runs a long loop up to the pause after it, and prints how much its memory grew. */
const [data = '', iterations = '0'] = process.argv.slice(2);
const { config } = loadConfig({ env: {}, flags: { data } });
const catalogue = createCatalogue([loadedFamily(coreFamily)]);
const product = await openProduct({ config, env: {}, catalogue, log: silentLog });
const app = await createProductApp(product, '');
const call = async (url: string, payload = '') => {
  const headers = { 'content-type': 'application/x-yaml' };
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    ...(payload === '' ? {} : { headers, payload }),
  });
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json() as { id: string };
};

/** The bytes of live objects; `--expose-gc` makes the collector callable. */
const usedBytes = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
};

/** Runs the loop up to the pause after it. */
async function runLoop(id: string, count: number): Promise<void> {
  await call(
    '/flows',
    `id: ${id}
namespace: company.team
tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ range(1, ${count}) }}"
    concurrencyLimit: 0
    tasks:
      - { id: say, type: core.debug.Return, format: "{{ taskrun.value }}" }
  - { id: wait, type: core.flow.Pause }
`,
  );
  const execution = await call(`/executions/company.team/${id}`);
  // Reading costs as much as a step of the loop, so it is not done after each.
  for (let state = 'CREATED'; state !== 'PAUSED'; await delay(200)) {
    state = (await product.store.listStates([execution.id]))[0]?.state ?? 'missing';
    if (!['CREATED', 'RUNNING', 'PAUSED'].includes(state)) throw new Error(`The execution is ${state}.`);
  }
}

// What the first execution loads and compiles is no memory of a loop.
await runLoop('short', Number(iterations) / 10);
const before = usedBytes();
await runLoop('long', Number(iterations));
// `maxRSS` is in kilobytes.
const peakBytes = process.resourceUsage().maxRSS * 1_024;
process.stdout.write(JSON.stringify({ grownBytes: usedBytes() - before, peakBytes }));
await app.close();
await product.close(0);

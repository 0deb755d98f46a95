import { setTimeout as delay } from 'node:timers/promises';
import { createFullCatalogue } from '@millrace/plugins/testing';
import { loadConfig } from '../config/load.ts';
import { openProduct } from '../openProduct.ts';
import { createProductApp } from '../startServer.ts';
import { silentLog } from './silentLog.ts';

/** A process that runs a long loop up to the pause after it, and prints how much its memory grew. */
const [data = '', iterations = '0'] = process.argv.slice(2);
const { config } = loadConfig({ env: {}, flags: { data } });
const product = await openProduct({ config, env: {}, catalogue: createFullCatalogue(), log: silentLog });
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
await call(
  '/flows',
  `id: loop
namespace: company.team
tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ range(1, ${iterations}) }}"
    concurrencyLimit: 0
    tasks:
      - { id: say, type: core.debug.Return, format: "{{ taskrun.value }}" }
  - { id: wait, type: core.flow.Pause }
`,
);

/** The bytes of live objects; `--expose-gc` makes the collector callable. */
const usedBytes = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
};
const before = usedBytes();
const { id } = await call('/executions/company.team/loop');
// Reading costs as much as a step of the loop, so it is not done after each.
for (let state = 'CREATED'; state !== 'PAUSED'; await delay(200)) {
  state = (await product.store.listStates([id]))[0]?.state ?? 'missing';
  if (!['CREATED', 'RUNNING', 'PAUSED'].includes(state)) throw new Error(`The execution is ${state}.`);
}
// `maxRSS` is in kilobytes.
const peakBytes = process.resourceUsage().maxRSS * 1_024;
process.stdout.write(JSON.stringify({ grownBytes: usedBytes() - before, peakBytes }));
await app.close();
await product.close(0);

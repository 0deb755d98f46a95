import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../../e2e/product/api.ts';
import { launchProduct } from '../../e2e/product/launchProduct.ts';
import { remoteFlow, remoteGroup } from '../flows.ts';
import { measureLatency } from '../measures/latency.ts';
import { measureSustained } from '../measures/sustained.ts';
import type { Figures } from '../report/figures.ts';
import type { Stage } from './stage.ts';

/**
 * B1 with API and executor in one process and the worker in another: every attempt goes through the queue.
 */
export async function measureRemote(stage: Stage): Promise<Figures> {
  const databaseUrl = await stage.createDatabase();
  // Processes can only share a database server.
  if (databaseUrl === undefined) return {};
  const storage = mkdtempSync(join(tmpdir(), 'millrace-'));
  const env = { MILLRACE_STORAGE_PATH: storage };
  const deciding = await launchProduct({ databaseUrl, env, args: ['api', 'executor'] });
  const worker = await launchProduct({
    databaseUrl,
    env: { ...env, MILLRACE_WORKER_GROUP: remoteGroup },
    args: ['worker'],
  });
  try {
    const api = new Api(deciding.url);
    const { perSecond } = await measureSustained(deciding, api, {
      name: 'b1-remote',
      flow: remoteFlow,
      seconds: stage.options.seconds,
      say: stage.say,
    });
    stage.say('b1 on a remote worker at 10/s');
    const { p50Ms, p99Ms } = await measureLatency(deciding, api, stage.options.quick ? 2 : 20, remoteFlow);
    return { remotePerSecond: perSecond, remoteP50Ms: p50Ms, remoteP99Ms: p99Ms };
  } finally {
    await worker.stop();
    await deciding.stop();
    rmSync(storage, { recursive: true, force: true });
  }
}

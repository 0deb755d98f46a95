import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Api } from '../../e2e/product/api.ts';
import { launchProduct } from '../../e2e/product/launchProduct.ts';
import { simpleFlow } from '../flows.ts';
import { measureIdleShare, readMemory } from '../measures/process.ts';
import type { Figures } from '../report/figures.ts';
import type { Stage } from './stage.ts';

const megabyte = 1024 * 1024;

/** The start time of the product, empty and full, and its resource usage while idle. */
export async function measureStart(stage: Stage): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), 'millrace-'));
  const databaseUrl = await stage.createDatabase();
  const place = { data, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  const flows = stage.options.quick ? 500 : 10_000;
  try {
    await startAndStop(place);
    stage.say('start with an empty database, best of three');
    const startMs = Math.min(await startAndStop(place), await startAndStop(place), await startAndStop(place));

    const product = await launchProduct(place);
    stage.say('rest');
    await wait(stage.options.quick ? 1000 : 5000);
    // An idle server rarely wakes up; after the start V8 compacts the heap once or twice, which takes 70 ms
    // each time.
    const idleShare = await measureIdleShare(product.pid, stage.options.quick ? 2 : 120);
    const idleMegabytes = readMemory(product.pid) / megabyte;
    stage.say(`saving ${flows.toLocaleString('en')} flows`);
    await saveFlows(new Api(product.url), flows);
    await product.stop();

    stage.say('start with many flows, best of three');
    const startFullMs = Math.min(
      await startAndStop(place),
      await startAndStop(place),
      await startAndStop(place),
    );
    return {
      startMs,
      idleMegabytes,
      ...(idleShare === undefined ? {} : { idleShare: idleShare * 100 }),
      ...(stage.options.quick ? {} : { startFullMs }),
    };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function startAndStop(place: { data: string; databaseUrl?: string }): Promise<number> {
  const product = await launchProduct(place);
  await product.stop();
  return product.healthyAfterMs;
}

async function saveFlows(api: Api, count: number): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      await api.saveFlow(simpleFlow(`flow-${next}`));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

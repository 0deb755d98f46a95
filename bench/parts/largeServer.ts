import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Api } from '../../e2e/product/api.ts';
import { launchProduct } from '../../e2e/product/launchProduct.ts';
import { inRoot } from '../../scripts/setup/root.mjs';
import { shellFlow } from '../flows.ts';
import { timeExecution } from '../measures/execution.ts';
import { measureSpawnRate } from '../measures/spawnRate.ts';
import type { Figures } from '../report/figures.ts';
import type { Stage } from './stage.ts';

const memoryLoadMegabytes = 400;
const Loop = z.object({ p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number(), heapBytes: z.number() });

/**
 * Shell commands on a server with a large heap: its size must slow down neither the commands nor other
 * requests.
 */
export async function measureLargeServer(stage: Stage): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-loop-'));
  const loopFile = join(folder, 'loop.json');
  const databaseUrl = await stage.createDatabase();
  const commands = stage.options.quick ? 100 : 1000;
  const product = await launchProduct({
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(inRoot('bench', 'memoryLoad', 'memoryLoad.mjs')).href}`,
      BENCH_MEMORY_LOAD_MEGABYTES: String(memoryLoadMegabytes),
      BENCH_LOOP_FILE: loopFile,
    },
  });
  try {
    const api = new Api(product.url);
    stage.say(`${commands} shell commands beside ${memoryLoadMegabytes} MB`);
    await api.saveFlow(shellFlow('warm-up', 20));
    await timeExecution(api, 'warm-up');
    const bare = await measureSpawnRate(commands, availableParallelism() * 2);
    await api.saveFlow(shellFlow('shell', commands));
    const here = monitorEventLoopDelay({ resolution: 1 });
    here.enable();
    process.kill(product.pid, 'SIGUSR2');
    const perSecond = commands / ((await timeExecution(api, 'shell')) / 1000);
    const busy = await readLoop(product.pid, loopFile);
    here.disable();
    return {
      largeHeapMegabytes: busy.heapBytes / 1024 / 1024,
      largeShellShare: (perSecond / bare) * 100,
      // The delay of an almost idle process, caused by the machine: the rest is caused by the server.
      otherLoopP99Ms: here.percentile(99) / 1e6 - 1,
      largeLoopP99Ms: busy.p99Ms,
    };
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server's measurements since the last request. */
async function readLoop(pid: number, file: string): Promise<z.infer<typeof Loop>> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await wait(20);
  return Loop.parse(JSON.parse(readFileSync(file, 'utf8')));
}

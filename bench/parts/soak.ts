import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Product } from '../../e2e/product/launchProduct.ts';
import { complexFlow, simpleFlow } from '../flows.ts';
import { generateLoad } from '../load/load.ts';
import { afterWarmUp, beyond, floorGrowthOf, growthOf, middleOf, type Sample } from '../measures/growth.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, type Stage } from './stage.ts';

/** A low load, so that growth is a leak and not a backlog. */
const simplePerSecond = 8;
const complexPerSecond = 2;
const samplesAtLeast = 45;

/** The server's own metrics, by the name of the sample. */
const gauges = {
  memory: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  handles: 'process_open_fds',
  lag: 'nodejs_eventloop_lag_p99_seconds',
} as const;
type Gauge = keyof typeof gauges;

/**
 * The server's lag monitor ticks every 10 ms, so a smaller lag cannot be distinguished from none: growth of
 * the lag is relative to at least this.
 */
const lagFloorSeconds = 0.01;

/** A steady load for a long time: only the stored data may grow, by the same amount per execution. */
export function measureSoak(stage: Stage): Promise<Figures> {
  const seconds = stage.options.minutes * 60;
  return onFreshProduct(stage, async (product, api) => {
    await api.saveFlow(simpleFlow('soak-simple'));
    await api.saveFlow(complexFlow('soak-complex'));
    stage.say(`soak: ${simplePerSecond + complexPerSecond}/s for ${stage.options.minutes} minutes`);
    const load = (name: string, ratePerSecond: number) =>
      generateLoad({
        port: product.port,
        path: `/api/v1/executions/webhook/bench/${name}/benchmark`,
        seconds,
        connections: 4,
        ratePerSecond,
      });
    const loads = Promise.all([load('soak-simple', simplePerSecond), load('soak-complex', complexPerSecond)]);
    const { samples, machineLag, disk } = await watch(product, seconds, stage);
    const ownLag = beyond(samples.lag, machineLag);
    const done = (await loads).reduce((total, { answered }) => total + answered, 0);
    return {
      soakPerSecond: done / seconds,
      soakMemoryGrowth: growthOf(samples.memory),
      soakHeapGrowth: floorGrowthOf(samples.heap),
      soakHandleGrowth: growthOf(samples.handles),
      soakLagGrowth: growthOf(ownLag, lagFloorSeconds),
      soakLagMs: middleOf(afterWarmUp(ownLag)) * 1_000,
      soakMachineLagMs: middleOf(afterWarmUp(machineLag)) * 1_000,
      ...(disk.length > 0 ? { soakDiskGrowth: unevenness(disk) } : {}),
    };
  });
}

interface Watched {
  readonly samples: Readonly<Record<Gauge, Sample[]>>;
  /** The lag of this idle process: the part that the machine alone causes. */
  readonly machineLag: readonly Sample[];
  /** Bytes on disk; empty where the database is not in the data folder. */
  readonly disk: readonly Sample[];
}

async function watch(product: Product, seconds: number, { say }: Stage): Promise<Watched> {
  const samples: Record<Gauge, Sample[]> = { memory: [], heap: [], handles: [], lag: [] };
  const machineLag: Sample[] = [];
  const disk: Sample[] = [];
  // The same monitor as in the server, reset at each sample.
  const ownDelay = monitorEventLoopDelay({ resolution: 10 });
  ownDelay.enable();
  const everyMs = Math.min(10_000, (seconds * 1_000) / samplesAtLeast);
  const startedAt = performance.now();
  let toldAt = 0;
  for (let atMs = 0; atMs < seconds * 1_000; atMs = performance.now() - startedAt) {
    await wait(everyMs);
    const text = await (await fetch(`${product.managementUrl}/prometheus`)).text();
    for (const [name, gauge] of Object.entries(gauges) as [Gauge, string][]) {
      const value = new RegExp(`^${gauge} (\\S+)$`, 'm').exec(text)?.[1];
      if (value !== undefined) samples[name].push({ atMs, value: Number(value) });
    }
    machineLag.push({ atMs, value: ownDelay.percentile(99) / 1e9 });
    ownDelay.reset();
    const bytes = sizeOf(product.data);
    if (bytes > 0) disk.push({ atMs, value: bytes });
    if (atMs - toldAt < 60_000) continue;
    toldAt = atMs;
    const now = (name: Gauge) => samples[name].at(-1)?.value ?? 0;
    const megabytes = (value: number) => `${(value / 1024 ** 2).toFixed(0)} MB`;
    say(
      `${Math.round(atMs / 60_000)} min: memory ${megabytes(now('memory'))}, heap ${megabytes(now('heap'))}, ${now('handles')} handles, lag ${(now('lag') * 1_000).toFixed(1)} ms (machine ${((machineLag.at(-1)?.value ?? 0) * 1_000).toFixed(1)} ms)`,
    );
  }
  ownDelay.disable();
  return { samples, machineLag, disk };
}

/** How much faster the disk fills in the second half than in the first, in percent, at the same load. */
function unevenness(disk: readonly Sample[]): number {
  const counted = afterWarmUp(disk);
  const middle = Math.floor(counted.length / 2);
  const gained = (from: number, to: number) => (counted[to]?.value ?? 0) - (counted[from]?.value ?? 0);
  const [first, second] = [gained(0, middle), gained(middle, counted.length - 1)];
  return first <= 0 ? 0 : Math.max(0, (second / first - 1) * 100);
}

/** The database's files, without the write-ahead log, which is overwritten repeatedly. */
function sizeOf(data: string): number {
  return readdirSync(data)
    .filter((name) => name.endsWith('.db') || name.endsWith('.sqlite'))
    .reduce((total, name) => total + statSync(join(data, name)).size, 0);
}

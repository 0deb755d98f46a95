/**
 * Loaded into a server before its own code: fills its heap to the size of a long-running server, and measures
 * its event loop delay. Every SIGUSR2 writes the measurements since the previous one.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const { BENCH_MEMORY_LOAD_MEGABYTES, BENCH_LOOP_FILE = '' } = process.env;
const resolutionMs = 1;

// The server's threads and child processes inherit the option that loads this file, but only the server is
// measured.
if (isMainThread && process.argv[1]?.endsWith('millrace.js')) {
  const kept = fill(Number(BENCH_MEMORY_LOAD_MEGABYTES));
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let hasBegun = false;
  process.on('SIGUSR2', () => {
    delay.disable();
    // The monitor measures the time between two ticks; a tick on time is no delay.
    const msOf = (/** @type {number} */ ns) => Math.max(0, ns / 1e6 - resolutionMs);
    const found = {
      p50Ms: msOf(delay.percentile(50)),
      p99Ms: msOf(delay.percentile(99)),
      maxMs: msOf(delay.max),
    };
    if (hasBegun) {
      const text = JSON.stringify({ ...found, heapBytes: process.memoryUsage().heapUsed, kept: kept.length });
      writeFileSync(`${BENCH_LOOP_FILE}.part`, text);
      renameSync(`${BENCH_LOOP_FILE}.part`, BENCH_LOOP_FILE);
    }
    hasBegun = true;
    delay.reset();
    delay.enable();
  });
}

/**
 * Half of it is many small objects, like executions and flows, and half is long lists of numbers.
 * @param {number} megabytes
 */
function fill(megabytes) {
  /** @type {object[]} */
  const kept = [];
  const target = process.memoryUsage().heapUsed + megabytes * 1_048_576;
  for (let n = 0; process.memoryUsage().heapUsed < target; n++) {
    kept.push(Array.from({ length: 65_536 }, (_, index) => index + n + 0.5));
    kept.push(
      Array.from({ length: 5_000 }, (_, index) => ({ id: `${n}-${index}`, state: 'RUNNING', at: index })),
    );
  }
  return kept;
}

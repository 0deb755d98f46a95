/**
 * Loaded into a server before its own code: makes it as large as one that has worked for long, and measures how long its
 * event loop keeps everybody waiting. Every SIGUSR2 writes what was found since the last one.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const { BENCH_BALLAST_MEGABYTES, BENCH_LOOP_FILE = '' } = process.env;
const resolutionMs = 1;

// The server's own threads and helpers inherit the option that loads this file; only the server is meant.
if (isMainThread && process.argv[1]?.endsWith('millrace.js')) {
  const kept = fill(Number(BENCH_BALLAST_MEGABYTES));
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let hasBegun = false;
  process.on('SIGUSR2', () => {
    delay.disable();
    // What is measured is the distance between two looks; one that comes in time is no delay.
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
 * Half of it many small objects, as executions and flows are, half of it long lists of numbers.
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

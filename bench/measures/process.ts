import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The memory of the process, in bytes. */
export function readMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

/** Runs the work and returns the peak memory during it. */
export async function watchMemory<T>(
  pid: number,
  work: Promise<T>,
): Promise<{ result: T; peakBytes: number }> {
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, readMemory(pid));
  }, 100);
  try {
    return { result: await work, peakBytes };
  } finally {
    clearInterval(timer);
  }
}

/** The share of one core that the idle process uses; undefined where there is no /proc. */
export async function measureIdleShare(pid: number, seconds: number): Promise<number | undefined> {
  const before = readCpuSeconds(pid);
  await wait(seconds * 1000);
  const after = readCpuSeconds(pid);
  return before === undefined || after === undefined ? undefined : (after - before) / seconds;
}

function readCpuSeconds(pid: number): number | undefined {
  try {
    // After the command's name, which may contain spaces, user and system ticks are the 12th and 13th fields.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A run that does not clean up within this time is ended as it is. */
const limitMs = 20_000;

/**
 * Calls `cleanUp` and exits when this process gets a signal, or when the process that started it is gone. Replaces
 * other listeners: vitest's exits at once and leaves the workers, which run their tests to the end.
 * @param {(signal: NodeJS.Signals) => Promise<unknown>} cleanUp
 */
export function stopWithSignal(cleanUp) {
  let isStopping = false;
  const stop = async (/** @type {NodeJS.Signals} */ signal) => {
    if (isStopping) return;
    isStopping = true;
    // The reader of the report may be gone.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    await Promise.race([cleanUp(signal).catch(() => {}), delay(limitMs)]);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.removeAllListeners(signal).on(signal, stop);
  process.removeAllListeners('disconnect').once('disconnect', () => stop('SIGTERM'));
}

/** Ends every process below this one at once: test files and the servers and browsers that they started. */
export function killDescendants() {
  const processes = listProcesses();
  const below = [process.pid];
  for (const pid of below)
    below.push(...processes.filter(({ parent }) => parent === pid).map(({ pid }) => pid));
  for (const pid of below.slice(1)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

/** All processes except ended ones that wait for their parent. @returns {{ pid: number, parent: number }[]} */
export function listProcesses() {
  if (!existsSync('/proc/self/stat')) {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return [...stdout.matchAll(/(\d+) +(\d+)/g)].map(([, pid, parent]) => ({
      pid: Number(pid),
      parent: Number(parent),
    }));
  }
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name of the program is in parentheses and may contain any character.
      const [state, parent] = readFileSync(`/proc/${name}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      return [];
    }
  });
}

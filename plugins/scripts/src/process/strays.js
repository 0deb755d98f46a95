import { readdirSync, readFileSync } from 'node:fs';

/** Every process of a task has this variable, so that a process that left its group can still be found. */
export const tagName = 'MILLRACE_PROCESS';

/**
 * The processes started for this helper's tasks, by the number of the task process, wherever they have moved to.
 * Without `/proc` there are none to be found.
 *
 * @param {string} nonce
 * @returns {{ pid: number, id: number }[]}
 */
export function findTagged(nonce) {
  const mark = Buffer.from(`${tagName}=${nonce}.`);
  return listPids().flatMap((pid) => {
    const environment = readEnvironment(pid);
    const at = environment ? environment.indexOf(mark) : -1;
    if (!environment || at < 0) return [];
    const end = environment.indexOf(0, at);
    const id = Number(environment.toString('latin1', at + mark.length, end < 0 ? undefined : end));
    return pid === process.pid ? [] : [{ pid, id }];
  });
}

function listPids() {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** @param {number} pid */
function readEnvironment(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    // The process has just ended, or belongs to another user.
    return undefined;
  }
}

/**
 * @param {number} pid a process, or minus a process group
 * @param {NodeJS.Signals} signal
 * @returns {boolean} false when no such process exists
 */
export function tell(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

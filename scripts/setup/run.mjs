import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

/** @typedef {{ env?: NodeJS.ProcessEnv, quiet?: boolean, cwd?: string }} RunOptions */

/**
 * Runs a command, in the root unless told otherwise, and returns its exit code. A signal to this process is forwarded to the command
 * and then also ends this process, so that nothing keeps running after Ctrl-C. With `quiet` the output is
 * only returned, not printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    /** @type {NodeJS.Signals | undefined} */
    let asked;
    const stopForwarding = forwardSignals((signal) => {
      asked = signal;
      forward(signal, child);
    });
    child.on('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.on('close', (code, signal) => {
      stopForwarding();
      if (asked) process.exit(signalCode(asked));
      resolve({ code: code ?? signalCode(signal), output });
    });
  });
}

/**
 * Runs a program of a dependency by its script, without a shell or `npx` in between.
 * @param {string} script path below `node_modules`
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export const runDependency = (script, args, options) =>
  run(process.execPath, [`${root}/node_modules/${script}`, ...args], options);

/** @param {(signal: NodeJS.Signals) => void} listener */
export function forwardSignals(listener) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/**
 * A terminal already sends Ctrl-C to the whole process group; a second signal would mean "stop immediately".
 * @param {NodeJS.Signals} signal
 * @param {import('node:child_process').ChildProcess} child
 */
export function forward(signal, child) {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
}

/**
 * The exit code that a shell reports for a command ended by a signal.
 * @param {NodeJS.Signals | null} signal
 */
const signalCode = (signal) => (signal ? 128 + constants.signals[signal] : 1);

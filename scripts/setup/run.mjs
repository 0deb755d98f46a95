import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

/** @typedef {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} RunOptions */

/**
 * Runs a command in the root and answers with its exit code. A signal to this process goes on to the command and then
 * ends this process too, so that nothing is left running behind a Ctrl-C. With `quiet` the output is kept and only
 * answered.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd: root,
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
      passOn(signal, child);
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
 * Runs one of the programs that the dependencies bring, by its script: no shell and no `npx` in between.
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
 * A terminal sends Ctrl-C to the whole group by itself; a second one would mean "at once".
 * @param {NodeJS.Signals} signal
 * @param {import('node:child_process').ChildProcess} child
 */
export function passOn(signal, child) {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
}

/** What a shell reports for a command that a signal ended. @param {NodeJS.Signals | null} signal */
const signalCode = (signal) => (signal ? 128 + constants.signals[signal] : 1);

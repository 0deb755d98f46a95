import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runVitest } from './runVitest.mjs';

/** @typedef {import('./runVitest.mjs').Counts} Counts */
/** @typedef {import('./runVitest.mjs').Part} Part */

/**
 * Runs a part of the tests in another process: two runs in one process would share its environment and mix their
 * reports. A part that runs beside another one prints its report from the moment when `finish` is called.
 * @param {Part} part
 * @param {{ isBeside?: boolean }} [options]
 */
export function startVitestProcess(part, { isBeside = false } = {}) {
  const output = isBeside ? 'pipe' : 'inherit';
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(part)], {
    stdio: ['ignore', output, output, 'ipc'],
  });
  running.add(child);
  /** @type {Buffer[]} */
  const waiting = [];
  let print = (/** @type {Buffer} */ chunk) => void waiting.push(chunk);
  child.stdout?.on('data', (chunk) => print(chunk));
  child.stderr?.on('data', (chunk) => print(chunk));
  /** @type {Counts | undefined} */
  let counts;
  child.on('message', (message) => {
    counts = /** @type {Counts} sent below */ (message);
  });
  /** @type {Promise<Counts>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      const message = `The tests ended with ${code ?? signal} before they reported a result.`;
      resolve(counts ?? { passed: 0, failures: [{ where: part.project.join(), message }] });
    });
  });
  // Reported by `finish`, which may be called later.
  ended.catch(() => {});
  return {
    finish: () => {
      print = (chunk) => void process.stdout.write(chunk);
      for (const chunk of waiting.splice(0)) print(chunk);
      return ended;
    },
  };
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Stops all runs and waits until they have ended their servers.
 * @param {NodeJS.Signals} signal
 */
export async function stopVitestProcesses(signal) {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) child.kill(signal);
  await Promise.all(ends);
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send(await runVitest(JSON.parse(process.argv[2] ?? '')), () => process.exit());
}

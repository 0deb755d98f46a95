import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runVitest } from './runVitest.mjs';

/** @typedef {import('./runVitest.mjs').Counts} Counts */

/**
 * Runs vitest projects in another process: two runs in one process would share its environment and mix their reports.
 * The report is printed from the moment when `finish` is called.
 * @param {string[]} project names, `!` in front excludes
 * @param {readonly string[]} filters parts of file names
 */
export function startVitestProcess(project, filters) {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ project, filters })], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const stop = () => child.kill();
  process.once('exit', stop);
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
      process.off('exit', stop);
      const message = `The tests ended with ${code ?? signal} before they reported a result.`;
      resolve(counts ?? { passed: 0, failures: [{ where: project.join(), message }] });
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

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  const { project, filters } = JSON.parse(process.argv[2] ?? '');
  process.send(await runVitest(project, filters), () => process.exit());
}

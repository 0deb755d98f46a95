import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './fail.mjs';
import { fingerprint } from './fingerprint.mjs';
import { inRoot } from './root.mjs';
import { runDependency } from './run.mjs';

/** @typedef {{ name: string, title: string, room: string, inputs: string[] }} Target */

const shared = ['package.json', 'package-lock.json', 'tsconfig.base.json'];

/** @type {Target[]} */
const targets = [
  {
    name: 'server',
    title: 'the server',
    room: 'packages/server',
    inputs: [
      ...shared,
      ...['contract', 'expression', 'engine', 'store', 'plugin-kit', 'server'].map(
        (room) => `packages/${room}`,
      ),
      'plugins',
    ],
  },
  {
    name: 'web',
    title: 'the web app',
    room: 'packages/web',
    inputs: [...shared, ...['contract', 'expression', 'engine', 'web'].map((room) => `packages/${room}`)],
  },
];

/** Builds the targets whose inputs changed since they were built: `dist/server` and `dist/web`. */
export async function buildWhenNeeded() {
  const stale = targets
    .map((target) => ({ target, stamp: fingerprint(target.inputs.map((path) => inRoot(path))) }))
    .filter(({ target, stamp }) => readStamp(target) !== stamp);
  if (stale.length === 0) return;
  console.log(`Building ${stale.map(({ target }) => target.title).join(' and ')} …`);
  const outcomes = await Promise.all(stale.map(({ target, stamp }) => build(target, stamp)));
  // Fails only now: an earlier exit would leave the other build running.
  const failures = outcomes.filter((words) => words !== undefined);
  if (failures.length > 0) fail(failures.join('\n'));
}

/**
 * Builds beside the old files and swaps the folders, so that a half-built product is never visible. Returns
 * the error output when the build failed.
 * @param {Target} target
 * @param {string} stamp
 * @returns {Promise<string | undefined>}
 */
async function build(target, stamp) {
  const startedAt = Date.now();
  const output = outputOf(target);
  const next = `${output}.next-${process.pid}`;
  const { code, output: words } = await runDependency(
    'vite/bin/vite.js',
    ['build', inRoot(target.room), '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'],
    { quiet: true, env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (code !== 0) {
    rmSync(next, { recursive: true, force: true });
    return `${words}\nBuilding ${target.title} failed; the lines above say why.`;
  }
  rmSync(output, { recursive: true, force: true });
  renameSync(next, output);
  writeStamp(target, stamp);
  console.log(`Built ${target.title} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  return undefined;
}

/** @param {Target} target */
const outputOf = (target) => inRoot('dist', target.name);

/** Stamps are outside the folder that the server serves. @param {Target} target */
const stampOf = (target) => inRoot('dist', '.stamps', target.name);

/** @param {Target} target */
function readStamp(target) {
  if (!existsSync(outputOf(target)) || !existsSync(stampOf(target))) return undefined;
  return readFileSync(stampOf(target), 'utf8');
}

/** @param {Target} target @param {string} stamp */
function writeStamp(target, stamp) {
  mkdirSync(join(stampOf(target), '..'), { recursive: true });
  writeFileSync(stampOf(target), stamp);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverProgram } from '../testing/serverProgram.ts';

/** Types that throw where their promise does not see it, as client libraries do. */
const strayPlugin = `export default ({ defineTask, z }) => ['Timer', 'Rejection'].map((name) =>
  defineTask({
    type: 'stray.' + name,
    title: 'Throw outside',
    description: 'Throws in a callback.',
    input: z.object({}),
    output: z.object({}),
    sideEffects: true,
    examples: [],
    run: () => new Promise(() => setTimeout(() => {
      if (name === 'Timer') throw new Error('stray');
      Promise.reject(new Error('stray'));
    })),
  }));`;

/** The thread that writes fails as soon as a file lies beside its database. */
const mortalWriter = `import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
const { Worker } = threads;
const dieWhenTold = \`
  const { existsSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  setInterval(() => {
    if (existsSync(workerData.file + '-die')) throw new Error('the thread broke');
  }, 50).unref();\`;
threads.Worker = class extends Worker {
  constructor(entry, options) {
    if (!String(entry).endsWith('/storeWriter.js')) super(entry, options);
    else super('import(' + JSON.stringify(String(entry)) + ');' + dieWhenTold, { ...options, eval: true });
  }
};
syncBuiltinESMExports();`;

/** A server in its own process that runs the preload file first. */
async function aServerProcess(preload: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const file = join(folder.path, 'preload.mjs');
  writeFileSync(file, preload);
  const args = ['--port', '0', '--management-port', '0', '--data', join(folder.path, 'data')];
  const child = spawn(
    process.execPath,
    ['--import', pathToFileURL(file).href, ...serverProgram, 'server', ...args],
    { env: { ...process.env, MILLRACE_SERVER_GRACE_MS: '0', MILLRACE_TUTORIAL_ENABLED: 'false', ...env } },
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    folder.remove();
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    out += String(text);
  });
  child.stderr.on('data', (text: Buffer) => {
    err += String(text);
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  await Promise.race([
    expect.poll(() => out).toContain('is running'),
    exited.then(() => Promise.reject(new Error(`The server ended: ${err}`))),
  ]);
  const url = () => /Web app and API +(\S+)/.exec(out)?.[1];
  return { child, exited, folder: folder.path, err: () => err, url };
}

describe('a server that fails', () => {
  it.each([
    ['an error that nothing caught', 'throw new Error("boom")', 'An error was not caught'],
    [
      'a rejection that nothing handled',
      'Promise.reject(new Error("boom"))',
      'A rejected promise was not handled',
    ],
  ])(
    'closes and exits with 1 after %s',
    async (_, fail, message) => {
      const { child, exited, err } = await aServerProcess(
        `process.on('SIGUSR2', () => setTimeout(() => { ${fail}; }));`,
      );
      child.kill('SIGUSR2');
      expect(await exited).toBe(1);
      expect(err()).toContain(`${message}. The server stops; open executions resume at its next start.`);
      expect(err()).toMatch(/"stack":"Error: boom\\n/);
    },
    90_000,
  );

  it('fails only the task when its plugin throws in a callback or leaves a rejection', async () => {
    const plugins = temporaryFolder();
    onTestFinished(() => plugins.remove());
    writeFileSync(join(plugins.path, 'stray.mjs'), strayPlugin);
    const { child, err, url } = await aServerProcess('', { MILLRACE_PLUGINS_FOLDER: plugins.path });
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url()}/api/v1${path}`, { method: 'POST', ...init });
      return (await response.json()) as { state: { current: string } };
    };
    for (const type of ['stray.Timer', 'stray.Rejection']) {
      const id = type.slice('stray.'.length).toLowerCase();
      const body = `id: ${id}\nnamespace: company.team\ntasks: [{id: t, type: ${type}}]\n`;
      await call('/flows', { body, headers: { 'content-type': 'application/x-yaml' } });
      const { state } = await call(`/executions/company.team/${id}?wait=true`);
      expect(state.current).toBe('FAILED');
    }
    expect(err()).toContain('A plugin threw an error outside of its task.');
    expect(child.exitCode).toBeNull();
  }, 90_000);

  it('exits with 1 when the thread that writes has ended', async () => {
    const { exited, err, folder } = await aServerProcess(mortalWriter);
    writeFileSync(join(folder, 'data', 'millrace.db-die'), '');
    expect(await exited).toBe(1);
    expect(err()).toContain('The thread that writes to the database has ended.');
    expect(err()).toContain('the thread broke');
    expect(readFileSync(join(folder, 'data', 'millrace.db')).length).toBeGreaterThan(0);
  }, 90_000);
});

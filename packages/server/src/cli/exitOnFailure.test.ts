import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A server in its own process that runs this file first. */
async function aServerProcess(preload: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const file = join(folder.path, 'preload.mjs');
  writeFileSync(file, preload);
  const args = ['--port', '0', '--management-port', '0', '--data', join(folder.path, 'data')];
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--import', pathToFileURL(file).href, main, 'server', ...args],
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
    expect.poll(() => out, { timeout: 60_000 }).toContain('is running'),
    exited.then(() => Promise.reject(new Error(`The server ended: ${err}`))),
  ]);
  return { child, exited, folder: folder.path, err: () => err };
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

  it('exits with 1 when the thread that writes has ended', async () => {
    const built = String(process.env.MILLRACE_STORE_THREADS);
    const threads = temporaryFolder();
    onTestFinished(() => threads.remove());
    mkdirSync(join(threads.path, 'node_modules'));
    for (const name of ['storeWriter.js', 'storeReader.js'])
      writeFileSync(
        join(threads.path, name),
        `import { existsSync } from 'node:fs';
         import { workerData } from 'node:worker_threads';
         await import(${JSON.stringify(pathToFileURL(join(built, name)).href)});
         if (${name === 'storeWriter.js'}) setInterval(() => {
           if (existsSync(workerData.file + '-die')) throw new Error('the thread broke');
         }, 50).unref();`,
      );
    writeFileSync(join(threads.path, 'package.json'), '{"type":"module"}');
    const { exited, err, folder } = await aServerProcess('', { MILLRACE_STORE_THREADS: threads.path });
    writeFileSync(join(folder, 'data', 'millrace.db-die'), '');
    expect(await exited).toBe(1);
    expect(err()).toContain('The thread that writes to the database has ended.');
    expect(err()).toContain('the thread broke');
    expect(readFileSync(join(folder, 'data', 'millrace.db')).length).toBeGreaterThan(0);
  }, 90_000);
});

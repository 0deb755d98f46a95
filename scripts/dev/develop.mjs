import { spawn } from 'node:child_process';
import { installWhenNeeded } from '../setup/install.mjs';
import { inRoot, root } from '../setup/root.mjs';
import { forward, forwardSignals } from '../setup/run.mjs';

/**
 * Runs server and web app with hot reload: the server restarts when a source changes, and Vite serves the web
 * app and proxies API calls to the server. When one ends, the other is stopped.
 * @param {readonly string[]} args options for the server
 */
export async function develop(args) {
  await installWhenNeeded();
  const server = ['tsx/dist/cli.mjs', 'watch', '--clear-screen=false', inRoot('packages/server/src/main.ts')];
  const web = ['vite/bin/vite.js', inRoot('packages/web'), '--clearScreen', 'false'];
  const children = [start([...server, ...args]), start(web)];

  let isStopping = false;
  forwardSignals((signal) => {
    isStopping = true;
    for (const child of children) forward(signal, child);
  });
  const codes = await Promise.all(
    children.map(
      (child) =>
        new Promise((resolve) => {
          child.on('exit', (code, signal) => {
            if (!isStopping) for (const other of children) other.kill('SIGTERM');
            isStopping = true;
            resolve(signal === null ? code : 0);
          });
        }),
    ),
  );
  process.exitCode = codes.find((code) => code !== 0) ?? 0;
}

/** @param {string[]} command script below `node_modules` and its arguments */
const start = ([script, ...args]) =>
  spawn(process.execPath, [inRoot('node_modules', script ?? ''), ...args], { cwd: root, stdio: 'inherit' });

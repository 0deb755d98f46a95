import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listProcesses } from './stopWithSignal.mjs';

const module = fileURLToPath(new URL('./stopWithSignal.mjs', import.meta.url));

/** A run like `npm test`: its child starts a server, and both would outlive it. */
const program = `
import { spawn } from 'node:child_process';
import { killDescendants, stopWithSignal } from ${JSON.stringify(module)};
process.on('SIGTERM', () => process.exit(0));
stopWithSignal(async () => {
  killDescendants();
  console.log('cleaned up');
});
const child = spawn('sh', ['-c', 'sleep 600 & echo $! $$; wait'], { stdio: ['ignore', 'inherit', 'inherit'] });
setInterval(() => {}, 1_000);
`;

const isAlive = (pid: number) => listProcesses().some((process) => process.pid === pid);

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends a run with all processes below it',
  async (signal) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    let output = '';
    run.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    const pids = () => /^(\d+) (\d+)$/m.exec(output)?.slice(1).map(Number) ?? [];
    await expect.poll(pids).toHaveLength(2);
    expect(pids().every(isAlive)).toBe(true);
    run.kill(signal);
    const [code] = await once(run, 'close');
    expect(code).toBe(128 + constants.signals[signal]);
    expect(output).toContain('cleaned up');
    await expect.poll(() => pids().filter(isAlive)).toEqual([]);
  },
);

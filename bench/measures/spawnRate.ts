import { spawn } from 'node:child_process';

/** The number of empty shells that this machine runs per second: the upper bound for a task runner. */
export async function measureSpawnRate(commands: number, atOnce: number): Promise<number> {
  const startedAt = performance.now();
  let left = commands;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await runNothing();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return commands / ((performance.now() - startedAt) / 1000);
}

function runNothing(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', 'true'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

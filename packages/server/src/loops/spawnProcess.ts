import { spawn } from 'node:child_process';
import type { ProcessEnd, SpawnRequest } from '@millrace/plugins';

const defaultGraceMs = 5_000;
const defaultStreamBytes = 100 * 1_048_576;

/**
 * Runs a command as the leader of its own process group, in a clean environment. When the signal fires the whole group
 * is told to stop, and after the grace it is killed: a child that ignores SIGTERM cannot outlive its task.
 */
export function spawnProcess(request: SpawnRequest): Promise<ProcessEnd> {
  const { command, workingDirectory, env, signal, graceMs = defaultGraceMs } = request;
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: workingDirectory,
      env: {
        PATH: process.env.PATH,
        HOME: workingDirectory,
        LANG: 'C.UTF-8',
        TMPDIR: workingDirectory,
        ...env,
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const killGroup = (name: NodeJS.Signals) => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, name);
      } catch {
        // The group has ended meanwhile.
      }
    };
    let killTimer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      killGroup('SIGTERM');
      killTimer = setTimeout(() => killGroup('SIGKILL'), graceMs);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });

    const limit = request.maxStreamBytes ?? defaultStreamBytes;
    const stdout = drain(child.stdout, limit, (chunk) => request.onStdout(chunk));
    const stderr = drain(child.stderr, limit, (chunk) => request.onStderr(chunk));
    const finish = () => {
      clearTimeout(killTimer);
      signal?.removeEventListener('abort', onAbort);
      // What the task started and left behind must not live on.
      killGroup('SIGKILL');
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('exit', (exitCode, exitSignal) => {
      finish();
      Promise.all([stdout, stderr]).then(
        ([out, err]) => resolve({ exitCode, signal: exitSignal, droppedBytes: { stdout: out, stderr: err } }),
        reject,
      );
    });
  });
}

/** Hands on chunk by chunk, at the reader's pace, up to the limit. Answers how many bytes were thrown away. */
async function drain(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
): Promise<number> {
  let taken = 0;
  let dropped = 0;
  for await (const chunk of stream) {
    const room = limitBytes - taken;
    const kept = chunk.length <= room ? chunk : chunk.subarray(0, room);
    taken += kept.length;
    dropped += chunk.length - kept.length;
    if (kept.length > 0) await onChunk(kept);
  }
  return dropped;
}

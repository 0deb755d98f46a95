import { spawn } from 'node:child_process';
import type { SpawnRequest } from '../context.ts';
import type { TaskContext } from '../definition.ts';
import type { OutboundPolicy } from '../outbound/policy.ts';
import { createOutboundClient } from '../outbound/send.ts';

/** The real network for `aTaskContext`, under a policy. */
export function realNetwork(
  policy: OutboundPolicy = {},
): Pick<TaskContext, 'connect' | 'lookup' | 'fetch' | 'mayReach'> {
  const client = createOutboundClient(policy);
  return {
    connect: (request) => client.connect(request),
    lookup: client.lookup,
    fetch: (request) => client.send(request),
    mayReach: (url) => client.check(url),
  };
}

/** Starts real processes for `aTaskContext`, in a clean environment. */
export const realProcesses: TaskContext['spawn'] = (request: SpawnRequest) =>
  new Promise((resolve, reject) => {
    const [program, ...args] = request.command;
    const child = spawn(program, args, {
      cwd: request.workingDirectory,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...request.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: request.signal,
    });
    child.stdout.on('data', (chunk: Buffer) => void request.onStdout(chunk));
    child.stderr.on('data', (chunk: Buffer) => void request.onStderr(chunk));
    child.once('error', (error) => reject(new Error(`The process could not be started: ${error.message}`)));
    child.once('close', (exitCode, signal) =>
      resolve({ exitCode, signal, droppedBytes: { stdout: 0, stderr: 0 } }),
    );
  });

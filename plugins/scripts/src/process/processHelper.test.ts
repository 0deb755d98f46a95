import { spawn as spawnDirectly } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SpawnRequest } from '@millrace/plugin-kit';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { frameKinds, toJsonFrame } from './frames.js';
import { helperUrl } from './helperUrl.ts';
import { ProcessHelper, ProcessLost } from './processHelper.ts';

const environment = { PATH: process.env.PATH, HOME: '/nowhere', SECRET_TOKEN: 'hunter2' };
const helper = new ProcessHelper({ environment });
afterAll(() => helper.close());

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

function collect(script: string, more: Partial<SpawnRequest> = {}, by = helper) {
  const text = { stdout: '', stderr: '' };
  const end = by.spawn({
    command: ['/bin/sh', '-c', script],
    workingDirectory: tmpdir(),
    onStdout: (chunk) => {
      text.stdout += Buffer.from(chunk).toString();
    },
    onStderr: (chunk) => {
      text.stderr += Buffer.from(chunk).toString();
    },
    ...more,
  });
  return { text: text as Ran, end };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie is dead, only not yet reaped by its parent.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const untilDead = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000 });

/** The process id that a script prints first. */
const firstPid = (text: Ran) =>
  vi.waitFor(() => {
    const found = /^(\d+)\n/.exec(text.stdout);
    expect(found).not.toBeNull();
    return Number(found?.[1]);
  }, 180_000);

test('tells the output and the exit code', async () => {
  const { text, end } = collect('echo out; echo err >&2; exit 3');
  expect(await end).toEqual({ exitCode: 3, signal: null, droppedBytes: { stdout: 0, stderr: 0 } });
  expect(text).toEqual({ stdout: 'out\n', stderr: 'err\n' });
});

test('tells the signal that ended the process', async () => {
  const { end } = collect('kill -9 $$');
  expect(await end).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
});

test('gives a clean environment and no way to the helper', async () => {
  const { text, end } = collect('env; ls -l /proc/self/fd', { env: { MINE: 'yes' } });
  await end;
  expect(text.stdout).toContain('MINE=yes\n');
  expect(text.stdout).toContain('HOME=/nowhere\n');
  expect(text.stdout).not.toContain('hunter2');
  expect(text.stdout).toMatch(/ 2 -> socket/);
  expect(text.stdout).not.toMatch(/ (3|4|5|6|7|8|9) -> socket/);
});

test.each([
  ['a program that does not exist', { command: ['/no/such'] as [string] }, 'no program "/no/such"'],
  ['a folder that does not exist', { workingDirectory: '/no/such' }, 'the folder "/no/such" is gone'],
  ['an argument with a NUL', { command: ['/bin/echo', 'a\0b'] as [string, string] }, ''],
])('refuses %s', async (_, request, why) => {
  const refused = expect(collect('true', request).end).rejects;
  await refused.toThrow(new RegExp(`The process could not be started: .*${why}`, 's'));
});

test('starts nothing for a task that was killed before', async () => {
  await expect(collect('true', { signal: AbortSignal.abort() }).end).rejects.toThrow('aborted');
});

test('kills the children of a killed process too', async () => {
  const abort = new AbortController();
  const { text, end } = collect('sleep 600 & echo $!; wait', { signal: abort.signal });
  const pid = await firstPid(text);
  abort.abort();
  expect(await end).toMatchObject({ signal: 'SIGTERM' });
  await untilDead(pid);
});

test('ends a process that ignores SIGTERM after the grace time', async () => {
  const abort = new AbortController();
  const { text, end } = collect("trap '' TERM; echo $$; while true; do sleep 0.05; done", {
    signal: abort.signal,
    graceMs: 100,
  });
  const pid = await firstPid(text);
  abort.abort();
  expect(await end).toMatchObject({ signal: 'SIGKILL' });
  expect(isAlive(pid)).toBe(false);
});

test('kills a daemon that left its group', async () => {
  const abort = new AbortController();
  const { text, end } = collect("setsid sh -c 'echo $$; exec sleep 600' & wait", {
    signal: abort.signal,
    graceMs: 100,
  });
  const pid = await firstPid(text);
  abort.abort();
  await end;
  await untilDead(pid);
});

test('a daemon that outlives its task and says nothing is ended', async () => {
  const { text, end } = collect('setsid sleep 600 >/dev/null 2>&1 & echo $!');
  expect(await end).toMatchObject({ exitCode: 0 });
  await untilDead(await firstPid(text));
});

test('a daemon that holds the output open does not hold the task open', async () => {
  const { text, end } = collect(
    'setsid sh -c \'trap "" TERM; echo $$; while true; do sleep 0.05; done\' & sleep 0.1',
    { graceMs: 100 },
  );
  expect(await end).toMatchObject({ exitCode: 0 });
  await untilDead(await firstPid(text));
});

test('a process that closes its output early still reports its end', async () => {
  const { end } = collect('exec >&- 2>&-; sleep 0.1; exit 7');
  expect(await end).toMatchObject({ exitCode: 7 });
});

test('[A18] 100 MB of output pass through a small helper while the reader is slow', async () => {
  let bytes = 0;
  let largestRssKb = 0;
  const { end } = collect('head -c 104857600 /dev/zero', {
    onStdout: async (chunk) => {
      bytes += chunk.length;
      await new Promise(setImmediate);
      const status = readFileSync(`/proc/${helper.pid}/status`, 'utf8');
      largestRssKb = Math.max(largestRssKb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]));
    },
  });
  expect(await end).toMatchObject({ exitCode: 0 });
  expect(bytes).toBe(104_857_600);
  expect(largestRssKb).toBeLessThan(150 * 1024);
});

test('what a stream says beyond its limit is counted and thrown away', async () => {
  const { text, end } = collect('yes | head -c 100000', { maxStreamBytes: 10 });
  expect(await end).toMatchObject({ exitCode: 0, droppedBytes: { stdout: 99_990, stderr: 0 } });
  expect(text.stdout).toHaveLength(10);
});

test('a reader that fails ends the process', async () => {
  const { end } = collect('yes', {
    onStdout: () => {
      throw new Error('the disk is full');
    },
  });
  await expect(end).rejects.toThrow('the disk is full');
});

test('many processes at once each get their own output', async () => {
  const ran = Array.from({ length: 40 }, (_, index) => collect(`echo ${index}`));
  await Promise.all(ran.map(({ end }) => end));
  expect(ran.map(({ text }) => text.stdout)).toEqual(ran.map((_, index) => `${index}\n`));
});

test('when the helper crashes its processes are lost and killed, and the next one gets a new helper', async () => {
  const mortal = new ProcessHelper({ environment });
  onTestFinished(() => mortal.close());
  const first = collect('echo $$; exec sleep 600', {}, mortal);
  const pid = await firstPid(first.text);
  process.kill(mortal.pid!, 'SIGKILL');
  await expect(first.end).rejects.toThrow(ProcessLost);
  const second = collect('echo again', {}, mortal);
  expect(await second.end).toMatchObject({ exitCode: 0 });
  await untilDead(pid);
});

test('when the server crashes the helper ends its processes and itself', async () => {
  const orphan = spawnDirectly(process.execPath, [fileURLToPath(helperUrl()), 'a-nonce'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const socket = orphan.stdio[3] as Socket;
  const exited = new Promise((resolve) => orphan.once('exit', resolve));
  const printed = new Promise<Buffer>((resolve) => socket.once('data', resolve));
  const order = {
    command: ['/bin/sh', '-c', "trap '' TERM; echo $$; while true; do sleep 0.05; done"],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    windowBytes: 1000,
    maxStreamBytes: 1000,
    graceMs: 100,
  };
  for (const part of toJsonFrame(frameKinds.spawn, 1, order)) socket.write(part);
  const pid = Number((await printed).subarray(9).toString());
  socket.destroy();
  await exited;
  await untilDead(pid);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { ProcessHelper, ProcessLost } from './processHelper.ts';

test('a helper that crashes late takes no process of a newer helper along', { timeout: 60_000 }, async () => {
  const helpers: ChildProcess[] = [];
  // `as`: the helper uses one of the overloads of `spawn`.
  const startHelper = ((...given: Parameters<typeof spawn>) => {
    const child = spawn(...given);
    helpers.push(child);
    return child;
  }) as typeof spawn;
  const helper = new ProcessHelper({ environment: { PATH: process.env.PATH }, startHelper });
  onTestFinished(() => helper.close());
  const run = (script: string, begin: () => void) =>
    helper.spawn({
      command: ['/bin/sh', '-c', script],
      workingDirectory: tmpdir(),
      onStdout: begin,
      onStderr: () => {},
    });
  const begun = aSignal();
  const lost = expect(run('echo begun; sleep 600', begun.resolve)).rejects.toThrow(ProcessLost);
  await begun.promise;
  const [older] = helpers;
  // A helper emits its error before its exit.
  older?.emit('error', new Error('the pipe broke'));
  await lost;
  const again = aSignal();
  const second = run('echo begun; sleep 1', again.resolve);
  await again.promise;
  expect(helpers).toHaveLength(2);
  older?.emit('exit', null, 'SIGKILL');
  expect(await second).toMatchObject({ exitCode: 0 });
  older?.kill('SIGKILL');
});

function aSignal() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

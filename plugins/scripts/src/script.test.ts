import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@millrace/contract';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { runTask, TaskFailed } from '@millrace/plugin-kit';
import { aTaskContext, type TestContext } from '@millrace/plugin-kit/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { shell } from './languages/shell.ts';
import { ProcessHelper } from './process/processHelper.ts';

const [script, commands] = shell;
const helper = new ProcessHelper({ graceMs: 200 });
afterAll(() => helper.close());

const aScriptContext = (more: Parameters<typeof aTaskContext>[0] = {}) =>
  aTaskContext({ spawn: (request) => helper.spawn(request), ...more });

const run = (context: TestContext, definition: TaskDefinition, properties: Record<string, unknown>) =>
  runTask(definition, { id: 't', type: definition.type, ...properties } as Task, context);

const runCommands = (context: TestContext, list: unknown, more: Record<string, unknown> = {}) =>
  run(context, commands, { commands: list, ...more });

test('stdout is logged at INFO and stderr at ERROR', async () => {
  const context = aScriptContext();
  const result = await runCommands(context, ['echo out', 'echo err >&2']);
  expect(result).toEqual({ state: 'SUCCESS', outputs: { vars: {}, exitCode: 0, outputFiles: {} } });
  expect(context.logs).toContainEqual({ level: 'INFO', message: 'out' });
  expect(context.logs).toContainEqual({ level: 'ERROR', message: 'err' });
});

test('a script returns outputs, metrics and log lines by the protocol', async () => {
  const context = aScriptContext();
  const said = {
    outputs: { a: 1, deep: { b: [true] } },
    metrics: [
      { name: 'rows', type: 'counter', value: 3, tags: { table: 'x' } },
      { name: 'took', type: 'timer', value: 1.5 },
      { name: 'slept', type: 'timer', value: 'PT2S' },
    ],
    logs: [{ level: 'WARN', message: 'careful' }],
  };
  const { outputs } = await run(context, script, {
    script: `cat <<'EOF'\n::${JSON.stringify(said)}::\nEOF\necho '::{oops}::'`,
  });
  expect(outputs.vars).toEqual(said.outputs);
  expect(context.metrics).toEqual([
    { name: 'rows', type: 'counter', value: 3, tags: { table: 'x' } },
    { name: 'took', type: 'timer', value: 1500 },
    { name: 'slept', type: 'timer', value: 2000 },
  ]);
  expect(context.logs.map(({ level }) => level)).toEqual(['WARN', 'WARN']);
  expect(context.logs[1]?.message).toContain('Invalid output "::{oops}::"');
});

test('an exit code other than 0 fails the task and keeps its outputs', async () => {
  const context = aScriptContext();
  const failing = runCommands(context, [`echo '::{"outputs":{"a":1}}::'`, 'echo x > kept.txt', 'exit 5'], {
    outputFiles: ['*.txt'],
  });
  await expect(failing).rejects.toThrow('Command failed with exit code 5');
  await expect(failing).rejects.toSatisfy(
    (error) =>
      error instanceof TaskFailed &&
      error.outputs?.exitCode === 5 &&
      'kept.txt' in (error.outputs.outputFiles as Record<string, string>),
  );
});

test('commands stop at the first failure, unless told otherwise', async () => {
  const context = aScriptContext();
  await expect(runCommands(context, ['false', 'echo after'])).rejects.toThrow('exit code 1');
  expect(context.logs).toEqual([]);
  await runCommands(context, ['false', 'echo after'], { failFast: false });
  expect(context.logs).toEqual([{ level: 'INFO', message: 'after' }]);
});

test('expressions, environment, before commands and the working folder', async () => {
  const context = aScriptContext({ variables: { who: 'World', list: ['echo one', 'echo two'] } });
  const folder = await context.workingDirectory();
  await runCommands(
    context,
    ['echo "$GREETING {{ who }}"', 'echo {{ workingDir }}', 'echo $WORKING_DIR', 'echo $X'],
    {
      env: { GREETING: 'Hello', NUMBER: 1 },
      beforeCommands: ['X=before'],
    },
  );
  expect(context.logs.map(({ message }) => message)).toEqual(['Hello World', folder, folder, 'before']);
  await runCommands(context, '{{ list }}');
  expect(context.logs.slice(4).map(({ message }) => message)).toEqual(['one', 'two']);
});

test('input files come in, output files go out', async () => {
  const context = aScriptContext();
  const uri = await context.files.put('stored.csv', 'a,b\n');
  const { outputs } = await runCommands(
    context,
    [
      'cat text.txt in/stored.csv > all.txt',
      'mkdir out',
      'cp all.txt out/copy.txt',
      'echo more > "{{ outputDir }}/more.txt"',
    ],
    { inputFiles: { 'text.txt': 'hello\n', 'in/stored.csv': uri }, outputFiles: ['out/**', 'all.txt'] },
  );
  const files = outputs.outputFiles as Record<string, string>;
  expect(Object.keys(files)).toEqual(['all.txt', 'out/copy.txt', 'more.txt']);
  expect(await context.files.text(files['out/copy.txt']!)).toBe('hello\na,b\n');
});

test.each(['millrace', 'kestra'])('a %s:/// URI in a command is fetched', async (scheme) => {
  const context = aScriptContext();
  const uri = (await context.files.put('data file.txt', 'content'))
    .replace(/^millrace/, scheme)
    .replace(' ', '%20');
  context.files.byPath.set('/files/0/data%20file.txt', Buffer.from('content'));
  await runCommands(context, [`cat "${uri}"`]);
  expect(context.logs).toEqual([{ level: 'INFO', message: 'content' }]);
});

test('namespace files are there when asked for', async () => {
  const context = aScriptContext();
  await context.namespaceFiles.write('company.team', 'lib/x.sh', 'echo from a namespace file');
  await runCommands(context, ['sh lib/x.sh'], { namespaceFiles: true });
  expect(context.logs).toEqual([{ level: 'INFO', message: 'from a namespace file' }]);
});

test('output files cannot be reached through links', async () => {
  const context = aScriptContext();
  const folder = await context.workingDirectory();
  await mkdir(join(folder, 'real'));
  await symlink('/etc', join(folder, 'etc'));
  const { outputs } = await runCommands(context, ['ln -s /etc/passwd passwd'], { outputFiles: ['**'] });
  expect(outputs.outputFiles).toEqual({});
});

test('a secret in the output is masked, also inside a very long line', async () => {
  const context = aScriptContext({ secrets: { TOKEN: 'correct-horse-battery' } });
  const token = await context.secret('TOKEN');
  await runCommands(context, ['echo "token=$TOKEN"', `printf 'x%.0s' $(seq 16380); printf '%s' "$TOKEN"`], {
    env: { TOKEN: token },
  });
  const printed = context.logs.map(({ message }) => message).join('');
  expect(printed).not.toContain('horse');
  expect(printed).toContain('token=**masked*');
});

test('a killed task ends its process', async () => {
  const context = aScriptContext();
  const folder = await context.workingDirectory();
  const running = runCommands(context, ["trap '' TERM", 'touch started', 'while true; do sleep 0.05; done']);
  await vi.waitFor(() => expect(existsSync(join(folder, 'started'))).toBe(true), { timeout: 60_000 });
  context.kill();
  await expect(running).rejects.toThrow('aborted');
});

test('a script longer than one argument may be still runs', async () => {
  const context = aScriptContext();
  const long = `# ${'x'.repeat(300_000)}\necho done`;
  await run(context, script, { script: long });
  expect(context.logs).toEqual([{ level: 'INFO', message: 'done' }]);
});

test('another interpreter', async () => {
  const context = aScriptContext();
  await runCommands(context, ['print "hello\\n";'], { interpreter: ['perl', '-e'] });
  expect(context.logs).toEqual([{ level: 'INFO', message: 'hello' }]);
});

test('writing to stderr is a warning only when asked for', async () => {
  expect((await runCommands(aScriptContext(), ['echo x >&2'])).state).toBe('SUCCESS');
  expect((await runCommands(aScriptContext(), ['echo x >&2'], { warningOnStdErr: true })).state).toBe(
    'WARNING',
  );
});

test('a runner that is not installed is named', async () => {
  const running = runCommands(aScriptContext(), ['true'], { taskRunner: { type: 'cloud.Batch' } });
  await expect(running).rejects.toThrow('The task runner "cloud.Batch" is not installed.');
});

test('a flood of 100 MB is logged without filling the memory', async () => {
  const context = aScriptContext();
  let lines = 0;
  let characters = 0;
  const counting: TestContext = {
    ...context,
    log: (_, message) => {
      lines += 1;
      characters += message.length;
    },
  };
  const before = process.memoryUsage().rss;
  await runCommands(counting, [
    'yes 0123456789012345678901234567890123456789012345678901234567890123456789012345678 | head -c 104857600',
  ]);
  expect(lines).toBe(104_857_600 / 80);
  expect(characters).toBe(lines * 79);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

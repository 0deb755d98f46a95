import type { Task } from '@millrace/contract';
import { runTask } from '@millrace/plugin-kit';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { afterAll, expect, test } from 'vitest';
import { legacyScripts } from './legacyScripts.ts';
import { ProcessHelper } from './process/processHelper.ts';

const helper = new ProcessHelper({ graceMs: 200 });
afterAll(() => helper.close());

async function run(name: 'Bash' | 'Python' | 'Node', properties: Record<string, unknown>) {
  const definition = legacyScripts.find(({ type }) => type.endsWith(name));
  if (!definition) throw new Error(`There is no ${name}.`);
  const context = aTaskContext({ spawn: (request) => helper.spawn(request), variables: { who: 'me' } });
  const task = { id: 't', type: definition.type, ...properties } as Task;
  const { outputs } = await runTask(definition, task, context);
  const messages = context.logs.map(({ message }) => message);
  return { outputs: outputs as { outputFiles: Record<string, string> }, messages, context };
}

test('Bash names its output files in its commands', async () => {
  const { outputs, context } = await run('Bash', {
    outputFiles: ['first', 'second'],
    commands: ['echo "1 {{ who }}" >> {{ outputFiles.first }}', 'echo 2 >> {{ outputFiles.second }}'],
  });
  expect(await context.files.text(outputs.outputFiles.first ?? '')).toBe('1 me\n');
  expect(Object.keys(outputs.outputFiles)).toEqual(['first', 'second']);
});

test('Bash continues after a failed command with exitOnFailed: false, and stops by default', async () => {
  const commands = ['false', 'echo after'];
  expect((await run('Bash', { commands, exitOnFailed: 'false' })).messages).toContain('after');
  await expect(run('Bash', { commands })).rejects.toThrow('exit code 1');
});

test.each([
  [{ interpreter: '/bin/sh' }],
  [{ interpreter: '/bin/sh', interpreterArgs: ['-u', '-c'] }],
  [{ interpreter: ['/bin/sh', '-c'] }],
])('Bash runs with %j', async (properties) => {
  expect((await run('Bash', { ...properties, commands: ['echo hi'] })).messages).toContain('hi');
});

test('Bash ignores dockerOptions unless the runner is DOCKER', async () => {
  const { messages } = await run('Bash', { dockerOptions: { image: 'php' }, commands: 'echo {{ who }}' });
  expect(messages).toContain('me');
});

test('Python and Node run their main file with the arguments when no commands are given', async () => {
  const python = await run('Python', {
    args: ['{{ who }}', "it's"],
    inputFiles: { 'main.py': 'import sys\nprint(sys.argv[1:])' },
  });
  expect(python.messages).toContain("['me', \"it's\"]");
  const node = await run('Node', {
    args: ['{{ who }}'],
    inputFiles: { 'main.js': 'console.log(process.argv[2])' },
  });
  expect(node.messages).toContain('me');
});

test('Python runs other commands', async () => {
  const { messages } = await run('Python', {
    virtualEnv: false,
    commands: ['python3 other.py'],
    inputFiles: { 'other.py': 'print("other")' },
  });
  expect(messages).toContain('other');
});

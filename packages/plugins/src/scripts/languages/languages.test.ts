import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import type { TaskDefinition } from '../../kit/definition.ts';
import { runType } from '../../kit/testing/runType.ts';
import { aTaskContext } from '../../kit/testing/testContext.ts';
import { ProcessHelper } from '../process/processHelper.ts';
import { node } from './node.ts';
import { perl } from './perl.ts';
import { python } from './python.ts';

const helper = new ProcessHelper();
afterAll(() => helper.close());

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

const cases: [string, TaskDefinition, string][] = [
  [
    'python3',
    python[0],
    'import json, lib\nprint("::" + json.dumps({"outputs": {"word": lib.word}}) + "::")',
  ],
  ['node', node[0], `console.log('::' + JSON.stringify({ outputs: { word: 'hello' } }) + '::');`],
  ['perl', perl[0], `print '::{"outputs": {"word": "hello"}}::';`],
];

test.each(cases.filter(([program]) => isInstalled(program)))(
  'code in %s returns values',
  async (_, definition, script) => {
    const context = aTaskContext({ spawn: (request) => helper.spawn(request) });
    const outputs = await runType(
      definition,
      { script, inputFiles: { 'lib.py': 'word = "hello"' } },
      context,
    );
    expect(outputs).toEqual({ vars: { word: 'hello' }, exitCode: 0, outputFiles: {} });
  },
);

test('code that fails in Python is logged and fails the task', async () => {
  const context = aTaskContext({ spawn: (request) => helper.spawn(request) });
  await expect(runType(python[0], { script: 'raise ValueError("no")' }, context)).rejects.toThrow(
    'exit code 1',
  );
  expect(context.logs).toContainEqual({ level: 'ERROR', message: 'ValueError: no' });
});

test('packages of a Python task are installed in an environment of its own', async () => {
  const commands: string[][] = [];
  const context = aTaskContext({
    spawn: async ({ command }) => {
      commands.push([...command]);
      return { exitCode: 0, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
    },
  });
  await runType(
    python[0],
    { script: 'x', dependencies: ["a'b; rm -rf /", 'requests>=2'], packageManager: 'PIP' },
    context,
  );
  expect(commands[0]?.[2]).toContain(`python3 -m venv .millrace-venv`);
  expect(commands[0]?.[2]).toContain(
    String.raw`pip install -q --disable-pip-version-check 'a'\''b; rm -rf /' 'requests>=2'`,
  );
});

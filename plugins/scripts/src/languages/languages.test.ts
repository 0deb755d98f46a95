import { spawnSync } from 'node:child_process';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { afterAll, expect, test } from 'vitest';
import { ProcessHelper } from '../process/processHelper.ts';
import { jbang } from './jbang.ts';
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

/** The script that a shell would run, without running it. */
async function scriptOf(definition: TaskDefinition, properties: Record<string, unknown>): Promise<string> {
  let asked = '';
  const context = aTaskContext({
    spawn: async ({ command }) => {
      asked = command[2] ?? '';
      return { exitCode: 0, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
    },
  });
  await runType(definition, { script: 'x', ...properties }, context);
  return asked;
}

test('packages of a Python task are installed in a separate environment', async () => {
  const dependencies = ["a'b; rm -rf /", 'requests>=2'];
  const names = String.raw`'a'\''b; rm -rf /' 'requests>=2'`;
  const pip = await scriptOf(python[0], { dependencies, packageManager: 'PIP' });
  expect(pip).toContain(`python3 -m venv .millrace-venv\n. .millrace-venv/bin/activate\n`);
  expect(pip).toContain(`pip install -q --disable-pip-version-check ${names}\n`);
  const uncached = { dependencies, dependencyCacheEnabled: false, pythonVersion: '3.12' };
  const uv = await scriptOf(python[0], uncached);
  expect(uv).toContain(`uv venv -q --python '3.12' .millrace-venv\n`);
  expect(uv).toContain(`uv pip install -q --no-cache ${names}\n`);
  expect(uv).toContain(`'python3.12' -m venv .millrace-venv\n`);
  expect(uv).toContain(`pip install -q --disable-pip-version-check --no-cache-dir uv 2>/dev/null`);
  expect(await scriptOf(python[0], { ...uncached, uvAutoInstallEnabled: false })).not.toContain('-dir uv');
  const pinned = { ...uncached, uvInstallerVersion: '0.9.5' };
  expect(await scriptOf(python[0], pinned)).toContain(`-dir 'uv==0.9.5' 2>/dev/null`);
  const checked = await scriptOf(python[0], { ...pinned, uvInstallerSha256: 'abc' });
  expect(checked).toContain(`'https://astral.sh/uv/0.9.5/install.sh' 'abc' .millrace-venv/uv-install.sh\n`);
  expect(checked).not.toContain('-dir uv');
  expect(await scriptOf(python[0], {})).not.toContain('venv');
});

test('JBang gets the kind of the file and the option --quiet', async () => {
  expect(await scriptOf(jbang[0], {})).toMatch(/jbang --quiet '.*\.java'$/);
  expect(await scriptOf(jbang[0], { extension: '.kt', quiet: false })).toMatch(/jbang '.*\.kt'$/);
  await expect(scriptOf(jbang[0], { extension: ".kt'; rm" })).rejects.toThrow('must be a dot followed by');
});

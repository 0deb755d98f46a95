import type { Task } from '@millrace/contract';
import { runTask } from '@millrace/plugin-kit';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { legacyScripts } from './legacyScripts.ts';
import { ProcessHelper } from './process/processHelper.ts';

const helper = new ProcessHelper({ graceMs: 200 });
afterAll(() => helper.close());

/** How this machine reaches the registries. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(pip_|npm_config_|.*_proxy$|.*ssl|.*cert|home$)/i.test(name),
  ),
);

async function run(name: 'Python' | 'Node', properties: Record<string, unknown>) {
  const definition = legacyScripts.find(({ type }) => type.endsWith(name));
  if (!definition) throw new Error(`There is no ${name}.`);
  const context = aTaskContext({ spawn: (request) => helper.spawn(request) });
  await runTask(definition, { id: 't', type: definition.type, env, ...properties } as Task, context);
  return context.logs.map(({ message }) => message);
}

/** `scripts/connectors/registries.mjs` checks that both registries can be reached. */
describe.skipIf(!process.env.MILLRACE_TEST_REGISTRIES)('packages of the older script tasks', () => {
  test('Python installs its requirements into an environment of the task, and runs with them', async () => {
    const inputFiles = {
      'main.py': 'import six, sys\nprint(six.__version__, sys.prefix != sys.base_prefix)',
    };
    expect(await run('Python', { requirements: ['six==1.17.0'], inputFiles })).toContain('1.17.0 True');
  }, 300_000);

  test('Python runs commands of its environment, and fails when a requirement does not exist', async () => {
    const properties = { requirements: ['six==1.17.0'], commands: ['./bin/python main.py'] };
    const inputFiles = { 'main.py': 'import six\nprint(six.__version__)' };
    expect(await run('Python', { ...properties, inputFiles })).toContain('1.17.0');
    await expect(
      run('Python', { ...properties, requirements: ['six==0.0.404'], inputFiles }),
    ).rejects.toThrow('exit code 1');
  }, 300_000);

  test('Node installs the packages of a package.json, and runs with them', async () => {
    const inputFiles = {
      'package.json': JSON.stringify({ dependencies: { 'is-number': '7.0.0' } }),
      'main.js': "console.log(require('is-number')('5'))",
    };
    expect(await run('Node', { inputFiles })).toContain('true');
  }, 300_000);
});

import { spawnSync } from 'node:child_process';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realProcesses, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { evaluationTypes } from './evaluations.ts';

const find = (type: string) =>
  // `as`: every type of the list is a task.
  evaluationTypes.find((each) => each.type === type) as TaskDefinition;

const aContext = (): TestContext =>
  aTaskContext({ spawn: realProcesses, variables: { inputs: { name: 'Ada' }, vars: { list: [1, 2] } } });

const run = (type: string, properties: object, context = aContext()) =>
  runType(find(type), { ...properties }, context);

async function transform(group: string, script: string, rows: readonly unknown[], context = aContext()) {
  const from = await context.files.put('rows.ion', rows.map((row) => JSON.stringify(row)).join('\n'));
  const { uri } = await run(`${group}.FileTransform`, { from, script }, context);
  return (await context.files.text(String(uri)))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const hasRuby = spawnSync('ruby', ['--version']).status === 0;
const hasGroovy = spawnSync('groovy', ['--version']).status === 0;

interface Language {
  readonly group: string;
  readonly isThere: boolean;
  readonly names: string;
  readonly member: string;
  readonly fails: string;
  readonly rows: string;
}

const javascript = {
  names: `const greeting = 'Hello ' + inputs.name; let sum = vars.list.reduce((a, b) => a + b); logger.warn('careful'); sum`,
  member: `(() => ({ greeting: 'from the result' }))`,
  fails: `throw new Error('broken')`,
  rows: `const big = row.n > 2; if (row.n === 1) row = null; else if (big) rows = [row, { n: row.n * 10 }]; else row.ok = true`,
};
const python = {
  names: `greeting = 'Hello ' + inputs.name\nsum = vars['list'][0] + 2\nlogger.warn('careful')\nsum`,
  member: `{'greeting': 'from the result'}`,
  fails: `raise Exception('broken')`,
  rows: `if row['n'] == 1:\n    row = None\nelif row['n'] > 2:\n    rows = [row, {'n': row['n'] * 10}]\nelse:\n    row['ok'] = True`,
};
const languages: readonly Language[] = [
  { group: 'graalvm.js', isThere: true, ...javascript },
  { group: 'scripts.nashorn', isThere: true, ...javascript },
  { group: 'graalvm.python', isThere: true, ...python },
  { group: 'scripts.jython', isThere: true, ...python },
  {
    group: 'graalvm.ruby',
    isThere: hasRuby,
    names: `greeting = 'Hello ' + inputs['name']\nsum = vars['list'].sum\nlogger.warn('careful')\nsum`,
    member: `{ greeting: 'from the result' }`,
    fails: `raise 'broken'`,
    rows: `if row['n'] == 1\n  row = nil\nelsif row['n'] > 2\n  rows = [row, { 'n' => row['n'] * 10 }]\nelse\n  row['ok'] = true\nend`,
  },
  {
    group: 'scripts.groovy',
    isThere: hasGroovy,
    names: `greeting = 'Hello ' + inputs.name\nsum = vars.list.sum()\nlogger.warn('careful')\nsum`,
    member: `[greeting: 'from the result']`,
    fails: `throw new Exception('broken')`,
    rows: `if (row.n == 1) row = null\nelse if (row.n > 2) rows = [row, [n: row.n * 10]]\nelse row.ok = true`,
  },
];

describe.each(languages)('$group', ({ group, isThere, names, member, fails, rows }) => {
  test.runIf(isThere)('a script sees the variables, logs, and gives outputs and a result', async () => {
    const context = aContext();
    const evaluated = await run(
      `${group}.Eval`,
      { script: names, outputs: ['greeting', 'sum', 'none'] },
      context,
    );
    expect(evaluated).toEqual({ result: 3, outputs: { greeting: 'Hello Ada', sum: 3 } });
    expect(context.logs).toEqual([{ level: 'WARN', message: 'careful' }]);
    expect(await run(`${group}.Eval`, { script: member, outputs: ['greeting'] })).toMatchObject({
      outputs: { greeting: 'from the result' },
    });
  });

  test.runIf(isThere)('rows are changed, dropped and multiplied', async () => {
    const context = aContext();
    const written = [{ n: 1 }, { n: 2, text: 'ü\n' }, { n: 3 }];
    expect(await transform(group, rows, written, context)).toEqual([
      { n: 2, text: 'ü\n', ok: true },
      { n: 3 },
      { n: 30 },
    ]);
    expect(context.metrics).toEqual([{ name: 'records', type: 'counter', value: 3 }]);
    expect(await transform(group, rows, [], aContext())).toEqual([]);
  });

  test.runIf(isThere)('a script that fails fails the task and logs why', async () => {
    const context = aContext();
    await expect(run(`${group}.Eval`, { script: fails }, context)).rejects.toThrow(
      'The script failed with exit code 1',
    );
    expect(context.logs.map(({ message }) => message).join('\n')).toContain('broken');
  });
});

test('rows can be written in the flow', async () => {
  const context = aContext();
  const { uri } = await run(
    'graalvm.js.FileTransform',
    { from: [{ a: 1 }], script: 'row.b = row.a + inputs.name.length' },
    context,
  );
  expect(await context.files.text(String(uri))).toBe('{"a":1,"b":4}\n');
  await expect(run('graalvm.js.FileTransform', { from: 'no JSON', script: '' })).rejects.toThrow(
    'must be the URI',
  );
});

test('Python imports modules from text and from internal storage', async () => {
  const context = aContext();
  const stored = await context.files.put('other.py', 'def two():\n    return 2\n');
  const modules = { 'one.py': 'ONE = 1\n', 'other.py': stored };
  const script = 'import one\nfrom other import two\none.ONE + two()';
  expect(await run('graalvm.python.Eval', { script, modules }, context)).toMatchObject({ result: 3 });
});

test('Java classes and the rest of runContext are refused with a reason', async () => {
  const context = aContext();
  await expect(run('graalvm.js.Eval', { script: `Java.type('java.util.Map')` }, context)).rejects.toThrow();
  await expect(run('graalvm.js.Eval', { script: `runContext.render('x')` }, context)).rejects.toThrow();
  const log = context.logs.map(({ message }) => message).join('\n');
  expect(log).toContain('Java classes such as java.util.Map are not available');
  expect(log).toContain('runContext.render is not available here');
});

test('a script is stopped when the task is killed', async () => {
  const context = aContext();
  const running = run('graalvm.js.Eval', { script: `logger.info('ready'); for (;;) {}` }, context);
  running.catch(() => {});
  await expect.poll(() => context.logs.length).toBe(1);
  const killedAt = Date.now();
  context.kill();
  await expect(running).rejects.toThrow();
  expect(Date.now() - killedAt).toBeLessThan(10_000);
});

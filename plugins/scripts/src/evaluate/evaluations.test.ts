import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { aContext, type Language, run, testEvaluation } from './testing/testEvaluation.ts';

const hasRuby = spawnSync('ruby', ['--version']).status === 0;

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
];

for (const language of languages) testEvaluation(language);

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

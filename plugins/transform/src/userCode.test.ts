import { readTypedRows, type TaskDefinition, writeTypedRows } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { grokItems, grokValue } from './grok/grokTypes.ts';
import { jsonataItems, jsonataValue } from './jsonata/jsonataTypes.ts';
import { withUserCode } from './worker/userCode.ts';

async function rowsOf(
  definition: TaskDefinition,
  content: string | AsyncIterable<Uint8Array>,
  properties: object,
) {
  const context = aTaskContext();
  const from = await context.files.put('in', content);
  const { uri, processedItemsTotal } = await runType(definition, { from, ...properties }, context);
  const rows: unknown[] = [];
  for await (const row of readTypedRows(context, String(uri))) rows.push(row);
  return { rows, processedItemsTotal };
}

describe('JSONata', () => {
  const value = async (from: unknown, expression: string, properties = {}) =>
    (await runType(jsonataValue, { from, expression, ...properties })).value;

  test('transforms a value', async () => {
    expect(await value('{"a":[1,2,3]}', '$sum(a)')).toBe(6);
    expect(await value({ a: { b: 'x' } }, '{"c": a.b & "y"}')).toEqual({ c: 'xy' });
    expect(await value('{}', 'missing')).toBeNull();
  });

  test('says what is wrong with the expression or the value', async () => {
    await expect(value('{}', '{"a": ')).rejects.toThrow('The expression "{"a": " failed: ');
    await expect(value('{"a":"x"}', 'a + 1')).rejects.toThrow('must evaluate to a number');
    await expect(value('nope', 'a')).rejects.toThrow('"from" must be JSON');
  });

  test('depth is limited', async () => {
    await expect(
      value('{}', '($f := function($n) { 1 + $f($n + 1) }; $f(0))', { maxDepth: 100 }),
    ).rejects.toThrow('"maxDepth" allows (100)');
  });

  test('transforms rows, explodes arrays and leaves out what gives nothing', async () => {
    const rows = () => writeTypedRows([{ a: [1, 2] }, { a: [3] }, {}]).content;
    expect(await rowsOf(jsonataItems, rows(), { expression: 'a.{"v": $}' })).toEqual({
      rows: [{ v: 1 }, { v: 2 }, { v: 3 }],
      processedItemsTotal: 3,
    });
    expect((await rowsOf(jsonataItems, rows(), { expression: 'a', explodeArray: false })).rows).toEqual([
      [1, 2],
      [3],
    ]);
    await expect(rowsOf(jsonataItems, rows(), { expression: '$error("no")' })).rejects.toThrow(
      'failed for record 1: no.',
    );
  });

  test('an expression that never ends is stopped', async () => {
    const code = {
      kind: 'jsonata',
      expression: '($f := function($n) { $f($n + 1) }; $f(0))',
      maxDepth: 1000,
    } as const;
    const { signal } = new AbortController();
    const running = withUserCode(code, { signal, batchTimeoutMs: 1500 }, (evaluate) => evaluate(['{}']));
    await expect(running).rejects.toThrow('took longer than 1.5 s and was stopped');
  });

  test('an expression that fills the memory is stopped', async () => {
    const expression = `[${Array(8).fill('[1..9000000]').join(',')}]`;
    await expect(value('{}', expression)).rejects.toThrow('needs more than 256 MB of memory and was stopped');
  });

  test('a killed task ends at once', async () => {
    const context = aTaskContext();
    const running = runType(
      jsonataValue,
      { from: '{}', expression: '($f := function($n) { $f($n + 1) }; $f(0))' },
      context,
    );
    setImmediate(() => context.kill());
    await expect(running).rejects.toThrow('aborted');
  });
});

describe('grok', () => {
  const value = async (from: string, properties: object) =>
    (await runType(grokValue, { from, ...properties })).value;

  test('reads the usual log lines', async () => {
    const line =
      '203.0.113.7 - ada [10/Oct/2026:13:55:36 +0200] "GET /a?b=1 HTTP/1.1" 200 2326 "http://example.com/" "Mozilla/5.0 (X11)"';
    expect(await value(line, { pattern: '%{COMBINEDAPACHELOG}' })).toMatchObject({
      clientip: '203.0.113.7',
      auth: 'ada',
      verb: 'GET',
      request: '/a?b=1',
      response: '200',
      bytes: '2326',
      timestamp: '10/Oct/2026:13:55:36 +0200',
      agent: '"Mozilla/5.0 (X11)"',
    });
    expect(
      await value('Jan 31 10:00:00 web1 sshd[42]: Failed password', { pattern: '%{SYSLOGLINE}' }),
    ).toMatchObject({
      logsource: 'web1',
      program: 'sshd',
      pid: '42',
      message: 'Failed password',
    });
  });

  test('types, own definitions, unnamed and empty captures', async () => {
    const patternDefinitions = { CODE: '[A-Z]{2}\\d+' };
    expect(
      await value('AB12 7 1.5', { pattern: '%{CODE:c} %{INT:n:int} %{NUMBER:f:float}', patternDefinitions }),
    ).toEqual({
      c: 'AB12',
      n: 7,
      f: 1.5,
    });
    expect(await value('x 1', { pattern: '%{WORD} %{INT:n}', namedCapturesOnly: false })).toEqual({
      WORD: 'x',
      n: '1',
    });
    expect(await value('x', { pattern: '(?<a>x)(?<b>y)?', keepEmptyCaptures: true })).toEqual({
      a: 'x',
      b: null,
    });
    expect(await value('nothing', { pattern: '%{IP:ip}' })).toEqual({});
  });

  test('patterns are tried in order, or merged', async () => {
    const patterns = ['%{INT:n}', '%{WORD:w}'];
    expect(await value('a 1', { patterns })).toEqual({ n: '1' });
    expect(await value('a 1', { patterns, breakOnFirstMatch: false })).toEqual({ n: '1', w: 'a' });
  });

  test('patterns come from files of the namespace', async () => {
    const context = aTaskContext();
    await context.namespaceFiles.write('company.team', 'grok/own', '# mine\nSHOUT [A-Z]+!\n');
    const read = (patternsDir: string[]) =>
      runType(grokValue, { from: 'HEY! you', pattern: '%{SHOUT:s}', patternsDir }, context);
    expect((await read(['grok'])).value).toEqual({ s: 'HEY!' });
    await expect(read(['nope'])).rejects.toThrow('no such file or folder');
  });

  test('says what is wrong with a pattern', async () => {
    await expect(value('x', { pattern: '%{NOPE:x}' })).rejects.toThrow('the pattern "NOPE" is unknown');
    await expect(value('x', { pattern: '(' })).rejects.toThrow('The grok pattern "(" is invalid');
    await expect(value('x', { pattern: '%{A}', patternDefinitions: { A: '%{A}' } })).rejects.toThrow(
      'levels deep',
    );
    await expect(value('x', {})).rejects.toThrow('One of "pattern" and "patterns"');
  });

  test('reads the lines of a plain file and rows that are texts', async () => {
    const { rows, processedItemsTotal } = await rowsOf(grokItems, 'a 1\n"b \\"2"\r\n\nnone\n', {
      pattern: '%{WORD:w}.*%{INT:n}',
    });
    expect(rows).toEqual([{ w: 'a', n: '1' }, { w: 'b', n: '2' }, {}]);
    expect(processedItemsTotal).toBe(3);
  });

  test('a pattern that never ends is stopped', async () => {
    const code = { kind: 'grok', sources: ['^(a+)+$'], flags: 's' } as const;
    const { signal } = new AbortController();
    const running = withUserCode(code, { signal, batchTimeoutMs: 1000 }, (evaluate) =>
      evaluate([`${'a'.repeat(60)}!`]),
    );
    await expect(running).rejects.toThrow('was stopped');
  });
});

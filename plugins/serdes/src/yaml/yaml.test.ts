import { LocalDate } from '@millrace/expression';
import { describe, expect, test } from 'vitest';
import { convertFile, convertRowsTo, rowsOf, textOf } from '../testing/convert.ts';
import { ionToYaml, jsonToYaml, yamlToIon, yamlToJson } from './yamlTypes.ts';

const read = async (yaml: string) => rowsOf(await convertFile(yamlToIon, yaml));

describe('YamlToIon', () => {
  test('each document is a row', async () => {
    expect(await read('# top\n---\na: 1\nb: [x, null]\n---\n- 1\n- 2\n...\n---\n"text"\n')).toEqual([
      { a: 1, b: ['x', null] },
      [1, 2],
      'text',
    ]);
  });

  test('integers stay exact and anchors are followed', async () => {
    expect(await read('big: 12345678901234567890\nx: &x {k: v}\ny: *x\nz: {<<: *x, q: 1}\n')).toEqual([
      { big: 12345678901234567890n, x: { k: 'v' }, y: { k: 'v' }, z: { k: 'v', q: 1 } },
    ]);
  });

  test('says on which line the file is wrong', async () => {
    await expect(read('a: 1\n---\nb: [1\nc: 2\n')).rejects.toThrow(/Line [345] is invalid YAML/);
  });

  test('a bomb of aliases is refused', async () => {
    const levels = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef'].map((pair) => [...pair]))
      levels.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(',')}]`);
    await expect(read(levels.join('\n'))).rejects.toThrow('invalid YAML');
  });
});

test('rows are written as documents and read again', async () => {
  const rows = [
    { a: 'x: y', list: [{ b: 1 }, []], big: 12345678901234567890n, n: null },
    { a: 'two\nlines' },
  ];
  const yaml = await textOf(await convertRowsTo(ionToYaml, rows));
  expect(yaml).toContain('---\n');
  expect(await read(yaml)).toEqual(rows);
  expect(await textOf(await convertRowsTo(ionToYaml, [{ d: new LocalDate(0) }]))).toBe('d: 1970-01-01\n');
});

test('JSON becomes YAML: an array a list, lines documents', async () => {
  expect(await textOf(await convertFile(jsonToYaml, '[{"a":1},{"a":[2]}]'))).toBe('- a: 1\n- a:\n    - 2\n');
  expect(await textOf(await convertFile(jsonToYaml, '{"a":1}\n{"a":2}\n', { jsonl: true }))).toBe(
    'a: 1\n---\na: 2\n',
  );
  expect(await textOf(await convertFile(jsonToYaml, '{"a":"yes"}'))).toBe('a: yes\n');
});

test('YAML becomes JSON: one document a value, several an array or lines', async () => {
  const json = async (yaml: string, properties = {}) =>
    textOf(await convertFile(yamlToJson, yaml, properties));
  expect(await json('a: 1\n')).toBe('{"a":1}\n');
  expect(JSON.parse(await json('a: 1\n---\nb: 2\n'))).toEqual([{ a: 1 }, { b: 2 }]);
  expect(await json('- 1\n- {a: x}\n', { jsonl: true })).toBe('1\n{"a":"x"}\n');
});

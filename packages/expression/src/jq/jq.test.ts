import { describe, expect, test } from 'vitest';
import { bareHost } from '../cases/case.ts';
import { jqCases } from '../cases/jq.ts';
import { ExpressionError, render, renderTyped } from '../index.ts';

/** The examples of the language's own documentation. */
const documented: readonly (readonly [input: string, program: string, results: string])[] = [
  ['[1,2,3]', '.[0]', '[1]'],
  ['{"a":[1,2]}', '.a[]', '[1,2]'],
  ['[{"n":"x","v":1},{"n":"y","v":5}]', '.[] | select(.v > 2) | .n', '["y"]'],
  ['[1,2,3]', 'map(. * 2)', '[[2,4,6]]'],
  ['{"x":1,"y":2}', 'keys', '[["x","y"]]'],
  ['{"a":1}', '.b // "d"', '["d"]'],
  ['["a","b"]', 'join("-")', '["a-b"]'],
  ['{"a":1}', '. + {b:2}', '[{"a":1,"b":2}]'],
  ['[1,[2,[3]]]', 'flatten', '[[1,2,3]]'],
  ['[{"k":"a"},{"k":"b"},{"k":"a"}]', 'group_by(.k) | map(length)', '[[2,1]]'],
  ['[72,88,95]', 'reduce .[] as $n (0; . + $n)', '[255]'],
  ['[1,2,3,4]', '.[1:3]', '[[2,3]]'],
  ['{"a":null}', '.a', '[null]'],
  ['[]', '.[]', '[]'],
  ['5', 'tonumber + 1', '[6]'],
];

describe('jq', () => {
  test.each([...documented, ...jqCases])('%s | %s', (input, program, results) => {
    const given = renderTyped('{{ input | jq(program) }}', { input, program }, bareHost);
    expect(given).toEqual(JSON.parse(results));
  });

  test('keeps the kind of a number it only passes on', () => {
    expect(render('{{ x | jq(".a") }}', { x: '{"a":10.0}' }, bareHost)).toBe('[10.0]');
  });

  test('drops null members of maps, turns dates into text, and answers null for null', () => {
    expect(render("{{ {'a': null, 'b': d} | jq('keys, .b') }}", { d: new Date(0) }, bareHost)).toBe(
      '[["b"],"1970-01-01T00:00:00Z"]',
    );
    expect(render("[{{ null | jq('.') }}]", {}, bareHost)).toBe('[]');
  });

  test.each([
    '.a.b',
    '.[',
    'nope',
    '$x',
    '{',
    'error("boom")',
    '.[] | keys',
    '"\\q"',
    '@nope',
    'if . then 1',
    '1 +',
  ])('the program %s fails as a rendering error', (program) => {
    expect(() => render('{{ x | jq(program) }}', { x: { a: 1 }, program }, bareHost)).toThrow(
      ExpressionError,
    );
  });

  test('an error names the value and its type', () => {
    expect(() => render("{{ [1] | jq('.[0].b') }}", {}, bareHost)).toThrow('array ([1])');
  });

  test.each([
    '[range(1e9)]',
    'def f: f; f',
    'def f: [.,.] | f; f',
    '[repeat(1)]',
    'last(repeat(1))',
    '1 | until(false; . + 1)',
    '"x" * 1e9',
    '[limit(1e9; repeat(1))]',
    'reduce range(100) as $i ("x"; . + .)',
    'reduce range(60) as $i (1; [., .]) | tojson',
    '(reduce range(60) as $i (1; [., .])) as $a | (reduce range(60) as $i (1; [., .])) as $b | $a == $b',
    'setpath([999999999]; 1)',
    '[recurse(.+1)]',
    'last(range(0; 1; 0))',
    '[.[] | . as $x | range(1e8)]',
  ])('the endless program %s ends', (program) => {
    // A tenth of the limits of the product: such a program takes as long as they allow.
    const limits = { maxText: 1_000_000, maxItems: 100_000, maxSteps: 500_000 };
    expect(() => render('{{ [1] | jq(program) }}', { program }, bareHost, { limits })).toThrow(
      ExpressionError,
    );
  });

  test('knows nothing of the environment', () => {
    expect(render("{{ 1 | jq('env, $ENV') }}", {}, bareHost)).toBe('[{},{}]');
  });
});

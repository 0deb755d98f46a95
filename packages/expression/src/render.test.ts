import { describe, expect, test } from 'vitest';
import { bareHost, materialise } from './cases/case.ts';
import {
  compile,
  ExpressionError,
  isTruthy,
  MissingError,
  render,
  renderDeep,
  renderTyped,
} from './index.ts';

describe('renderDeep', () => {
  test('renders keys and values, keeps order and other kinds, and the first of colliding keys', () => {
    const given = {
      '{{ a }}': ['{{ b }}', 5, null, { deep: '{{ a }}{{ b }}' }],
      x: 'second',
      n: '{{ 1 }}',
      t: true,
    };
    const rendered = renderDeep(given, { a: 'x', b: 2 }, bareHost);
    expect(rendered).toEqual({ x: ['2', 5, null, { deep: 'x2' }], n: '1', t: true });
    expect(Object.keys(rendered as object)).toEqual(['x', 'n', 't']);
  });

  test('keeps a key named __proto__ as data', () => {
    const given = JSON.parse('{"__proto__": {"polluted": "{{ 1 }}"}}');
    const rendered = renderDeep(given, {}, bareHost) as object;
    expect(Object.keys(rendered)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
  });

  test('a structure that contains itself ends with an error', () => {
    const loop: unknown[] = ['{{ 1 }}'];
    loop.push(loop);
    expect(() => renderDeep(loop, {}, bareHost)).toThrow(ExpressionError);
  });
});

describe('renderTyped', () => {
  test.each<[string, unknown]>([
    ['{{ 10.0 }}', 10],
    ['{{ null }}', null],
    ['{{ true }}', true],
    ['{{ 1 }}{{ 2 }}', '12'],
    ['a{{ 1 }}', 'a1'],
    ['{# nothing #}', null],
    ["{{ 'x' }}", 'x'],
    ['{{ m }}', { a: [1, 2.5], b: null }],
    ['{% set x = 5 %}{{ x }}', 5],
    ['{% for i in [1] %}{{ i }}{% endfor %}', 1],
    ['{% raw %}{{ x }}{% endraw %}', '{{ x }}'],
    ['{{ d }}', 306],
  ])('%s is %j', (template, expected) => {
    const variables = { m: { a: [1, 2.5], b: null }, d: materialise({ $dur: 'PT5M6S' }) };
    expect(renderTyped(template, variables, bareHost)).toEqual(expected);
  });

  test('a list or map cannot be mixed with text', () => {
    expect(() => renderTyped('a{{ [1] }}', {}, bareHost)).toThrow('cannot be mixed');
  });
});

describe('recursive rendering', () => {
  test('renders again until nothing changes', () => {
    expect(render('{{ a }}', { a: '{{ b }}', b: '{{ c }}', c: 'x' }, bareHost, { recursive: true })).toBe(
      'x',
    );
  });

  test('gives up on templates that never settle, here and in render()', () => {
    const variables = { one: '{{ two }}', two: '{{ one }}' };
    expect(() => render('{{ one }}', variables, bareHost, { recursive: true })).toThrow(
      'Too many rendering attempts',
    );
    expect(() => render('{{ render(one) }}', variables, bareHost)).toThrow('Too many rendering attempts');
  });

  test('leaves render() and renderOnce() undefined', () => {
    expect(() => render('{{ render(a) }}', { a: 'x' }, bareHost, { recursive: true })).toThrow(
      'does not exist',
    );
  });

  test('a raw section survives it', () => {
    const variables = { a: '{% raw %}{{ b }}{% endraw %}' };
    expect(render('{{ a }}', variables, bareHost, { recursive: true })).toBe('{{ b }}');
  });
});

describe('errors', () => {
  test('a missing name tells attribute, template and line', () => {
    const template = '{{ 1 }}\n{{ a.nope }}';
    try {
      expect(render(template, { a: {} }, bareHost)).toBe('unreachable');
    } catch (error) {
      expect(error).toBeInstanceOf(MissingError);
      expect(error).toMatchObject({ attribute: 'nope', line: 2, expression: template, kind: 'missing' });
      expect((error as Error).message).toBe(
        `Unable to find \`nope\` used in the expression \`${template}\` at line 2`,
      );
    }
  });

  test.each([
    ['{{ (1 }}', 'Unclosed "("'],
    ['{{ 1) }}', 'Unexpected ")"'],
    ['{{ [1 }}', 'Unclosed "["'],
    ['a\n\n{{ 1 ! }}', 'Unexpected character [!]'],
    ['{% nope %}', 'Unexpected tag name "nope"'],
    ["{{ 'a' | nope }}", 'Filter [nope] does not exist.'],
    ['{{ 1 is nope }}', 'Test [nope] does not exist.'],
    ['{{ nope() }}', 'Function or Macro [nope] does not exist.'],
    ["{{ 'a' | slice(nope=1) }}", 'The following named argument does not exist: nope'],
    ["{{ 'a' * 1 }}", 'Could not perform multiplication'],
    ['{% for x in 5 %}{% endfor %}', 'Not an iterable object.'],
    ['{% if [] %}{% endif %}', 'Wrong operand(s) type in conditional expression'],
    ['{# open', 'Unclosed comment'],
  ])('%s fails with %s', (template, message) => {
    expect(() => render(template, {}, bareHost)).toThrow(message);
  });

  test('a syntax error carries its line', () => {
    expect(() => compile('a\n\n{{ 1 ! }}')).toThrow(expect.objectContaining({ line: 3, kind: 'syntax' }));
  });

  test('what is not evaluated does not fail', () => {
    expect(render('{% if false %}{{ nope() }}{{ 1 | nope }}{% endif %}ok', {}, bareHost)).toBe('ok');
  });
});

test.each<[unknown, boolean]>([
  [null, false],
  [undefined, false],
  ['', false],
  [' ', false],
  ['0', false],
  ['-0', false],
  ['false', false],
  [' false ', false],
  [false, false],
  [0, false],
  ['0.0', true],
  ['False', true],
  ['no', true],
  [true, true],
  [1, true],
  [[], true],
])('%j as a condition is %s', (value, expected) => {
  expect(isTruthy(value)).toBe(expected);
});

test('the variables given are never changed', () => {
  const variables = Object.freeze({ a: 1, l: Object.freeze([3, 1]) });
  const template = '{% set a = 2 %}{% set b = 3 %}{{ a }}{{ l | sort }}{{ l | reverse }}{{ l + 1 }}{{ l }}';
  expect(render(template, variables, bareHost)).toBe('2[1,3][1,3][3,1,1][3,1]');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareHost } from './cases/case.ts';
import { ExpressionError, render, renderDeep, renderTyped } from './index.ts';

const hostile = {
  s: 'text',
  n: 5,
  l: [1, 2],
  m: { a: 1 },
  f: () => 'host function',
  d: new Date(0),
  r: /x/,
  c: new (class Service {
    secret = 'x';
    run() {}
  })(),
  sym: Symbol('s'),
  own: JSON.parse('{"__proto__": "data", "constructor": "data"}'),
};

describe('[A13] escape attempts', () => {
  const roots = ['s', 'n', 'l', 'm', 'd', 'r', 'c', 'loop', '_context', "'x'", '5', '(1 == 1)'];
  const keys = [
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'valueOf',
    'length',
    'map',
    'then',
    '__defineGetter__',
    'secret',
    'run',
  ];
  test.each(roots.flatMap((root) => keys.map((key) => [root, key])))('%s has no %s', (root, key) => {
    for (const template of [
      `{{ ${root}.${key} }}`,
      `{{ ${root}['${key}'] }}`,
      `{{ ${root}.${key}.${key} }}`,
    ]) {
      expect(() => render(template, hostile, bareHost)).toThrow(ExpressionError);
    }
  });

  test.each([
    "{{ s.constructor.constructor('return 1')() }}",
    '{{ f() }}',
    '{{ m.hasOwnProperty("a") }}',
    '{{ l.map(f) }}',
    '{{ f }}',
    '{{ sym }}',
    '{{ c }}',
    '{{ r }}',
    '{{ [f] }}',
    '{{ {"a": c} }}',
    '{{ c ~ "" }}',
    '{{ [c] | distinct }}',
    '{{ f | upper }}',
    '{% for x in c %}{{ x }}{% endfor %}',
    '{{ toString() }}',
    '{{ constructor }}',
    '{{ __proto__ }}',
    '{{ 1 | constructor }}',
    '{{ 1 is constructor }}',
    '{{ 1 | jq("constructor") }}',
  ])('%s reaches nothing', (template) => {
    expect(() => render(template, hostile, bareHost)).toThrow(ExpressionError);
    expect(() => renderTyped(template, hostile, bareHost)).toThrow(ExpressionError);
  });

  test('such names are ordinary keys when the data has them', () => {
    expect(
      render('{{ own.constructor }} {{ own["__proto__"] }} {{ m.constructor ?? "no" }}', hostile, bareHost),
    ).toBe('data data no');
  });

  test('a map made by an expression cannot change a prototype', () => {
    expect(render("{{ {'__proto__': {'polluted': 1}} }}", {}, bareHost)).toBe('{"__proto__":{"polluted":1}}');
    expect(render("{{ ({'__proto__': {'polluted': 1}}).polluted ?? 'clean' }}", {}, bareHost)).toBe('clean');
    expect(
      render('{{ fromJson(\'{"__proto__": {"polluted": 1.0}}\').polluted ?? \'clean\' }}', {}, bareHost),
    ).toBe('clean');
    expect(render("{{ (yaml('__proto__: {polluted: 1}')).polluted ?? 'clean' }}", {}, bareHost)).toBe(
      'clean',
    );
    expect(
      render("{{ fromIon('{\\'__proto__\\': {polluted: 1}}').polluted ?? 'clean' }}", {}, bareHost),
    ).toBe('clean');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('[A12] [A14] bombs', () => {
  const variables = { self: '{{ render(self) }}', s1000: 'x'.repeat(1000) };
  /** A tenth of the limits of the product, because bombs take as long as the limits allow. */
  const tenth = { maxText: 1_000_000, maxItems: 100_000, maxSteps: 500_000 };
  const doubling = '{% set s = "x" %}{% for i in range(1, 100) %}{% set s = s ~ s %}{% endfor %}{{ s }}';
  test.each([
    ['range', '{{ range(1, 1000000000) }}'],
    ['range operator', '{{ 1..1000000000 }}'],
    ['text doubling', doubling],
    ['text doubling by +', doubling.replace('s ~ s', 's + s')],
    ['text doubling by interpolation', doubling.replace('s ~ s', '"#{s}#{s}"')],
    ['text doubling by replace', doubling.replace('s ~ s', "s | replace({'x': 'xx'})")],
    ['text doubling by regex', doubling.replace('s ~ s', "s | regexReplace('x', 'xx')")],
    ['text doubling by join', doubling.replace('s ~ s', "[s, s] | join('')")],
    ['list doubling', '{% set l = [1] %}{% for i in range(1, 100) %}{% set l = l + l %}{% endfor %}{{ l }}'],
    [
      'list doubling by merge',
      '{% set l = [1] %}{% for i in range(1, 100) %}{% set l = l | merge(l) %}{% endfor %}{{ l }}',
    ],
    [
      'shared nesting, printed',
      '{% set l = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% endfor %}{{ l }}',
    ],
    [
      'shared nesting, compared',
      '{% set l = [1] %}{% set k = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% set k = [k, k] %}{% endfor %}{{ l == k }}',
    ],
    [
      'shared nesting, as text',
      '{% set l = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% endfor %}{{ l ~ "" }}',
    ],
    [
      'shared nesting, as yaml',
      '{% set l = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% endfor %}{{ l | yaml }}',
    ],
    [
      'shared nesting, as ion',
      '{% set l = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% endfor %}{{ l | toIon }}',
    ],
    [
      'shared nesting, made distinct',
      '{% set l = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% endfor %}{{ [l] | distinct }}',
    ],
    [
      'shared nesting, queried',
      '{% set l = [1] %}{% for i in range(1, 60) %}{% set l = [l, l] %}{% endfor %}{{ l | jq(".") }}',
    ],
    ['deep nesting', '{% set l = [1] %}{% for i in range(1, 100000) %}{% set l = [l] %}{% endfor %}{{ l }}'],
    [
      'nested loops',
      '{% for a in 1..1000 %}{% for b in 1..1000 %}{% for c in 1..1000 %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    ['endless macro', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['endless block', '{% block b %}{{ block("b") }}{% endblock %}'],
    ['endless render', '{{ render(self) }}'],
    ['indent', "{{ 'a\nb' | indent(1000000000) }}"],
    ['format width', "{{ '%999999999d' | format(1) }}"],
    [
      'wide numbers',
      "{% set n = '9' | number('BIGDECIMAL') %}{% for i in 1..100 %}{% set n = n * n %}{% endfor %}{{ n }}",
    ],
    ['wide exponent', "{{ '1e99999999' | number('BIGDECIMAL') }}"],
    ['output', '{% for a in 1..100000 %}{{ s1000 }}{% endfor %}'],
    ['parentheses', `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`],
    ['long chain', `{{ ${'1+'.repeat(200_000)}1 }}`],
    ['one megabyte', `{{ '${'x'.repeat(1_050_000)}' }}`],
    [
      'yaml aliases',
      "{{ yaml('a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]') }}",
    ],
  ])('%s ends with a clear error', (_, template) => {
    expect(() => render(template, variables, bareHost, { limits: tenth })).toThrow(ExpressionError);
  });

  test.each([
    ['{{ range(1, 1000000000) }}', 'exceeds 1000000 items'],
    ['{% for a in 1..100000 %}{{ s1000 }}{% endfor %}', 'exceeds 10000000 characters'],
    ['{% for a in 1..1000 %}{% for b in 1..10000 %}{% endfor %}{% endfor %}', 'more than 5000000 steps'],
  ])('%s ends at the limits of the product', (template, message) => {
    expect(() => render(template, variables, bareHost)).toThrow(message);
  });

  test.each([
    ["{{ x | regexMatch('(a+)+$') }}", 'false'],
    ["{{ x | split('(a|a)*b') | length }}", '1'],
    ["{{ x | replace({'(a|aa)+$': ''}, regexp=true) | length }}", '50001'],
    ["{{ x | regexReplace('^(([a-z])+.)+[A-Z]([a-z])+$', '') | length }}", '50001'],
  ])('%s takes linear time', (template, expected) => {
    expect(render(template, { x: `${'a'.repeat(50_000)}!` }, bareHost)).toBe(expected);
  });

  test('limits can be lowered', () => {
    const limits = { maxText: 10, maxSteps: 100, maxItems: 5 };
    expect(() => render('{{ 1..6 }}', {}, bareHost, { limits })).toThrow('exceeds 5 items');
    expect(() => render("{{ 'abcdefghijk' }}", {}, bareHost, { limits })).toThrow('exceeds 10 characters');
    const many =
      '{% for a in 1..5 %}{% for b in 1..5 %}{% for c in 1..5 %}{% endfor %}{% endfor %}{% endfor %}';
    expect(() => render(many, {}, bareHost, { limits })).toThrow('more than 100 steps');
  });

  test('many literal sections and odd tags stay linear', () => {
    const template = '{% raw %}{% endraw %}'.repeat(20_000);
    expect(render(template, {}, bareHost)).toBe('');
    expect(render('{{ x }}', { x: '{% raw %}'.repeat(500_000) }, bareHost)).toHaveLength(4_500_000);
  });
});

describe('whatever the input', () => {
  const pieces = fc.constantFrom(
    ...[
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      '#}',
      ' ',
      'a',
      'm',
      'l',
      's',
      '.',
      '[',
      ']',
      '(',
      ')',
      '{',
      '}',
      "'",
      '"',
      '\\',
      '#{',
      '|',
      '??',
      '???',
      '..',
      '~',
      '+',
      '-',
      '*',
      '/',
      '%',
      '==',
      '<',
      'not ',
      'is ',
      'contains ',
      'isIn ',
      'and ',
      'or ',
      '?',
      ':',
      ',',
      '=',
      '1',
      '2.5',
      'null',
      'true',
      'upper',
      'first',
      'date',
      'jq',
      'number',
      'sort',
      'if ',
      'for x in ',
      'endif',
      'endfor',
      'set ',
      'else',
      'macro f(',
      'raw',
      'endraw',
      '\n',
      'é',
      'constructor',
      '__proto__',
    ],
  );
  const variables = { ...hostile, a: null, big: 12345678901234567890n, x: [{ y: 'z' }] };

  test('arbitrary templates fail with ExpressionError or give data', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const source = parts.join('');
        for (const template of [source, `{{ ${source} }}`]) {
          try {
            expect(isData(renderTyped(template, variables, bareHost))).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('every filter takes any value', () => {
    const filters = fc.constantFrom(
      ...'abbreviate(3) abs base64encode base64decode capitalize chunk(2) className date dateAdd(1,"DAYS") default(1) distinct endsWith("a") escapeChar("shell") first flatten format(1) indent(2) nindent(2) join(",") jq(".") json keys last length lower upper md5 merge([1]) nl2br number numberFormat("0.0") regexMatch("a") regexReplace("a","b") regexExtract("a") replace({"a":"b"}) reverse rsort sha256 slice(0,1) slugify sort split(",") string substringAfter("a") timestamp timestampNano title toIon toJson trim urldecode urlencode values yaml'.split(
        ' ',
      ),
    );
    const values = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(filters, filters, values, (one, two, value) => {
        try {
          expect(isData(renderTyped(`{{ v | ${one} | ${two} }}`, { v: value }, bareHost))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('any jq program', () => {
    const parts = fc.constantFrom(
      ...'. .a .[] | , // + - * / == [ ] ( ) { } "x" 1 map( select( keys length reduce as $x def f: ; if then else end try catch error .. ? := |= @base64 limit( path( sort_by( test("a"'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 15 }), (tokens) => {
        try {
          expect(
            isData(
              renderTyped('{{ v | jq(p) }}', { v: { a: [1, 'x', null] }, p: tokens.join(' ') }, bareHost),
            ),
          ).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('deep rendering of anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          expect(isData(renderDeep(value, {}, bareHost))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });
});

/** Null, text, number, boolean, and bare lists and maps of them. */
function isData(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isData);
  if (typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isData);
}

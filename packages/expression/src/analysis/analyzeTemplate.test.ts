import { describe, expect, it } from 'vitest';
import { filters } from '../filters/index.ts';
import { functions } from '../functions/index.ts';
import { signatureOf } from '../names.ts';
import { tests } from '../tests.ts';
import { analyzeTemplate } from './analyzeTemplate.ts';
import { lexPartial } from './lexPartial.ts';

/** The uses of a template as texts: a variable with its path, guarded ones with a question mark. */
function usesOf(source: string): string[] {
  return analyzeTemplate(source).uses.map((use) => {
    // Positions are right when they cut the names out of the source.
    expect(source.slice(use.start, use.end)).toBe(use.name);
    if (use.kind !== 'variable') return `${use.kind} ${use.name}/${use.positional + use.named.length}`;
    for (const { key, isDotted, start, end } of use.steps)
      if (isDotted) expect(source.slice(start, end)).toBe(key);
    const path = [use.name, ...use.steps.map(({ key }) => key ?? '*')].join('.');
    return use.isGuarded ? `${path}?` : path;
  });
}

describe('a template reads', () => {
  it.each([
    ['{{ inputs.name }}', ['inputs.name']],
    ['{{ outputs["a-b"].uri | upper }}', ['outputs.a-b.uri', 'filter upper/0']],
    ['{{ outputs[taskrun.value].x }}', ['outputs.*.x', 'taskrun.value']],
    ["{{ now('iso', timeZone='UTC') | date }}", ['function now/2', 'filter date/0']],
    ['a\n{{ f }}\nb {{ g.h }}', ['f', 'g.h']],
    ['{{ "x #{inputs.a} y" }}', ['inputs.a']],
    ['{{ (outputs.a).b }}', ['outputs.a.b']],
    ['{% if a is odd %}{{ b }}{% else %}{{ c }}{% endif %}', ['a', 'test odd/0', 'b', 'c']],
    ['{% filter upper %}{{ a }}{% endfilter %}', ['filter upper/0', 'a']],
  ])('%s', (source, uses) => expect(usesOf(source)).toEqual(uses));
});

describe('names that the template assigns are no variables', () => {
  it.each([
    ['{% set x = inputs.a %}{{ x }}', ['inputs.a']],
    ['{% for row in outputs.q.rows %}{{ row.id }}{{ loop.index }}{% endfor %}', ['outputs.q.rows']],
    ['{% macro m(a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}', ['b?', 'function m/1']],
  ])('%s', (source, uses) => expect(usesOf(source)).toEqual(uses));
});

describe('values with a fallback are guarded, everywhere in the template', () => {
  it.each([
    ["{{ outputs.a.b ?? 'x' }}", ['outputs.a.b?']],
    ['{{ outputs.a.b ?? outputs.c }}', ['outputs.a.b?', 'outputs.c']],
    ["{{ trigger.date | default('x') }}", ['trigger.date?', 'filter default/1']],
    ['{{ a is defined ? a.b : c }}', ['a?', 'test defined/0', 'a.b?', 'c']],
    ['{% if a.b is not null %}{{ a.b.c }}{{ a.d }}{% endif %}', ['a.b?', 'test null/0', 'a.b.c?', 'a.d']],
    ["{{ inputs.map.get('k') }}", ['inputs.map?']],
  ])('%s', (source, uses) => expect(usesOf(source)).toEqual(uses));
});

it('reports where a template cannot be read', () => {
  const source = 'one {{ inputs.a b }} two';
  const { problem } = analyzeTemplate(source);
  expect(problem && source.slice(problem.start, problem.end)).toBe('b');
  expect(analyzeTemplate('{{ a')).toMatchObject({ problem: { message: 'Unclosed "{{"' } });
});

it('finds the texts that are given as arguments', () => {
  const source = "{{ secret('KEY', subkey='part') }}";
  const [use] = analyzeTemplate(source).uses;
  expect(use).toMatchObject({
    texts: [
      { text: 'KEY', index: 0 },
      { text: 'part', name: 'subkey' },
    ],
  });
});

describe('signatures', () => {
  it('require no more arguments than they name', () => {
    for (const [name, { names, required = 0 }] of [...functions, ...filters, ...tests])
      expect(required, name).toBeLessThanOrEqual(names.length);
  });

  it('include those that the compiler implements', () => {
    expect(signatureOf('filter', 'className')).toBeDefined();
    expect(signatureOf('test', 'defined')).toBeDefined();
    expect(signatureOf('function', 'nothing')).toBeUndefined();
  });
});

describe('the expression at the cursor', () => {
  it.each([
    ['{{ inputs.', ['inputs', '.']],
    ['a {{ b }} {{ c | d', ['c', '|', 'd']],
    ['{% if a', ['if', 'a']],
    ['{{ f(a, [1', ['f', '(', 'a', ',', '[', '1']],
  ])('%s', (before, values) => {
    expect(lexPartial(before)?.tokens.map(({ value }) => value)).toEqual(values);
  });

  it('knows the text that is being typed', () => {
    expect(lexPartial('{{ secret("AB')).toMatchObject({ openText: { start: 10, text: 'AB' } });
  });

  it.each(['no expression', '{{ a }} b', '{{ a }}', 'x {{ 1 # 2'])('there is none in %s', (before) => {
    expect(lexPartial(before)).toBeUndefined();
  });
});

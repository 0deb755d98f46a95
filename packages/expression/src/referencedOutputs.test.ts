import { expect, test } from 'vitest';
import { referencedOutputs } from './index.ts';

test.each<[string, string[] | 'all']>([
  ['plain', []],
  ['{{ inputs.a }}', []],
  ['{{ outputs.a.value }} {{ outputs.b.value }}', ['a', 'b']],
  ["{{ outputs['my-task'].value ?? outputs.c.d }}", ['my-task', 'c']],
  ['{{ outputs[inputs.id].value }}', 'all'],
  ['{{ outputs }}', 'all'],
  ['{{ outputs | keys }}', 'all'],
  ['{% for r in outputs.q.rows %}{{ r }}{% else %}{{ outputs.z.a }}{% endfor %}', ['q', 'z']],
  ["{% if outputs.a.ok %}{{ 'x' ~ outputs.b.c }}{% elseif outputs.d.e %}{% endif %}", ['a', 'b', 'd']],
  ['{{ currentEachOutput(outputs.t).value }}', ['t']],
  ["{{ iterationOutput('t') }}", ['t']],
  ['{{ iterationOutput() }}', 'all'],
  ['{{ parents[0].outputs.x }}', 'all'],
  ['{{ parentOutput().x }}', 'all'],
  ['{{ render(vars.template) }}', 'all'],
  ['{{ fetchContext().outputs.a }}', 'all'],
  ['{{ _context.outputs.a }}', 'all'],
  ['{{ "#{outputs.a.b}" }}', ['a']],
  ['{{ [outputs.a.b, {"k": outputs.c.d}] | first }}', ['a', 'c']],
  ['{% macro m(x=outputs.a.b) %}{{ x }}{% endmacro %}{% set y = outputs.c.d %}', ['a', 'c']],
  ["{% filter replace({'a': outputs.a.b}) %}{{ outputs.c.d }}{% endfilter %}", ['a', 'c']],
  ['{{ outputs.a', []],
])('%s touches %s', (template, expected) => {
  expect(referencedOutputs(template)).toEqual(expected);
});

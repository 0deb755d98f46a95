import type { Case } from './case.ts';
import * as shared from './shared.ts';

export const renderingCases: readonly Case[] = [
  ['{{ 1 }}', shared.typed, { typed: 1 }],
  ["{{ 'a' }}", shared.typed, { typed: 'a' }],
  ['{{ [1,2] }}', shared.typed, { typed: [1, 2] }],
  ["{{ {'a':[1]} }}", shared.typed, { typed: { a: [1] } }],
  ['{{ v }}', shared.typed, { typed: 3 }],
  ['{{ d }}', shared.typed, { typed: 2.5 }],
  ['plain', shared.typed, { typed: 'plain' }],
  ["{{ 'xy' | first }}", shared.typed, { typed: 'x' }],
  ['{{ z }}', shared.typed, { typed: '2024-03-09T14:04:05.123456789Z' }],
  ['{% if true %}{{ 5 }}{% endif %}', shared.typed, { typed: 5 }],
  ['{{ fromJson(\'{"a":1}\') }}', shared.typed, { typed: { a: 1 } }],
  ["{{ fromJson('true') }}", shared.typed, { typed: true }],
  ["{{ '5' | number }}", shared.typed, { typed: 5 }],
  ['{{ render(c) }}', shared.templates, '1'],
  ['{{ render(c, recursive=false) }}', shared.templates, '{{ a }}'],
  ['{{ render(m) }}', shared.templates, '{"k":"1"}'],
  ['{{ render(n) }}', shared.templates, ''],
  ["{{ render('{{ a }}') }}", shared.templates, '1'],
  ["{{ render(b ~ '!') }}", shared.templates, '1!'],
  ['{{ raw }}', shared.templates, '{{ a }}'],
  ["{{ render('{{ nope }}') }}", shared.templates, { fails: 'error' }],
  ["{% set q = 9 %}{{ render('{{ q }}') }}", shared.templates, '9'],
  ['{{ m }}', shared.templates, { recursive: '{"k":"1"}' }],
];

import type { Case } from './case.ts';
import * as shared from './shared.ts';

export const accessCases: readonly Case[] = [
  ['{{ a.b.c }}', shared.nested, 'deep'],
  ["{{ a['x-y'] }}", shared.nested, 'hy'],
  ['{{ a.list[i].v }}', shared.nested, '20'],
  ['{{ a[k].c }}', shared.nested, 'deep'],
  ['{{ a.list.0.v }}', shared.nested, { fails: 'syntax' }],
  ["{{ l['0'] }}", shared.nested, 'p'],
  ['{{ l[2] }}', shared.nested, { missing: '2' }],
  ['{{ l[-1] }}', shared.nested, { missing: '-1' }],
  ['[{{ nul }}]', shared.nested, '[]'],
  ['{{ a.nope }}', shared.nested, { missing: 'nope' }],
  ['{{ nope.x }}', shared.nested, { missing: 'nope' }],
  ["{{ {'q': 5}.q }}", shared.nested, { fails: 'syntax' }],
  ['{{ [1,2,3][0] }}', shared.nested, { fails: 'syntax' }],
  ["{{ ({'q': 5}).q }}", shared.nested, '5'],
  ['{{ a.list }}', shared.nested, '[{"v":10},{"v":20}]'],
  ['{{ d }}', shared.nested, '1.5'],
  ['{{ t }}', shared.nested, 'true'],
  ['{{ s[0] }}', shared.nested, { missing: '0' }],
  ['{{ a . b . c }}', shared.nested, 'deep'],
  ['{{a.b.c}}', shared.nested, 'deep'],
];

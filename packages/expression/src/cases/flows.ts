import type { Case } from './case.ts';

export const flowsCases: readonly Case[] = [
  [
    '{{ currentEachOutput(outputs.t).value }}',
    {
      outputs: { t: { o1: { i1: { v2: { value: 'ok' } } } } },
      taskrun: { value: 'v2' },
      parents: [{ taskrun: { value: 'i1' } }, { taskrun: { value: 'o1' } }],
    },
    'ok',
  ],
  [
    '{{ currentEachOutput(outputs.t).value }}',
    { outputs: { t: { a: { value: 1 } } }, taskrun: { value: 'a' }, parents: [] },
    '1',
  ],
  ["{{ (outputs | keys) contains 'x' ? outputs.x.v : 'none' }}", { outputs: { y: {} } }, 'none'],
  ["{{ outputs['my-task'].value ?? inputs.d }}", { outputs: {}, inputs: { d: 'dflt' } }, 'dflt'],
  [
    "{{ trigger.date ?? execution.startDate | date('yyyy-MM-dd') }}",
    { execution: { startDate: { $instant: '2024-05-06T23:00:00Z' } } },
    '2024-05-06',
  ],
  ['{{ inputs.list | first }}{{ inputs.list[1] }}', { inputs: { list: ['a', 'b'] } }, 'ab'],
  [
    '{% for r in outputs.q.rows %}{{ r.id }};{% endfor %}',
    { outputs: { q: { rows: [{ id: 1 }, { id: 2 }] } } },
    '1;2;',
  ],
  [
    '{{ outputs.http.body.items[0].name }}',
    { outputs: { http: { body: '{"items":[]}' } } },
    { missing: 'items' },
  ],
  [
    "{{ execution.startDate | date(\"yyyy-MM-dd'T'HH:mm:ssXXX\", timeZone='America/New_York') }}",
    { execution: { startDate: { $instant: '2024-05-06T23:00:00Z' } } },
    '2024-05-06T19:00:00-04:00',
  ],
  [
    "SELECT * FROM t WHERE d >= '{{ inputs.d | dateAdd(-7,'DAYS') | date('yyyy-MM-dd') }}'",
    { inputs: { d: '2024-05-06' } },
    "SELECT * FROM t WHERE d >= '2024-04-29'",
  ],
  ['{{ taskrun.value | toJson }}', { taskrun: { value: '{"a":1}' } }, '"{\\"a\\":1}"'],
  ["{{ inputs.flag ? 'y' : 'n' }}", { inputs: { flag: false } }, 'n'],
  ['{{ inputs.name | default(vars.name) | upper }}', { inputs: {}, vars: { name: 'bob' } }, 'BOB'],
  ['{"text": "{{ inputs.m }}"}', { inputs: { m: 'hi' } }, '{"text": "hi"}'],
];

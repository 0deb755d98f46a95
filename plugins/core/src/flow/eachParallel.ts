import { branches, defineControl, integer, lineIcon, someValue, tasks } from '@millrace/plugin-kit';
import { z } from 'zod';

export const eachParallel = defineControl({
  type: 'core.flow.EachParallel',
  role: 'flowable',
  title: 'Run tasks for each value, at the same time',
  description: 'Replaced by `core.flow.ForEach`.',
  aliases: ['io.kestra.core.tasks.flows.EachParallel'],
  deprecated: true,
  icon: lineIcon('M4 12a8 8 0 0 1 14-5l2 2', 'M20 4v5h-5'),
  input: () =>
    z.object({
      value: someValue().describe('A list, or a text that renders to the JSON of a list.'),
      concurrent: integer({ min: 0 }).default(0).describe('How many run at once; 0 sets no limit.'),
      tasks: tasks().describe('Run for each value.'),
      ...branches,
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Greet two cities.',
      runs: true,
      code: `id: eachparallel
namespace: company.team

tasks:
  - id: each_city
    type: core.flow.EachParallel
    value: ["Oslo", "Lima"]
    tasks:
      - id: greet
        type: core.log.Log
        message: "Hello {{ taskrun.value }}"
`,
    },
  ],
});

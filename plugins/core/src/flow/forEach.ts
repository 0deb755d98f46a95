import { branches, defineControl, integer, lineIcon, someValue, tasks } from '@millrace/plugin-kit';
import { z } from 'zod';

export const forEach = defineControl({
  type: 'core.flow.ForEach',
  role: 'flowable',
  title: 'Run tasks for each value of a list',
  description:
    'Inside the loop, `item.value` holds the value (as text) and `item.index` counts from 0, at any depth; `taskrun.value` and `taskrun.iteration` are the same for the tasks directly in the loop. The tasks of one value run in order; `concurrencyLimit` says how many values are worked on at once.',
  aliases: ['core.flow.Loop'],
  icon: lineIcon('M4 12a8 8 0 0 1 14-5l2 2', 'M20 4v5h-5', 'M20 12a8 8 0 0 1-14 5l-2-2', 'M4 20v-5h5'),
  input: () =>
    z.object({
      values: someValue().describe('A list, or a text that renders to the JSON of a list.'),
      concurrencyLimit: integer({ min: 0 })
        .default(1)
        .describe('How many values are worked on at once: 1 is one after the other, 0 sets no limit.'),
      tasks: tasks().describe('Run, in order, for each value.'),
      ...branches,
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Greet three cities, two at a time.',
      runs: true,
      code: `id: cities
namespace: company.team

tasks:
  - id: each_city
    type: core.flow.ForEach
    values: ["Oslo", "Lima", "Pune"]
    concurrencyLimit: 2
    tasks:
      - id: greet
        type: core.log.Log
        message: "Hello {{ taskrun.value }}"
`,
    },
  ],
});

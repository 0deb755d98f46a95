import { branches, defineControl, integer, lineIcon, tasks } from '@millrace/plugin-kit';
import { z } from 'zod';

export const parallel = defineControl({
  type: 'core.flow.Parallel',
  role: 'flowable',
  title: 'Run tasks at the same time',
  description:
    'All children start at once, or at most `concurrent` of them. Wrap children in `core.flow.Sequential` where order matters.',
  aliases: ['io.kestra.core.tasks.flows.Parallel'],
  icon: lineIcon(
    'M12 3v3',
    'M5 6h14',
    'M5 6v3',
    'M19 6v3',
    'M3 9h4v6H3z',
    'M17 9h4v6h-4z',
    'M10 9h4v6h-4z',
    'M5 15v3h14v-3',
    'M12 18v3',
  ),
  input: () =>
    z.object({
      tasks: tasks().describe('The children.'),
      concurrent: integer({ min: 0 }).default(0).describe('How many run at once; 0 sets no limit.'),
      ...branches,
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Three tasks, at most two at a time.',
      runs: true,
      code: `id: side_by_side
namespace: company.team

tasks:
  - id: all
    type: core.flow.Parallel
    concurrent: 2
    tasks:
      - id: one
        type: core.debug.Return
        format: "{{ task.id }}"

      - id: two
        type: core.debug.Return
        format: "{{ task.id }}"

      - id: three
        type: core.debug.Return
        format: "{{ task.id }}"
`,
    },
  ],
});

import { branches, defineControl, lineIcon, tasks } from '@millrace/plugin-kit';
import { z } from 'zod';

export const sequential = defineControl({
  type: 'core.flow.Sequential',
  role: 'flowable',
  title: 'Run tasks one after the other',
  description:
    'Groups tasks, so that they can share an error branch or stand as one child inside another control task.',
  aliases: ['io.kestra.core.tasks.flows.Sequential'],
  icon: lineIcon('M12 3v4', 'M8 7h8v4H8z', 'M12 11v3', 'M8 14h8v4H8z', 'M12 18v3'),
  input: () =>
    z.object({
      tasks: tasks().describe('The children, run in order.'),
      ...branches,
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Two tasks as one group.',
      runs: true,
      code: `id: group
namespace: company.team

tasks:
  - id: both
    type: core.flow.Sequential
    tasks:
      - id: first
        type: core.log.Log
        message: First

      - id: second
        type: core.log.Log
        message: Second
`,
    },
  ],
});

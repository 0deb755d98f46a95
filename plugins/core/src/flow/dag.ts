import { aTask, branches, defineControl, fixed, integer, lineIcon, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const dag = defineControl({
  type: 'core.flow.Dag',
  role: 'flowable',
  title: 'Run tasks in the order of their dependencies',
  description:
    'Each child names the children it waits for; whatever waits for nothing starts at once. A circle of dependencies is refused when the flow is saved.',
  aliases: ['io.kestra.core.tasks.flows.Dag'],
  icon: lineIcon('M6 3v4', 'M4 7h4v4H4z', 'M16 7h4v4h-4z', 'M10 15h4v4h-4z', 'M6 11l5 4', 'M18 11l-5 4'),
  input: () =>
    z.object({
      tasks: fixed(
        z
          .array(
            z.strictObject({
              task: aTask().describe('The child.'),
              dependsOn: z.array(text()).optional().describe('The ids of the children it waits for.'),
            }),
          )
          .min(1),
      ).describe('The children with what they depend on.'),
      concurrent: integer({ min: 0 }).default(0).describe('How many run at once; 0 sets no limit.'),
      ...branches,
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Two extracts, then one load.',
      runs: true,
      code: `id: dag
namespace: company.team

tasks:
  - id: pipeline
    type: core.flow.Dag
    tasks:
      - task:
          id: customers
          type: core.log.Log
          message: Reading customers

      - task:
          id: orders
          type: core.log.Log
          message: Reading orders

      - task:
          id: load
          type: core.log.Log
          message: Loading both
        dependsOn:
          - customers
          - orders
`,
    },
  ],
});

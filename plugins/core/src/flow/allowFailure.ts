import { branches, defineControl, lineIcon, tasks } from '@millrace/plugin-kit';
import { z } from 'zod';

export const allowFailure = defineControl({
  type: 'core.flow.AllowFailure',
  role: 'flowable',
  title: 'Continue when tasks fail',
  description:
    'Runs its children in order; a failure among them ends the group in WARNING instead of FAILED.',
  aliases: ['io.kestra.core.tasks.flows.AllowFailure'],
  icon: lineIcon('M12 4l9 16H3z', 'M12 10v4', 'M12 17v.5'),
  input: () =>
    z.object({
      tasks: tasks().describe('The children, run in order.'),
      ...branches,
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'A step that may fail.',
      runs: true,
      code: `id: may_fail
namespace: company.team

tasks:
  - id: try
    type: core.flow.AllowFailure
    tasks:
      - id: fails
        type: core.execution.Fail

  - id: anyway
    type: core.log.Log
    message: The flow continues
`,
    },
  ],
});

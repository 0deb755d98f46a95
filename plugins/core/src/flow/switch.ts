import { aTask, branches, defineControl, fixed, lineIcon, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const switchTask = defineControl({
  type: 'core.flow.Switch',
  role: 'flowable',
  title: 'Choose a branch by a value',
  description:
    'The value is looked up among the names of the cases; without a match the tasks of `defaults` run.',
  aliases: ['io.kestra.core.tasks.flows.Switch'],
  icon: lineIcon(
    'M12 3v4',
    'M4 11h16',
    'M12 7v4',
    'M4 11v4',
    'M12 11v4',
    'M20 11v4',
    'M2 15h4v4H2z',
    'M10 15h4v4h-4z',
    'M18 15h4v4h-4z',
  ),
  input: () =>
    z.object({
      value: text().describe('The value to look up.'),
      cases: fixed(z.record(z.string(), z.array(aTask())))
        .optional()
        .describe('The tasks of each value.'),
      defaults: fixed(z.array(aTask())).optional().describe('Run when no case matches.'),
      ...branches,
    }),
  output: () =>
    z.object({
      value: z.string().describe('The value that was looked up.'),
      defaults: z.boolean().describe('True when no case matched.'),
    }),
  sideEffects: false,
  examples: [
    {
      title: 'Different tasks by environment.',
      runs: true,
      code: `id: by_environment
namespace: company.team

inputs:
  - id: environment
    type: SELECT
    values: [dev, prod]
    defaults: dev

tasks:
  - id: choose
    type: core.flow.Switch
    value: "{{ inputs.environment }}"
    cases:
      dev:
        - id: dev
          type: core.log.Log
          message: Careful is optional
      prod:
        - id: prod
          type: core.log.Log
          message: Careful is required
    defaults:
      - id: unknown
        type: core.log.Log
        message: "Unknown environment {{ inputs.environment }}"
`,
    },
  ],
});

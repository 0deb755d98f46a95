import { anything, defineControl, flag, lineIcon, mapOf } from '@millrace/plugin-kit';
import { z } from 'zod';

export const setVariables = defineControl({
  type: 'core.execution.SetVariables',
  role: 'execution',
  title: 'Set variables of the execution',
  description:
    'The values are merged into the variables of this execution and reached by `{{ vars.name }}` from then on.',
  icon: lineIcon('M6 5c-3 2-3 12 0 14', 'M18 5c3 2 3 12 0 14', 'M9 9l6 6', 'M15 9l-6 6'),
  input: () =>
    z.object({
      variables: mapOf(anything()).describe('The names and values.'),
      overwrite: flag()
        .default(true)
        .describe('Replace variables that exist already; fail on them otherwise.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Remember a value for later tasks.',
      runs: true,
      code: `id: remember
namespace: company.team

variables:
  stage: first

tasks:
  - id: set
    type: core.execution.SetVariables
    variables:
      stage: second

  - id: show
    type: core.log.Log
    message: "{{ vars.stage }}"
`,
    },
  ],
});

import { defineControl, flag, lineIcon, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const unsetVariables = defineControl({
  type: 'core.execution.UnsetVariables',
  role: 'execution',
  title: 'Remove variables of the execution',
  description: 'The variables are gone for the rest of this execution; the flow keeps them.',
  icon: lineIcon('M6 5c-3 2-3 12 0 14', 'M18 5c3 2 3 12 0 14', 'M9 12h6'),
  input: () =>
    z.object({
      variables: listOf(text(), { min: 1 }).describe('The names.'),
      ignoreMissing: flag().default(false).describe('Do not fail when there is no such variable.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'Forget a variable.',
      runs: true,
      code: `id: forget
namespace: company.team

variables:
  stage: first

tasks:
  - id: unset
    type: core.execution.UnsetVariables
    variables:
      - stage
`,
    },
  ],
});

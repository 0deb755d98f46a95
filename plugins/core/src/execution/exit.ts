import { choice, defineControl, lineIcon } from '@millrace/plugin-kit';
import { z } from 'zod';

export const exit = defineControl({
  type: 'core.execution.Exit',
  role: 'execution',
  title: 'End the execution now',
  description:
    'The execution ends in the chosen state. No further task of it starts; those that run are left to finish, unless the state is KILLED.',
  icon: lineIcon('M5 4h9v16H5z', 'M11 12h9', 'M17 9l3 3-3 3'),
  input: () =>
    z.object({
      state: choice(['SUCCESS', 'WARNING', 'KILLED', 'FAILED', 'CANCELED', 'CANCELLED'])
        .default('SUCCESS')
        .describe('The state the execution ends in.'),
    }),
  output: () => z.object({}),
  sideEffects: false,
  examples: [
    {
      title: 'End early when there is nothing to do.',
      runs: true,
      code: `id: early
namespace: company.team

inputs:
  - id: rows
    type: INT
    defaults: 0

tasks:
  - id: anything
    type: core.flow.If
    condition: "{{ inputs.rows == 0 }}"
    then:
      - id: enough
        type: core.execution.Exit
        state: WARNING

  - id: work
    type: core.log.Log
    message: "{{ inputs.rows }} rows"
`,
    },
  ],
});

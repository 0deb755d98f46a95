import { aTask, branches, defineControl, fixed, lineIcon, tasks, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const ifTask = defineControl({
  type: 'core.flow.If',
  role: 'flowable',
  title: 'Choose a branch by a condition',
  description:
    'The condition counts as false when it renders to nothing, `false`, `0` or `-0`, and as true otherwise.',
  aliases: ['io.kestra.core.tasks.flows.If'],
  icon: lineIcon('M12 3v4', 'M12 7l5 4-5 4-5-4z', 'M7 11H4v6', 'M17 11h3v6'),
  input: () =>
    z.object({
      condition: text().optional().describe('Decides between `then` and `else`.'),
      then: tasks().describe('Run, in order, when the condition holds.'),
      else: fixed(z.array(aTask())).optional().describe('Run, in order, when it does not.'),
      ...branches,
    }),
  output: () => z.object({ evaluationResult: z.boolean().describe('How the condition was decided.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Say something depending on an input.',
      runs: true,
      code: `id: choose
namespace: company.team

inputs:
  - id: loud
    type: BOOL
    defaults: true

tasks:
  - id: loud_or_not
    type: core.flow.If
    condition: "{{ inputs.loud }}"
    then:
      - id: shout
        type: core.log.Log
        message: HELLO
    else:
      - id: whisper
        type: core.log.Log
        message: hello
`,
    },
  ],
});

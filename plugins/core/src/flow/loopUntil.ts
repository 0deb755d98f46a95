import {
  branches,
  defineControl,
  duration,
  flag,
  integer,
  lineIcon,
  part,
  tasks,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const loopUntil = defineControl({
  type: 'core.flow.LoopUntil',
  role: 'flowable',
  title: 'Repeat tasks until a condition holds',
  description:
    'The children run; then the condition is rendered. While it is false, they run again after the interval. Only the outputs of the last round can be seen.',
  aliases: ['core.flow.WaitFor', 'io.kestra.core.tasks.flows.WaitFor'],
  icon: lineIcon('M4 12a8 8 0 1 1 3 6', 'M7 14v4H3', 'M12 8v4l2 2'),
  input: () =>
    z.object({
      condition: text().describe('The loop ends when this is true.'),
      tasks: tasks().describe('Run, in order, in each round.'),
      failOnMaxReached: flag()
        .default(false)
        .describe('Fail when a limit is reached before the condition holds.'),
      checkFrequency: part({
        maxIterations: integer({ min: 1 }).optional().describe('How many rounds at most.'),
        maxDuration: duration().optional().describe('How long at most.'),
        interval: duration().prefault('PT1S').describe('The pause between two rounds.'),
      })
        .optional()
        .describe('The limits of the loop; 100 rounds and one hour when absent.'),
      ...branches,
    }),
  output: () => z.object({ iterationCount: z.number().describe('How many rounds were counted.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Count to three.',
      runs: true,
      code: `id: until_three
namespace: company.team

tasks:
  - id: loop
    type: core.flow.LoopUntil
    condition: "{{ outputs.loop.iterationCount >= 3 }}"
    checkFrequency:
      interval: PT0.01S
      maxIterations: 10
    tasks:
      - id: round
        type: core.log.Log
        message: One more
`,
    },
  ],
});

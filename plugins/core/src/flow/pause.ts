import {
  aTask,
  branches,
  choice,
  defineControl,
  deprecated,
  duration,
  fixed,
  inputs,
  lineIcon,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const pause = defineControl({
  type: 'core.flow.Pause',
  role: 'flowable',
  title: 'Wait for a person or for a while',
  description:
    'The execution is PAUSED until a user resumes it or the duration ends. Waiting costs nothing: no worker is held. Inputs asked for on resuming are returned as outputs.',
  aliases: ['io.kestra.core.tasks.flows.Pause'],
  icon: lineIcon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18', 'M10 9v6', 'M14 9v6'),
  input: () =>
    z.object({
      pauseDuration: duration().optional().describe('The execution resumes by itself after this time.'),
      delay: deprecated(duration().optional(), 'use `pauseDuration`.'),
      behavior: choice(['RESUME', 'WARN', 'FAIL', 'CANCEL'])
        .default('RESUME')
        .describe('What happens when the duration ends.'),
      onResume: inputs().optional().describe('What the person who resumes is asked for.'),
      tasks: deprecated(fixed(z.array(aTask())).optional(), 'put the tasks after the pause.'),
      ...branches,
    }),
  output: () =>
    z.object({
      onResume: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('The inputs of the person who resumed.'),
      resumed: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Who resumed, when, and to which state.'),
    }),
  sideEffects: false,
  examples: [
    {
      title: 'Ask for an approval.',
      runs: false,
      code: `id: approval
namespace: company.team

tasks:
  - id: approve
    type: core.flow.Pause
    onResume:
      - id: reason
        type: STRING
        defaults: looks good

  - id: go
    type: core.log.Log
    message: "Approved: {{ outputs.approve.onResume.reason }}"
`,
    },
    {
      title: 'Resume after a duration.',
      runs: true,
      code: `id: short_pause
namespace: company.team

tasks:
  - id: breathe
    type: core.flow.Pause
    pauseDuration: PT0.1S

  - id: go
    type: core.log.Log
    message: On we go
`,
    },
  ],
});

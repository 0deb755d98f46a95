import { stateTypes } from '@millrace/contract';
import { choice, defineCondition, listOf } from '@millrace/plugin-kit';
import { z } from 'zod';

export const hasRetryAttempt = defineCondition({
  type: 'core.condition.HasRetryAttempt',
  title: 'After an execution with retries',
  description:
    'True when a task of the other execution was tried more than once and one of its tries ended so.',
  aliases: [
    'core.condition.HasRetryAttemptCondition',
    'io.kestra.core.models.conditions.types.HasRetryAttemptCondition',
  ],
  onSchedule: false,
  input: () =>
    z.object({
      in: listOf(choice(stateTypes)).optional().describe('One of these states.'),
      notIn: listOf(choice(stateTypes)).optional().describe('None of these states.'),
    }),
  examples: [
    {
      title: 'After executions that needed another try.',
      runs: false,
      code: `id: hasretryattempt
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.HasRetryAttempt
        in: [FAILED]
`,
    },
  ],
});

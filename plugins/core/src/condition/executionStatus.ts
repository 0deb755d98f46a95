import { stateTypes } from '@millrace/contract';
import { choice, defineCondition, listOf } from '@millrace/plugin-kit';
import { z } from 'zod';

export const executionStatus = defineCondition({
  type: 'core.condition.ExecutionStatus',
  title: 'After an execution that ended in a state',
  description: 'True when the state of the other execution is among `in` and not among `notIn`.',
  aliases: [
    'core.condition.ExecutionStatusCondition',
    'io.kestra.core.models.conditions.types.ExecutionStatusCondition',
  ],
  onSchedule: false,
  input: () =>
    z.object({
      in: listOf(choice(stateTypes)).optional().describe('One of these states.'),
      notIn: listOf(choice(stateTypes)).optional().describe('None of these states.'),
    }),
  examples: [
    {
      title: 'After failures.',
      runs: false,
      code: `id: executionstatus
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.ExecutionStatus
        in: [FAILED, WARNING]
`,
    },
  ],
});

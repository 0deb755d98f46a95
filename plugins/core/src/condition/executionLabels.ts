import { defineCondition, labels } from '@millrace/plugin-kit';
import { z } from 'zod';

export const executionLabels = defineCondition({
  type: 'core.condition.ExecutionLabels',
  title: 'After an execution with labels',
  description: 'True when the other execution has all of the labels.',
  aliases: [
    'core.condition.ExecutionLabelsCondition',
    'io.kestra.core.models.conditions.types.ExecutionLabelsCondition',
  ],
  onSchedule: false,
  input: () =>
    z.object({
      labels: labels().describe(
        'The labels that it must have, each with this value: a map, or a list of keys and values.',
      ),
    }),
  examples: [
    {
      title: 'After executions of one customer.',
      runs: false,
      code: `id: executionlabels
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.ExecutionLabels
        labels:
          customer: acme
`,
    },
  ],
});

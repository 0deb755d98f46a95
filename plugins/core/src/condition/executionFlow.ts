import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const executionFlow = defineCondition({
  type: 'core.condition.ExecutionFlow',
  title: 'After an execution of one flow',
  description: 'True when the other execution is of that flow.',
  aliases: [
    'core.condition.ExecutionFlowCondition',
    'io.kestra.core.models.conditions.types.ExecutionFlowCondition',
  ],
  onSchedule: false,
  input: () =>
    z.object({
      namespace: text().describe('The namespace of the flow.'),
      flowId: text().describe('The flow.'),
    }),
  examples: [
    {
      title: 'After the flow that loads orders.',
      runs: false,
      code: `id: executionflow
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.ExecutionFlow
        namespace: company.team
        flowId: load_orders
`,
    },
  ],
});

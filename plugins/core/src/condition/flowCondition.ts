import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const flowCondition = defineCondition({
  type: 'core.condition.FlowCondition',
  title: 'For one flow',
  description: 'Looks at the flow itself; replaced by `core.condition.ExecutionFlow`.',
  aliases: ['io.kestra.core.models.conditions.types.FlowCondition'],
  deprecated: true,
  onSchedule: false,
  input: () =>
    z.object({
      namespace: text().describe('The namespace of the flow.'),
      flowId: text().describe('The flow.'),
    }),
  examples: [
    {
      title: 'Replaced by ExecutionFlow.',
      runs: false,
      code: `id: flowcondition
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.FlowCondition
        namespace: company.team
        flowId: load_orders
`,
    },
  ],
});

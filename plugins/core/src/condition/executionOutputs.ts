import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const executionOutputs = defineCondition({
  type: 'core.condition.ExecutionOutputs',
  title: 'After an execution with certain outputs',
  description:
    'True when the other flow has outputs and the expression, which sees `trigger.outputs`, is truthy.',
  aliases: [
    'core.condition.ExecutionOutputsCondition',
    'io.kestra.core.models.conditions.types.ExecutionOutputsCondition',
  ],
  onSchedule: true,
  input: () =>
    z.object({
      expression: text().describe('What must hold.'),
    }),
  examples: [
    {
      title: 'Only when rows were loaded.',
      runs: false,
      code: `id: executionoutputs
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.executionId }}"

triggers:
  - id: after
    type: core.trigger.Flow
    conditions:
      - type: core.condition.ExecutionOutputs
        expression: "{{ trigger.outputs.rows > 0 }}"
`,
    },
  ],
});

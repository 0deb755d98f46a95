import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const expression = defineCondition({
  type: 'core.condition.Expression',
  title: 'When an expression holds',
  description: 'True unless the expression renders to nothing or to `false`.',
  aliases: [
    'core.condition.ExpressionCondition',
    'io.kestra.core.models.conditions.types.ExpressionCondition',
    'core.condition.VariableCondition',
    'io.kestra.core.models.conditions.types.VariableCondition',
  ],
  onSchedule: true,
  input: () =>
    z.object({
      expression: text().describe('What must hold.'),
    }),
  examples: [
    {
      title: 'Only for large bodies.',
      runs: false,
      code: `id: expression
namespace: company.team

tasks:
  - id: work
    type: core.log.Log
    message: "{{ trigger.date }}"

triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 11 * * *"
    conditions:
      - type: core.condition.Expression
        expression: "{{ trigger.date | date('dd') != '01' }}"
`,
    },
  ],
});

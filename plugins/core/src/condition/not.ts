import { conditions, defineCondition } from '@millrace/plugin-kit';
import { z } from 'zod';

export const not = defineCondition({
  type: 'core.condition.Not',
  title: 'When none of the conditions holds',
  description: 'True when every one of the conditions is false.',
  aliases: ['core.condition.NotCondition', 'io.kestra.core.models.conditions.types.NotCondition'],
  onSchedule: true,
  input: () =>
    z.object({
      conditions: conditions().min(1).describe('The conditions.'),
    }),
  examples: [
    {
      title: 'Not at the weekend.',
      runs: false,
      code: `id: not
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
      - type: core.condition.Not
        conditions:
          - type: core.condition.Weekend
`,
    },
  ],
});

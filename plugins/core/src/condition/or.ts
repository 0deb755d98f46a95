import { conditions, defineCondition } from '@millrace/plugin-kit';
import { z } from 'zod';

export const or = defineCondition({
  type: 'core.condition.Or',
  title: 'When one of the conditions holds',
  description: 'True when at least one of the conditions is true.',
  aliases: ['core.condition.OrCondition', 'io.kestra.core.models.conditions.types.OrCondition'],
  onSchedule: true,
  input: () =>
    z.object({
      conditions: conditions().min(1).describe('The conditions.'),
    }),
  examples: [
    {
      title: 'On Mondays and Thursdays.',
      runs: false,
      code: `id: or
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
      - type: core.condition.Or
        conditions:
          - type: core.condition.DayWeek
            dayOfWeek: MONDAY
          - type: core.condition.DayWeek
            dayOfWeek: THURSDAY
`,
    },
  ],
});

import { defineCondition } from '@millrace/plugin-kit';
import { z } from 'zod';
import { dateProperty, dayOfWeek } from './dateProperty.ts';

export const dayWeek = defineCondition({
  type: 'core.condition.DayWeek',
  title: 'On a day of the week',
  description: 'True when the date falls on that day.',
  aliases: ['core.condition.DayWeekCondition', 'io.kestra.core.models.conditions.types.DayWeekCondition'],
  onSchedule: true,
  input: () =>
    z.object({
      date: dateProperty(),
      dayOfWeek: dayOfWeek().describe('The day.'),
    }),
  examples: [
    {
      title: 'Only on Mondays.',
      runs: false,
      code: `id: dayweek
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
      - type: core.condition.DayWeek
        dayOfWeek: MONDAY
`,
    },
  ],
});

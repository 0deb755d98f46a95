import { choice, defineCondition } from '@millrace/plugin-kit';
import { z } from 'zod';
import { dateProperty, dayOfWeek } from './dateProperty.ts';

export const dayWeekInMonth = defineCondition({
  type: 'core.condition.DayWeekInMonth',
  title: 'On the first, second … day of its kind in a month',
  description: 'True when the date is, for example, the first Monday of its month.',
  aliases: [
    'core.condition.DayWeekInMonthCondition',
    'io.kestra.core.models.conditions.types.DayWeekInMonthCondition',
  ],
  onSchedule: true,
  input: () =>
    z.object({
      date: dateProperty(),
      dayOfWeek: dayOfWeek().describe('The day of the week.'),
      dayInMonth: choice(['FIRST', 'SECOND', 'THIRD', 'FOURTH', 'LAST']).describe(
        'Which one of its kind in the month, for example the `FIRST` or the `LAST`.',
      ),
    }),
  examples: [
    {
      title: 'On the first Monday of a month.',
      runs: false,
      code: `id: dayweekinmonth
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
      - type: core.condition.DayWeekInMonth
        dayOfWeek: MONDAY
        dayInMonth: FIRST
`,
    },
  ],
});

import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { dateProperty } from './dateProperty.ts';

export const publicHoliday = defineCondition({
  type: 'core.condition.PublicHoliday',
  title: 'On a public holiday',
  description: 'True when the date is a public holiday of the country.',
  aliases: [
    'core.condition.PublicHolidayCondition',
    'io.kestra.core.models.conditions.types.PublicHolidayCondition',
  ],
  onSchedule: true,
  input: () =>
    z.object({
      date: dateProperty(),
      country: text().optional().describe('ISO 3166 code of the country; of the server when absent.'),
      subDivision: text().optional().describe('ISO 3166-2 code of a part of the country.'),
    }),
  examples: [
    {
      title: 'Not on public holidays of France.',
      runs: false,
      code: `id: publicholiday
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
          - type: core.condition.PublicHoliday
            country: FR
`,
    },
  ],
});

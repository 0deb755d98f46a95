import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { dateProperty } from './dateProperty.ts';

export const dateTimeBetween = defineCondition({
  type: 'core.condition.DateTimeBetween',
  title: 'Between two dates',
  description: 'True when the date is after and before the given ones; one of them must be given.',
  aliases: [
    'core.condition.DateTimeBetweenCondition',
    'io.kestra.core.models.conditions.types.DateTimeBetweenCondition',
  ],
  onSchedule: true,
  input: () =>
    z.object({
      date: dateProperty(),
      after: text().optional().describe('The date must be later than this.'),
      before: text().optional().describe('The date must be earlier than this.'),
    }),
  examples: [
    {
      title: 'Only in the year 2027.',
      runs: false,
      code: `id: datetimebetween
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
      - type: core.condition.DateTimeBetween
        after: 2027-01-01T00:00:00Z
        before: 2028-01-01T00:00:00Z
`,
    },
  ],
});

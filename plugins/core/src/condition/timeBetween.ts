import { defineCondition, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { dateProperty } from './dateProperty.ts';

export const timeBetween = defineCondition({
  type: 'core.condition.TimeBetween',
  title: 'Between two times of day',
  description:
    'True when the time of the date is after and before the given ones; one of them must be given.',
  aliases: [
    'core.condition.TimeBetweenCondition',
    'io.kestra.core.models.conditions.types.TimeBetweenCondition',
  ],
  onSchedule: true,
  input: () =>
    z.object({
      date: dateProperty(),
      after: text().optional().describe('The time must be later, for example `08:00:00+01:00`.'),
      before: text().optional().describe('The time must be earlier, for example `17:00:00+01:00`.'),
    }),
  examples: [
    {
      title: 'Only in working hours.',
      runs: false,
      code: `id: timebetween
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
      - type: core.condition.TimeBetween
        after: "08:00:00Z"
        before: "17:00:00Z"
`,
    },
  ],
});

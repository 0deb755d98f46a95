import { defineCondition } from '@millrace/plugin-kit';
import { z } from 'zod';

import { dateProperty } from './dateProperty.ts';

export const weekend = defineCondition({
  type: 'core.condition.Weekend',
  title: 'On Saturday or Sunday',
  description: 'True when the date falls on a weekend.',
  aliases: ['core.condition.WeekendCondition', 'io.kestra.core.models.conditions.types.WeekendCondition'],
  onSchedule: true,
  input: () =>
    z.object({
      date: dateProperty(),
    }),
  examples: [
    {
      title: 'Only at the weekend.',
      runs: false,
      code: `id: weekend
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
      - type: core.condition.Weekend
`,
    },
  ],
});

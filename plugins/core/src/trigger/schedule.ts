import {
  anything,
  choice,
  conditions,
  defineTrigger,
  deprecated,
  duration,
  fixed,
  flag,
  lineIcon,
  mapOf,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const schedule = defineTrigger({
  type: 'core.trigger.Schedule',
  role: 'schedule',
  title: 'Start executions by the clock',
  description: `Starts one execution for each date of a cron expression: minute, hour, day of month, month, day of week.
With \`withSeconds\` a field for the seconds comes first. \`@hourly\`, \`@daily\`, \`@weekly\`, \`@monthly\` and \`@yearly\` work too.

A date that comes due while the execution of the last one runs waits for its end.`,
  aliases: ['io.kestra.core.models.triggers.types.Schedule'],
  icon: lineIcon('M5 5h14v15H5z', 'M5 10h14', 'M9 3v4', 'M15 3v4', 'M12 13v3h2'),
  input: () =>
    z.object({
      cron: fixed(text()).describe('When to start, for example `0 8 * * 1-5`.'),
      withSeconds: fixed(flag())
        .default(false)
        .describe('The expression has six fields and begins with the seconds.'),
      timezone: fixed(text())
        .optional()
        .describe('The time zone of the expression, for example `Europe/Paris`; of the server when absent.'),
      inputs: mapOf(anything()).optional().describe('The inputs of the executions.'),
      lateMaximumDelay: fixed(duration()).optional().describe('A date that is later than this is skipped.'),
      recoverMissedSchedules: fixed(choice(['ALL', 'LAST', 'NONE']))
        .optional()
        .describe(
          'Which dates missed while the server was down are made up for: `ALL` of them, the `LAST` one or `NONE`; what the configuration of the server says when absent.',
        ),
      scheduleConditions: deprecated(conditions().optional(), 'use `conditions`.'),
      backfill: deprecated(fixed(mapOf(anything())).optional(), 'backfills are started from the trigger.'),
    }),
  output: () =>
    z.object({
      date: z.string().describe('The date the execution was started for.'),
      next: z.string().optional().describe('The date after it.'),
      previous: z.string().optional().describe('The date before it.'),
    }),
  examples: [
    {
      title: 'Every working day at eight in the morning.',
      runs: false,
      code: `id: morning
namespace: company.team

tasks:
  - id: report
    type: core.log.Log
    message: "The report of {{ trigger.date }}"

triggers:
  - id: every_morning
    type: core.trigger.Schedule
    cron: "0 8 * * 1-5"
    timezone: Europe/Paris
`,
    },
  ],
});

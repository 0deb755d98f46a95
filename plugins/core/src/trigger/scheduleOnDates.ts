import {
  anything,
  choice,
  dateTime,
  defineTrigger,
  fixed,
  lineIcon,
  listOf,
  mapOf,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const scheduleOnDates = defineTrigger({
  type: 'core.trigger.ScheduleOnDates',
  role: 'schedule',
  title: 'Start executions on given dates',
  description: 'Starts one execution for each date of a list.',
  icon: lineIcon('M5 5h14v15H5z', 'M5 10h14', 'M9 3v4', 'M15 3v4', 'M9 14v.1', 'M15 16v.1'),
  input: () =>
    z.object({
      dates: listOf(dateTime(), { min: 1 }).describe('The dates.'),
      timezone: fixed(text())
        .optional()
        .describe('The time zone of dates without an offset; of the server when absent.'),
      inputs: mapOf(anything()).optional().describe('The inputs of the executions.'),
      recoverMissedSchedules: fixed(choice(['ALL', 'LAST', 'NONE']))
        .optional()
        .describe('Which dates missed while the server was down are made up for.'),
    }),
  output: () =>
    z.object({
      date: z.string().describe('The date the execution was started for.'),
      next: z.string().optional().describe('The date after it.'),
      previous: z.string().optional().describe('The date before it.'),
    }),
  examples: [
    {
      title: 'On two days of the year.',
      runs: false,
      code: `id: on_dates
namespace: company.team

tasks:
  - id: report
    type: core.log.Log
    message: "{{ trigger.date }}"

triggers:
  - id: dates
    type: core.trigger.ScheduleOnDates
    timezone: Europe/Berlin
    dates:
      - 2027-01-01T00:30:00
      - 2027-07-01T00:30:00
`,
    },
  ],
});

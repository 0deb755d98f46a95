import { choice, duration, fixed, part, text } from '@millrace/plugin-kit';

/** The time window of past events. The engine checks which properties each window type allows. */
export const timeWindow = () =>
  fixed(
    part({
      type: choice(['DURATION_WINDOW', 'SLIDING_WINDOW', 'DAILY_TIME_WINDOW', 'DAILY_TIME_DEADLINE'])
        .default('DURATION_WINDOW')
        .describe('The kind of window.'),
      deadline: text()
        .optional()
        .describe('For DAILY_TIME_DEADLINE: the time of day, for example `09:00:00`.'),
      startTime: text().optional().describe('For DAILY_TIME_WINDOW: from this time of day.'),
      endTime: text().optional().describe('For DAILY_TIME_WINDOW: to this time of day.'),
      window: duration()
        .optional()
        .describe('For DURATION_WINDOW and SLIDING_WINDOW: how long; a day when absent.'),
      windowAdvance: duration().optional().describe('For DURATION_WINDOW: how far it is moved.'),
    }),
  ).describe('Within which time everything must have happened.');

import { z } from 'zod';
import { Calendar, ScheduleDates } from '../calendar.ts';
import { endpoint } from '../endpoint.ts';

export const readCalendar = endpoint({
  method: 'GET',
  path: '/calendar',
  summary: 'Reads the executions of a window of time and the dates that schedules plan in it',
  query: z.looseObject({
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
    /** Defines when an hour or a day begins. */
    timeZone: z.string().default('UTC'),
    /** With its children. */
    namespace: z.string().optional(),
    flowId: z.string().optional(),
  }),
  reply: Calendar,
});

export const listScheduleDates = endpoint({
  method: 'GET',
  path: '/triggers/{namespace}/{flowId}/{triggerId}/dates',
  summary: 'Lists the next dates of a schedule in its time zone',
  params: z.object({ namespace: z.string(), flowId: z.string(), triggerId: z.string() }),
  query: z.looseObject({ count: z.coerce.number().int().min(1).max(100).default(10) }),
  reply: ScheduleDates,
});

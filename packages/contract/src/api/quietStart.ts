import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Whether schedules, triggers and open executions wait since the start of the server. */
const QuietStart = z.object({ isQuiet: z.boolean() });

export const getQuietStart = endpoint({
  method: 'GET',
  path: '/quiet-start',
  summary: 'Tells whether schedules, triggers and open executions wait after a quiet start',
  reply: QuietStart,
});

export const endQuietStart = endpoint({
  method: 'POST',
  path: '/quiet-start/end',
  summary: 'Ends the quiet start: schedules, triggers and open executions continue',
  reply: QuietStart,
});

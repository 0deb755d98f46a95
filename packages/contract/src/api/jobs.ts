import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Job } from '../job.ts';

/** Every call with a JSON reply becomes a job when it is sent with `Prefer: respond-async` and takes longer than a second. */
export const getJob = endpoint({
  method: 'GET',
  path: '/jobs/{jobId}',
  summary: 'Reads the progress and the result of a call that runs as a job',
  params: z.object({ jobId: z.string() }),
  reply: Job,
});

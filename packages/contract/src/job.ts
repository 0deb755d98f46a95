import { z } from 'zod';

/** The response that the call would have had without `Prefer: respond-async`. */
export const JobResponse = z.object({ status: z.number().int(), body: z.unknown().optional() });
export type JobResponse = z.infer<typeof JobResponse>;

/**
 * A call that runs in the background. `INTERRUPTED`: the server stopped before the end; `done` items are done, the others
 * are not.
 */
export const Job = z.object({
  id: z.string(),
  state: z.enum(['RUNNING', 'ENDED', 'INTERRUPTED']),
  startedAt: z.iso.datetime(),
  /** The last sign of life of a running job. */
  updatedAt: z.iso.datetime(),
  done: z.number().int(),
  /** Undefined until the items are counted. */
  total: z.number().int().optional(),
  /** Present once the job has ended. */
  response: JobResponse.optional(),
});
export type Job = z.infer<typeof Job>;

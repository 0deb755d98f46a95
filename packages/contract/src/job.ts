import { z } from 'zod';

/** The response that the call would have had without `Prefer: respond-async`. */
export const JobResponse = z.object({ status: z.number().int(), body: z.unknown().optional() });
export type JobResponse = z.infer<typeof JobResponse>;

/**
 * A call that runs in the background. An action on many objects continues after a restart of its server, and
 * stays `RUNNING`. `INTERRUPTED`: the server of another call stopped before the end. A server that shuts down
 * records its exact progress. After a crash only the last record is known, so `atLeast` says that more may be
 * done.
 */
export const Job = z.object({
  id: z.string(),
  state: z.enum(['RUNNING', 'ENDED', 'INTERRUPTED']),
  startedAt: z.iso.datetime(),
  /** The last heartbeat of a running job. */
  updatedAt: z.iso.datetime(),
  done: z.number().int(),
  /** Undefined until the items are counted. */
  total: z.number().int().optional(),
  /** Of an interrupted job: more than `done` items may be done. */
  atLeast: z.boolean().optional(),
  /** Present once the job has ended. */
  response: JobResponse.optional(),
});
export type Job = z.infer<typeof Job>;

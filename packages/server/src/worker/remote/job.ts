import type { ExecutionRecord, TaskRunRecord } from '@millrace/contract';
import { z } from 'zod';

const about = {
  executionId: z.string(),
  taskRunId: z.string(),
  /** The server that owns the execution. */
  owner: z.string(),
  task: z.looseObject({ id: z.string(), type: z.string() }),
};

/** One attempt, as a worker in another process finds it in the queue. */
const AttemptJob = z.object({
  ...about,
  attempt: z.number().int(),
  /** The version of the execution when the job was created; older rows lack the task run. */
  version: z.number().int(),
  /** The folder that it shares with its siblings; the worker that has it is the only one to get the job. */
  directoryOf: z.string().optional(),
  /**
   * For a task that only computes: the execution as it was when the job was made, so that nothing has to be read. Absent
   * when it is large.
   */
  known: z
    .object({ execution: z.custom<ExecutionRecord>(), taskRuns: z.array(z.custom<TaskRunRecord>()) })
    .optional(),
});

/** A folder that attempts share: any worker opens it, and the same worker closes it. */
const FolderJob = z.object({ ...about, folder: z.enum(['open', 'close']), directory: z.string() });

export const Job = z.union([FolderJob, AttemptJob]);
export type AttemptJob = z.infer<typeof AttemptJob>;
export type FolderJob = z.infer<typeof FolderJob>;

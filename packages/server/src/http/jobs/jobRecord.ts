import { type Job, JobResponse } from '@millrace/contract';
import type { DocumentRecord, Op, StoredDocument } from '@millrace/store';
import { z } from 'zod';
import { dataOf, StoredDate } from '../../storedDocument.ts';

export const jobKinds = { job: 'job', call: 'job.call' } as const;

/** The parent of jobs that a server resumes; it lists them. */
export const openParent = 'open';

const count = z.number().int().min(0);

/** The state of a job. A server that runs it writes it every second, guarded by the version. */
export const JobRecord = z.object({
  state: z.enum(['RUNNING', 'ENDED', 'INTERRUPTED']),
  startedAt: StoredDate,
  updatedAt: StoredDate,
  done: count,
  /** Items that were changed. */
  count: count,
  total: count.optional(),
  response: JobResponse.optional(),
  /** The server that runs the job; absent when it has released the job. */
  server: z.string().optional(),
  /** Servers in a row that were lost while they ran the job, without progress. */
  losses: count,
});
export type JobRecord = z.infer<typeof JobRecord>;

/** The call and its items: everything that another process needs to resume the job. */
export const JobCall = z.object({
  method: z.string(),
  /** The path of the call in the contract, with the names of its parameters. */
  path: z.string(),
  params: z.unknown(),
  query: z.unknown(),
  body: z.unknown(),
  url: z.string(),
  caller: z.object({
    username: z.string().optional(),
    token: z.string().optional(),
    tokenId: z.string().optional(),
    isWeb: z.boolean(),
  }),
  items: z.array(z.unknown()),
});
export type JobCall = z.infer<typeof JobCall>;

export const recordOf = (document: StoredDocument): JobRecord | undefined => dataOf(JobRecord, document);

export const callOf = (document: StoredDocument | undefined): JobCall | undefined =>
  document && dataOf(JobCall, document);

/** `isOpen`: the job can be resumed. */
export const toDocument = (id: string, record: JobRecord, isOpen: boolean): DocumentRecord => ({
  kind: jobKinds.job,
  id,
  ...(isOpen ? { parent: openParent } : {}),
  at: record.updatedAt,
  data: record,
});

export const putCall = (id: string, call: JobCall, at: number): Op => ({
  op: 'document.put',
  document: { kind: jobKinds.call, id, at, data: call },
});

export function presentJob(id: string, record: JobRecord): Job {
  const { state, startedAt, updatedAt, done, total, response, losses } = record;
  return {
    id,
    state,
    startedAt: new Date(startedAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    done,
    ...(total === undefined ? {} : { total }),
    ...(state === 'INTERRUPTED' && losses > 0 ? { atLeast: true } : {}),
    ...(response && { response }),
  };
}

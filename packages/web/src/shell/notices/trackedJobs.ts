import { Job, type ReplyOf } from '@millrace/contract';
import { z } from 'zod';
import { type CallArgs, callForResponse } from '../../api/call.ts';
import { readStored, useStored, writeStored } from '../../storage/storage.ts';

/** A long action on the server, shown in every tab until its result is closed, also after a reload. */
const TrackedJob = z.object({
  id: z.string(),
  title: z.string(),
  /** The queries that show something else once it has ended. */
  changes: z.array(z.string()),
});
export type TrackedJob = z.infer<typeof TrackedJob>;

type Described = Parameters<typeof callForResponse>[0];

/** As `call`, for an action that may take long: the server then responds with a job instead of the result. */
export async function callAsJob<const E extends Described>(
  endpoint: E,
  args: CallArgs<E>,
): Promise<{ readonly reply: ReplyOf<E> } | { readonly jobId: string }> {
  // `as`: the same arguments with one header more.
  const asking = { ...args, headers: { ...args.headers, Prefer: 'respond-async' } } as CallArgs<E>;
  const { body, headers } = await callForResponse(endpoint, asking);
  if (headers.get('preference-applied') !== 'respond-async') return { reply: body };
  return { jobId: Job.parse(body).id };
}

/** The title is that of the dialog that asked, without its question mark: the action has begun. */
export function trackJob({ title, ...job }: TrackedJob): void {
  const named = { ...job, title: title.replace(/^¿|\s*[?？]$/g, '') };
  write([...read(readStored('jobs')), named]);
}

export const untrackJob = (id: string): void =>
  write(read(readStored('jobs')).filter((job) => job.id !== id));

export const useTrackedJobs = (): TrackedJob[] => read(useStored('jobs'));

function write(jobs: readonly TrackedJob[]): void {
  writeStored('jobs', jobs.length === 0 ? undefined : JSON.stringify(jobs));
}

function read(stored: string | undefined): TrackedJob[] {
  if (stored === undefined) return [];
  try {
    return z.array(TrackedJob).parse(JSON.parse(stored));
  } catch {
    return [];
  }
}

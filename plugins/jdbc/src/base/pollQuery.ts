import { type Outputs, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { type FetchChoice, fetchTypeOf, type KeptRows } from './keepRows.ts';

/** Rows start an execution; a poll without rows deletes its stored file. */
export async function pollQuery(
  context: Pick<TaskContext, 'files'>,
  input: FetchChoice,
  run: () => Promise<KeptRows>,
): Promise<Outputs | undefined> {
  if (fetchTypeOf(input) === 'NONE')
    throw new TaskFailed('"fetchType" of a trigger must be STORE, FETCH or FETCH_ONE, got NONE.', {
      retry: false,
    });
  const kept = await run();
  if (kept.size !== undefined && kept.size > 0) return { ...kept };
  if (kept.uri !== undefined) await context.files.delete(kept.uri);
  return undefined;
}

import { collect, openTriggerState, type TriggerContext } from '@millrace/plugin-kit';

interface Polling<F> {
  readonly limit: number;
  /** Absent when files are moved or deleted, and therefore all count. */
  readonly state: Parameters<typeof openTriggerState>[1] | undefined;
  readonly field: string;
  readonly addressOf: (file: F) => string;
  readonly versionOf: (file: F) => string;
  readonly modifiedAt: (file: F) => Date | undefined;
  readonly store: (file: F, changeType: 'CREATE' | 'UPDATE') => Promise<unknown>;
  readonly dispose: (file: F) => Promise<void>;
}

/** One poll of a trigger for files: they are touched only after their execution is stored. */
export async function pollFiles<F>(context: TriggerContext, found: AsyncIterable<F>, polling: Polling<F>) {
  const { limit, field } = polling;
  const toCandidate = (file: F) => ({
    uri: polling.addressOf(file),
    version: polling.versionOf(file),
    modifiedAt: polling.modifiedAt(file),
    file,
  });
  const state = polling.state && (await openTriggerState(context, polling.state));
  const changes = state
    ? state.changes((await collect(found)).map(toCandidate), limit)
    : (await collect(found, limit)).map((file) => ({
        candidate: toCandidate(file),
        changeType: 'CREATE' as const,
      }));
  const stored: unknown[] = [];
  for (const { candidate, changeType } of changes)
    stored.push(await polling.store(candidate.file, changeType));
  await state?.save();
  if (stored.length === 0) return undefined;
  if (state) return { [field]: stored };
  // Files that are found again because they could not be moved start nothing.
  const key = changes.map(({ candidate: { uri, version } }) => `${uri} ${version}`).join('\n');
  await context.emit({ [field]: stored }, { key });
  for (const { candidate } of changes) await polling.dispose(candidate.file);
  return undefined;
}

import type { LogSelection, Store } from '@millrace/store';
import type { LogBuffer } from '../logs/logBuffer.ts';

/** Deletes log entries, including buffered ones that are not written yet. */
export async function deleteLogs(
  selection: LogSelection,
  { store, logs }: { readonly store: Store; readonly logs: LogBuffer },
): Promise<void> {
  await logs.flush();
  await store.commit([{ op: 'log.delete', selection }]);
}

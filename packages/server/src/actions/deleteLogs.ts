import type { LogSelection } from '@millrace/store';
import type { Product } from '../product.ts';

/** Deletes log entries, also those that have been said but not yet written. */
export async function deleteLogs(
  selection: LogSelection,
  { store, logs }: Pick<Product, 'store' | 'logs'>,
): Promise<void> {
  await logs.flush();
  await store.commit([{ op: 'log.delete', selection }]);
}

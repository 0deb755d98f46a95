import { type KvEntry, kv, type QueryInputOf } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/ApiError.ts';
import { call } from '../../../api/call.ts';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';
import type { Selection } from '../../../ui/index.ts';
import { BulkDelete } from '../../../ui/list/BulkDelete.tsx';

interface KvBulkDeleteProps {
  selection: Selection<KvEntry>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

/** Rows of one answer, and keys of one request. */
const chunk = 1_000;

/** Deletes entries, one call for each namespace. A namespace that may not be changed is left out and named. */
export function KvBulkDelete({ selection, filters, onDone }: KvBulkDeleteProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const remove = async () => {
    const rows = selection.kind === 'rows' ? selection.rows : await readAll(filters);
    try {
      const { count, omitted } = await deleteByNamespace(rows);
      showSuccess(t('kv.deleted', { count }));
      if (omitted.length > 0) showWarning(omitted.join(', '), t('kv.omitted'));
    } finally {
      // A call that failed comes after others that did their part.
      await client.invalidateQueries({ queryKey: ['kv'] });
    }
  };
  return (
    <BulkDelete
      title={t('kv.delete', { count: selection.count })}
      text={t('kv.deleteText')}
      act={remove}
      onDone={onDone}
    />
  );
}

/** Every entry that matches, page by page. All are read before the first goes: deleting would move the pages. */
async function readAll(filters: Readonly<Record<string, unknown>>): Promise<KvEntry[]> {
  const rows: KvEntry[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...filters, size: chunk, page } as QueryInputOf<typeof kv.searchKv>; // Built from the server's own fields.
    const { results, total } = await call(kv.searchKv, { query });
    rows.push(...results);
    if (results.length === 0 || rows.length >= total) return rows;
  }
}

async function deleteByNamespace(rows: readonly KvEntry[]): Promise<{ count: number; omitted: string[] }> {
  let count = 0;
  const omitted: string[] = [];
  for (const namespace of new Set(rows.map((row) => row.namespace))) {
    const keys = rows.filter((row) => row.namespace === namespace).map(({ key }) => key);
    try {
      for (let from = 0; from < keys.length; from += chunk) {
        const done = await call(kv.deleteKvKeys, {
          params: { namespace },
          body: { keys: keys.slice(from, from + chunk) },
          failures: 'handled',
        });
        count += done.keys.length;
      }
    } catch (error) {
      const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (!isRefused) throw error;
      omitted.push(namespace);
    }
  }
  return { count, omitted };
}

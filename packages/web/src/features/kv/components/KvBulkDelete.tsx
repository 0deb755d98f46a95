import { Button } from '@mantine/core';
import { type KvEntry, kv } from '@millrace/contract';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/ApiError.ts';
import { call } from '../../../api/call.ts';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import type { Selection } from '../../../ui/index.ts';
import { kvEntriesQuery } from '../queries.ts';

interface KvBulkDeleteProps {
  selection: Selection<KvEntry>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

const everyRow = 10_000;

/** Deletes entries, one call for each namespace. A namespace that may not be changed is left out and named. */
export function KvBulkDelete({ selection, filters, onDone }: KvBulkDeleteProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: async () => {
      const rows =
        selection.kind === 'rows'
          ? selection.rows
          : (await client.fetchQuery(kvEntriesQuery({ ...filters, size: everyRow }))).results;
      return deleteByNamespace(rows);
    },
    onSuccess: ({ count, omitted }) => {
      showSuccess(t('kv.deleted', { count }));
      if (omitted.length > 0) showWarning(omitted.join(', '), t('kv.omitted'));
      setAsking(false);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['kv'] }),
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTrash size={14} />}
        onClick={() => setAsking(true)}
      >
        {t('action.delete')}
      </Button>
      {isAsking && (
        <ActionDialog
          title={t('kv.delete', { count: selection.count })}
          confirm={t('action.delete')}
          dangerous
          isPending={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onClose={() => setAsking(false)}
        >
          <p className={styles.text}>{t('kv.deleteText')}</p>
        </ActionDialog>
      )}
    </>
  );
}

async function deleteByNamespace(rows: readonly KvEntry[]): Promise<{ count: number; omitted: string[] }> {
  let count = 0;
  const omitted: string[] = [];
  for (const namespace of new Set(rows.map((row) => row.namespace))) {
    const keys = rows.filter((row) => row.namespace === namespace).map(({ key }) => key);
    try {
      const done = await call(kv.deleteKvKeys, {
        params: { namespace },
        body: { keys },
        failures: 'handled',
      });
      count += done.keys.length;
    } catch (error) {
      const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (!isRefused) throw error;
      omitted.push(namespace);
    }
  }
  return { count, omitted };
}

import { ActionIcon, Button } from '@mantine/core';
import { type KvEntry, kv, type QueryInputOf } from '@millrace/contract';
import { IconEdit, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Suspense, useMemo, useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess, showWarning } from '../../shell/toasts.ts';
import { Hint } from '../../ui/Hint.tsx';
import {
  type Column,
  CopyButton,
  DateAgo,
  DateTime,
  dateColumnWidth,
  EmptyState,
  Page,
  ResourceList,
  type Selection,
  useListView,
} from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { BulkDelete } from '../../ui/list/BulkActions.tsx';
import { useFilterFields } from '../listing/index.ts';
import styles from './kv.module.css';
import { kvEntriesQuery } from './queries.ts';

export function KvListPage() {
  const { t } = useTranslation();
  const { namespace } = useSearch({ from: '/{-$tenant}/kv' });
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={t('nav.kv')}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          {t('kv.create')}
        </Button>
      }
    >
      <KvList onCreate={() => setCreating(true)} />
      {isCreating && (
        <Suspense>
          <KvForm {...(namespace && { namespace })} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}

const KvForm = lazyPart(() => import('./KvForm.tsx'), 'KvForm');

interface KvListProps {
  /** The namespace that the page around the list is about. */
  namespace?: string;
  onCreate: () => void;
}

/** The entries of every namespace, or of one and those inside it. */
export function KvList({ namespace, onCreate }: KvListProps) {
  const { t } = useTranslation();
  const [edited, edit] = useState<KvEntry>();
  const fields = useFilterFields('template', {
    prominent: ['namespace'],
    without: namespace ? ['namespace'] : [],
  }).map((field) => ({ ...field, operations: [field.plain.operation] }));
  const view = useListView({ fields, defaultSort: 'key:asc', ...(namespace && { fixed: { namespace } }) });
  const query = useQuery(kvEntriesQuery(view.query));
  const columns = useMemo(() => kvColumns(t, { onEdit: edit }), [t]);
  return (
    <>
      <ResourceList
        name="kv"
        label={t('nav.kv')}
        placeholder={t('kv.search')}
        view={view}
        columns={columns}
        query={query}
        rowId={({ namespace: of, key }) => `${of}.${key}`}
        onOpen={edit}
        bulkActions={(selection, clear) => (
          <KvBulkDelete selection={selection} filters={view.filters} onDone={clear} />
        )}
        empty={
          <EmptyState
            illustration="wheel"
            title={t('kv.none')}
            text={t('kv.noneText')}
            action={<Button onClick={onCreate}>{t('kv.create')}</Button>}
          />
        }
      />
      {edited && (
        <Suspense>
          <KvForm entry={edited} onClose={() => edit(undefined)} />
        </Suspense>
      )}
    </>
  );
}

interface KvBulkDeleteProps {
  selection: Selection<KvEntry>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

/** Rows of one answer, and keys of one request. */
const chunk = 1_000;

/** Deletes entries, one call for each namespace. A namespace that may not be changed is left out and named. */
function KvBulkDelete({ selection, filters, onDone }: KvBulkDeleteProps) {
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

const kvColumns = (t: TFunction, { onEdit }: { onEdit: (entry: KvEntry) => void }): Column<KvEntry>[] => [
  {
    id: 'key',
    header: t('kv.key'),
    cell: (entry) => (
      <button type="button" className={styles.key} onClick={() => onEdit(entry)}>
        {entry.key}
      </button>
    ),
    sortField: 'key',
    identifies: true,
  },
  {
    id: 'namespace',
    header: t('flow.namespace'),
    cell: ({ namespace }) => <span className={styles.quiet}>{namespace}</span>,
    sortField: 'namespace',
    width: 'clamp(110px, 20cqw, 320px)',
  },
  {
    id: 'description',
    header: t('flow.description'),
    cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
    hideBelow: 'lg',
  },
  {
    id: 'updated',
    header: t('kv.updated'),
    cell: ({ updateDate }) => <DateAgo value={updateDate} />,
    sortField: 'updateDate',
    width: 142,
    hideBelow: 'md',
  },
  {
    id: 'created',
    header: t('kv.created'),
    cell: ({ creationDate }) => <DateTime value={creationDate} />,
    sortField: 'creationDate',
    width: dateColumnWidth(),
    optional: true,
  },
  {
    id: 'expires',
    header: t('kv.expires'),
    cell: ({ expirationDate }) =>
      expirationDate ? (
        <DateAgo value={expirationDate} />
      ) : (
        <span className={styles.quiet}>{t('kv.never')}</span>
      ),
    sortField: 'expirationDate',
    width: 142,
    hideBelow: 'md',
  },
  {
    id: 'actions',
    header: t('table.actions'),
    cell: (entry) => (
      <span className={styles.actions}>
        <CopyButton value={`{{ kv('${entry.key}') }}`} />
        <Hint label={t('kv.edit', { key: entry.key })}>
          <ActionIcon aria-label={t('kv.edit', { key: entry.key })} onClick={() => onEdit(entry)}>
            <IconEdit size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </span>
    ),
    width: 90,
    align: 'right',
    hidesHeader: true,
    identifies: true,
  },
];

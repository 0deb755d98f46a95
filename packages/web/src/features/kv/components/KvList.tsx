import { Button } from '@mantine/core';
import type { KvEntry } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ResourceList, useListView } from '../../../ui/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import { kvEntriesQuery } from '../queries.ts';
import { KvBulkDelete } from './KvBulkDelete.tsx';
import { kvColumns } from './kvColumns.tsx';

const KvForm = lazy(() => import('./KvForm.tsx').then((module) => ({ default: module.KvForm })));

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

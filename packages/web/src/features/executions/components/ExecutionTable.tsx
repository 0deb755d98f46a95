import type { Execution } from '@millrace/contract';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../ui/index.ts';

const ExecutionBulkActions = lazy(() =>
  import('./ExecutionBulkActions.tsx').then((module) => ({ default: module.ExecutionBulkActions })),
);

interface ExecutionTableProps {
  columns: readonly Column<Execution>[];
  visibility: Record<string, boolean>;
  rows: Execution[] | undefined;
  sort: string;
  onSort: (sort: string) => void;
  error: Error | null;
  onRetry: () => void;
  empty: ReactNode;
}

export function ExecutionTable(props: ExecutionTableProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <DataTable
      {...props}
      label={t('nav.executions')}
      rowId={(execution) => execution.id}
      onOpen={({ namespace, flowId, id }) =>
        void navigate({
          to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
          params: { namespace, flowId, id },
          search: {},
        })
      }
      bulkActions={(chosen, clear) => (
        <Suspense>
          <ExecutionBulkActions chosen={chosen} onDone={clear} />
        </Suspense>
      )}
    />
  );
}

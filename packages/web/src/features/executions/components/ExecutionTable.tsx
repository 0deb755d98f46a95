import { Button } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../ui/index.ts';
import { isKillable } from '../isKillable.ts';
import { useExecutionActions } from './useExecutionActions.ts';

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
  const { kill, remove } = useExecutionActions();
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
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            disabled={!chosen.some(isKillable)}
            onClick={() => void kill(chosen).then((count) => count > 0 && clear())}
          >
            {t('action.kill')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconTrash size={14} />}
            onClick={() => void remove(chosen).then((count) => count > 0 && clear())}
          >
            {t('action.delete')}
          </Button>
        </>
      )}
    />
  );
}

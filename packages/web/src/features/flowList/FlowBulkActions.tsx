import { Button } from '@mantine/core';
import { bulkFlows, type Flow, flowTransfer } from '@millrace/contract';
import { IconDownload, IconToggleLeft, IconToggleRight, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import styles from '../../ui/dialog/DialogForm.module.css';
import type { Selection } from '../../ui/index.ts';

const calls = {
  enable: { byIds: bulkFlows.enableFlowsByIds, byQuery: bulkFlows.enableFlowsByQuery },
  disable: { byIds: bulkFlows.disableFlowsByIds, byQuery: bulkFlows.disableFlowsByQuery },
  delete: { byIds: bulkFlows.deleteFlowsByIds, byQuery: bulkFlows.deleteFlowsByQuery },
} as const;
type FlowBulkAction = keyof typeof calls;

const icons = { enable: IconToggleRight, disable: IconToggleLeft, delete: IconTrash };

interface FlowBulkActionsProps {
  selection: Selection<Flow>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

export function FlowBulkActions({ selection, filters, onDone }: FlowBulkActionsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, ask] = useState<FlowBulkAction>();
  const { count } = selection;
  const keys =
    selection.kind === 'rows' ? selection.rows.map(({ namespace, id }) => ({ namespace, id })) : [];
  const acting = useMutation({
    mutationFn: (action: FlowBulkAction) =>
      selection.kind === 'rows'
        ? call(calls[action].byIds, { body: keys, failures: 'handled' })
        : call(calls[action].byQuery, { query: { ...filters }, failures: 'handled' }),
    onSuccess: async (done, action) => {
      showSuccess(t(`flowAction.${action}.done`, { count: done.count }));
      ask(undefined);
      onDone();
      await Promise.all(
        ['flows', 'flow', 'namespaces'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
  const exportAll = () =>
    selection.kind === 'rows'
      ? download(flowTransfer.exportFlowsByIds, { body: keys }, 'flows.zip')
      : download(flowTransfer.exportFlowsByQuery, { query: { ...filters } }, 'flows.zip');
  // Only what would change something is offered; of everything that matches only the server knows.
  const isPossible: Record<FlowBulkAction, boolean> = {
    enable: selection.kind === 'all' || selection.rows.some(({ disabled }) => disabled),
    disable: selection.kind === 'all' || selection.rows.some(({ disabled }) => !disabled),
    delete: true,
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => void exportAll().catch(() => {})} // The failure has been shown already.
      >
        {t('flowAction.export')}
      </Button>
      {(['enable', 'disable', 'delete'] as const).map((action) => {
        const Icon = icons[action];
        return (
          <Button
            key={action}
            size="compact-sm"
            variant="default"
            leftSection={<Icon size={14} />}
            disabled={!isPossible[action]}
            onClick={() => ask(action)}
          >
            {t(`flowAction.${action}.name`)}
          </Button>
        );
      })}
      {asked && (
        <ActionDialog
          title={t(`flowAction.${asked}.title`, { count })}
          confirm={t(`flowAction.${asked}.name`)}
          dangerous={asked === 'delete'}
          isPending={acting.isPending}
          error={acting.error}
          onConfirm={() => acting.mutate(asked)}
          onClose={() => {
            acting.reset();
            ask(undefined);
          }}
        >
          <p className={styles.text}>{t(`flowAction.${asked}.text`, { count })}</p>
        </ActionDialog>
      )}
    </>
  );
}

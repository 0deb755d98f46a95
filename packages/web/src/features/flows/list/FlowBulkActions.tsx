import { bulkFlows, type Flow, flowTransfer } from '@millrace/contract';
import { IconToggleLeft, IconToggleRight, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { download } from '../../../api/download.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { callAsJob, trackJob } from '../../../shell/notices/trackedJobs.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import type { Selection } from '../../../ui/index.ts';
import { BulkActions } from '../../../ui/list/BulkActions.tsx';
import { ExportButton } from '../../../ui/list/ExportButton.tsx';

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
  const { count } = selection;
  const keys =
    selection.kind === 'rows' ? selection.rows.map(({ namespace, id }) => ({ namespace, id })) : [];
  const act = async (action: FlowBulkAction) => {
    const done =
      selection.kind === 'rows'
        ? await callAsJob(calls[action].byIds, { body: keys, failures: 'handled' })
        : await callAsJob(calls[action].byQuery, { query: { ...filters }, failures: 'handled' });
    const changes = ['flows', 'flow', 'namespaces'];
    if ('jobId' in done)
      trackJob({ id: done.jobId, title: t(`flowAction.${action}.title`, { count }), changes });
    else showSuccess(t(`flowAction.${action}.done`, { count: done.reply.count }));
    await Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
  // Only what would change something is offered; of everything that matches only the server knows.
  const isPossible: Record<FlowBulkAction, boolean> = {
    enable: selection.kind === 'all' || selection.rows.some(({ disabled }) => disabled),
    disable: selection.kind === 'all' || selection.rows.some(({ disabled }) => !disabled),
    delete: true,
  };
  return (
    <>
      <ExportButton
        onExport={() =>
          selection.kind === 'rows'
            ? download(flowTransfer.exportFlowsByIds, { body: keys }, 'flows.zip')
            : download(flowTransfer.exportFlowsByQuery, { query: { ...filters } }, 'flows.zip')
        }
      />
      <BulkActions
        onDone={onDone}
        actions={(['enable', 'disable', 'delete'] as const).map((action) => ({
          name: t(`flowAction.${action}.name`),
          Icon: icons[action],
          title: t(`flowAction.${action}.title`, { count }),
          text: t(`flowAction.${action}.text`, { count }),
          dangerous: action === 'delete',
          isPossible: isPossible[action],
          act: () => act(action),
        }))}
      />
    </>
  );
}

import { Button } from '@mantine/core';
import { logs } from '@millrace/contract';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callAsJob, trackJob } from '../../../shell/jobs/trackedJobs.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { confirm } from '../../../ui/index.ts';
import type { FlowKey } from '../queries.ts';

/** Deletes every log entry of a flow, after a question. */
export function DeleteLogsButton({ namespace, id }: FlowKey) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => callAsJob(logs.deleteFlowLogs, { params: { namespace, flowId: id } }),
    onSuccess: (result) => {
      const changes = ['logs', 'stats'];
      if ('jobId' in result)
        trackJob({ id: result.jobId, title: t('flow.deleteLogsTitle', { id }), changes });
      else showSuccess(t('flow.logsDeleted', { id }));
      return Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  const ask = async () => {
    const agreed = await confirm({
      title: t('flow.deleteLogsTitle', { id }),
      body: t('flow.deleteLogsText'),
      confirm: t('flow.deleteLogs'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) deletion.mutate();
  };
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} stroke={1.7} />}
      loading={deletion.isPending}
      onClick={() => void ask()}
    >
      {t('flow.deleteLogs')}
    </Button>
  );
}

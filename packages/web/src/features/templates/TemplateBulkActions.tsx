import { type Template, templates } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { download } from '../../api/download.ts';
import { callAsJob, trackJob } from '../../shell/jobs/trackedJobs.ts';
import { showSuccess } from '../../shell/toasts.ts';
import type { Selection } from '../../ui/index.ts';
import { BulkDelete } from '../../ui/list/BulkDelete.tsx';
import { ExportButton } from '../../ui/list/ExportButton.tsx';

interface TemplateBulkActionsProps {
  selection: Selection<Template>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

export function TemplateBulkActions({ selection, filters, onDone }: TemplateBulkActionsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const keys =
    selection.kind === 'rows' ? selection.rows.map(({ namespace, id }) => ({ namespace, id })) : [];
  const remove = async () => {
    const done =
      selection.kind === 'rows'
        ? await callAsJob(templates.deleteTemplatesByIds, { body: keys, failures: 'handled' })
        : await callAsJob(templates.deleteTemplatesByQuery, { query: { ...filters }, failures: 'handled' });
    const title = t('template.delete', { count: selection.count });
    if ('jobId' in done) trackJob({ id: done.jobId, title, changes: ['templates'] });
    else showSuccess(t('template.deleted', { count: done.reply.count }));
    await client.invalidateQueries({ queryKey: ['templates'] });
  };
  return (
    <>
      <ExportButton
        onExport={() =>
          selection.kind === 'rows'
            ? download(templates.exportTemplatesByIds, { body: keys }, 'templates.zip')
            : download(templates.exportTemplatesByQuery, { query: { ...filters } }, 'templates.zip')
        }
      />
      <BulkDelete
        title={t('template.delete', { count: selection.count })}
        text={t('template.deleteText')}
        act={remove}
        onDone={onDone}
      />
    </>
  );
}

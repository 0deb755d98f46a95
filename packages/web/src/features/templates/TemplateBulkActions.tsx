import { type Template, templates } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { download } from '../../api/download.ts';
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
    const { count } =
      selection.kind === 'rows'
        ? await call(templates.deleteTemplatesByIds, { body: keys, failures: 'handled' })
        : await call(templates.deleteTemplatesByQuery, { query: { ...filters }, failures: 'handled' });
    showSuccess(t('template.deleted', { count }));
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

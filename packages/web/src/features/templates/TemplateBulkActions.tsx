import { Button } from '@mantine/core';
import { type Template, templates } from '@millrace/contract';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import styles from '../../ui/dialog/DialogForm.module.css';
import type { Selection } from '../../ui/index.ts';

interface TemplateBulkActionsProps {
  selection: Selection<Template>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

export function TemplateBulkActions({ selection, filters, onDone }: TemplateBulkActionsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const keys =
    selection.kind === 'rows' ? selection.rows.map(({ namespace, id }) => ({ namespace, id })) : [];
  const deletion = useMutation({
    mutationFn: () =>
      selection.kind === 'rows'
        ? call(templates.deleteTemplatesByIds, { body: keys, failures: 'handled' })
        : call(templates.deleteTemplatesByQuery, { query: { ...filters }, failures: 'handled' }),
    onSuccess: async ({ count }) => {
      showSuccess(t('template.deleted', { count }));
      setAsking(false);
      onDone();
      await client.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  const exportAll = () =>
    selection.kind === 'rows'
      ? download(templates.exportTemplatesByIds, { body: keys }, 'templates.zip')
      : download(templates.exportTemplatesByQuery, { query: { ...filters } }, 'templates.zip');
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
          title={t('template.delete', { count: selection.count })}
          confirm={t('action.delete')}
          dangerous
          isPending={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onClose={() => setAsking(false)}
        >
          <p className={styles.text}>{t('template.deleteText')}</p>
        </ActionDialog>
      )}
    </>
  );
}

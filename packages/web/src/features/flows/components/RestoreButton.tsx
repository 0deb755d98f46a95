import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import { type FlowQueryData, useSaveFlow } from '../queries.ts';

/** Brings a deleted flow back: its last source becomes a new revision. */
export function RestoreButton({ flow }: { flow: FlowQueryData }) {
  const { t } = useTranslation();
  const save = useSaveFlow();
  return (
    <Button
      leftSection={<IconArrowBackUp size={16} stroke={1.7} />}
      loading={save.isPending}
      onClick={() =>
        save.mutate(
          { source: withoutDeletedMark(flow.source ?? '') },
          {
            onSuccess: ({ id, revision }) => showSuccess(t('flow.restored', { id, revision })),
            onError: showError,
          },
        )
      }
    >
      {t('flow.restore')}
    </Button>
  );
}

/** Exports of other products carry the mark in the text. */
const withoutDeletedMark = (source: string): string => source.replace(/^deleted: *true *\n?/m, '');

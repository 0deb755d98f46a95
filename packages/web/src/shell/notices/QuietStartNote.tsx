import { Button } from '@mantine/core';
import { quietStart } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { confirm } from '../../ui/confirm/confirm.ts';
import { showError } from '../toasts.ts';
import styles from './QuietStartNote.module.css';

/** Says that nothing runs until an operator ends the quiet start, and lets them do it. */
export function QuietStartNote() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => call(quietStart.endQuietStart, {}),
    onSuccess: () => client.invalidateQueries(),
    onError: showError,
  });
  const ask = async () => {
    const agreed = await confirm({
      title: t('quietStart.confirm'),
      body: t('quietStart.consequence'),
      confirm: t('quietStart.end'),
      cancel: t('action.cancel'),
    });
    if (agreed) end.mutate();
  };
  return (
    <div className={styles.note} role="status">
      <span>{t('quietStart.text')}</span>
      <Button size="compact-sm" loading={end.isPending} onClick={() => void ask()}>
        {t('quietStart.end')}
      </Button>
    </div>
  );
}

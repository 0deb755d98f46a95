import { Button } from '@mantine/core';
import { alerts } from '@millrace/contract';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess, showWarning } from '../../shell/toasts.ts';
import { confirm } from '../../ui/index.ts';
import styles from './alerts.module.css';

interface DeleteButtonProps {
  /** What is deleted, as the title of the question. */
  title: string;
  consequence: string;
  remove: () => Promise<unknown>;
  onDone: () => void;
}

/** Deletes a rule or a channel after a question. */
export function DeleteButton({ title, consequence, remove, onDone }: DeleteButtonProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ask = async () => {
    const agreed = await confirm({
      title,
      body: consequence,
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (!agreed) return;
    await remove();
    onDone();
    await client.invalidateQueries({ queryKey: ['alerts'] });
  };
  return (
    <Button
      className={styles.foot}
      variant="subtle"
      color="red"
      onClick={() => void ask().catch(() => {})} // The failure has been shown already.
    >
      {t('action.delete')}
    </Button>
  );
}

/** Sends a message at once and shows the error of the receiver. */
export function TestButton({ channelId }: { channelId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const testing = useMutation({
    mutationFn: () => call(alerts.testChannel, { params: { id: channelId } }),
    onSuccess: async ({ delivered, error }) => {
      if (delivered) showSuccess(t('alerts.tested', { id: channelId }));
      else showWarning(error ?? '', t('alerts.testFailed', { id: channelId }));
      await client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconSend size={14} />}
      loading={testing.isPending}
      onClick={() => testing.mutate()}
      aria-label={`${t('alerts.test')}: ${channelId}`}
    >
      {t('alerts.test')}
    </Button>
  );
}

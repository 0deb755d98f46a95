import { Button } from '@mantine/core';
import { alerts } from '@millrace/contract';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess, showWarning } from '../../shell/toasts.ts';

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

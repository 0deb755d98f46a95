import { Checkbox, Text, Textarea } from '@mantine/core';
import { instance } from '@millrace/contract';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import { useControl } from './queries.ts';

export function MaintenanceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [message, setMessage] = useState('');
  const [allowManual, setAllowManual] = useState(false);
  const [finishRunning, setFinishRunning] = useState(false);
  const start = useControl(
    () => call(instance.startMaintenance, { body: { message, allowManual, finishRunning } }),
    onClose,
  );
  return (
    <ActionDialog
      title={t('instance.maintenance.title')}
      confirm={t('instance.maintenance.start')}
      isPending={start.isPending}
      onConfirm={() => start.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{t('instance.maintenance.text')}</Text>
      <Textarea
        label={t('instance.maintenance.message')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={500}
        rows={3}
        data-autofocus
      />
      <Checkbox
        label={t('instance.maintenance.finishRunning')}
        checked={finishRunning || allowManual}
        disabled={allowManual}
        onChange={(event) => setFinishRunning(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('instance.maintenance.allowManual')}
        checked={allowManual}
        onChange={(event) => setAllowManual(event.currentTarget.checked)}
      />
    </ActionDialog>
  );
}

import { Button, Switch } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import styles from './SecurityReminderDialog.module.css';
import { setReminderShown } from './securityReminder.ts';

export function SecurityReminderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [isHidden, setHidden] = useState(false);
  const navigate = useNavigate();
  const enable = () => {
    onClose();
    void navigate({ to: '/{-$tenant}/admin/stats/{-$tab}' });
  };
  return (
    <Dialog onClose={onClose} title={t('securityReminder.title')}>
      <p className={styles.text}>{t('securityReminder.text')}</p>
      <Switch
        label={t('securityReminder.hide')}
        checked={isHidden}
        onChange={(event) => {
          setHidden(event.currentTarget.checked);
          setReminderShown(!event.currentTarget.checked);
        }}
      />
      <div className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button onClick={enable}>{t('securityReminder.enable')}</Button>
      </div>
    </Dialog>
  );
}

import { Button, Modal, Switch } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setAdviceShown } from './advice.ts';
import styles from './SecurityAdviceDialog.module.css';

export function SecurityAdviceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [isHidden, setHidden] = useState(false);
  const navigate = useNavigate();
  const enable = () => {
    onClose();
    void navigate({ to: '/{-$tenant}/admin/stats' });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('advice.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <p className={styles.text}>{t('advice.text')}</p>
      <Switch
        label={t('advice.hide')}
        checked={isHidden}
        onChange={(event) => {
          setHidden(event.currentTarget.checked);
          setAdviceShown(!event.currentTarget.checked);
        }}
      />
      <div className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button onClick={enable}>{t('advice.enable')}</Button>
      </div>
    </Modal>
  );
}

import { Button } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import styles from './EnableAuthentication.module.css';

const CredentialsDialog = lazy(() =>
  import('./CredentialsDialog.tsx').then((module) => ({ default: module.CredentialsDialog })),
);

/** On a server that asks nobody who they are: how to change that. */
export function EnableAuthentication() {
  const { t } = useTranslation();
  const { isBasicAuthEnabled } = useConfiguration();
  const [isOpen, setOpen] = useState(false);
  if (isBasicAuthEnabled) return null;
  return (
    <section className={styles.note}>
      <IconShieldLock size={28} stroke={1.5} aria-hidden="true" />
      <div className={styles.words}>
        <h2>{t('advice.title')}</h2>
        <p>{t('advice.text')}</p>
      </div>
      <Button onClick={() => setOpen(true)}>{t('advice.enable')}</Button>
      {isOpen && (
        <Suspense>
          <CredentialsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}

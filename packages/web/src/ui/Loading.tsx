import { Loader } from '@mantine/core';
import { useTranslation } from '../i18n/useTranslation.ts';
import styles from './Loading.module.css';

/** Fills its place while a part loads. It stays invisible at first: most parts arrive sooner than an eye notices. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <div className={styles.loading} role="status" aria-label={t('loading')}>
      <Loader size="sm" color="var(--mr-brand)" />
    </div>
  );
}

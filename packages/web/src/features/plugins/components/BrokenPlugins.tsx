import { Alert } from '@mantine/core';
import type { plugins } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import styles from './plugins.module.css';

/** Plugins that are installed and could not be loaded, each with its reason: their types are missing below. */
export function BrokenPlugins({ all }: { all: readonly plugins.Plugin[] }) {
  const { t } = useTranslation();
  return all.map(({ name, error }) =>
    error === undefined ? null : (
      <Alert
        key={name}
        variant="light"
        color="red"
        className={styles.broken ?? ''}
        title={t('plugin.broken', { name })}
      >
        <code>{error}</code>
      </Alert>
    ),
  );
}

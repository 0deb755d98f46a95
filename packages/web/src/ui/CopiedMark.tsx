import { useTranslation } from 'react-i18next';
import styles from './CopiedMark.module.css';
import { Hint } from './Hint.tsx';

/** Marks a task run that a replay took over from the original execution. */
export function CopiedMark() {
  const { t } = useTranslation();
  return (
    <Hint label={t('taskRun.copiedHint')} multiline maw={320}>
      <span className={styles.mark}>{t('taskRun.copied')}</span>
    </Hint>
  );
}

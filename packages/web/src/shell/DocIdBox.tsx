import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../ui/Id.tsx';
import styles from './DocIdBox.module.css';
import { useDocId } from './docId.ts';

/** For those who write the documentation: `?showDocId` tells which id a page's documentation must have. */
export function DocIdBox() {
  const { t } = useTranslation();
  const { showDocId } = useSearch({ strict: false });
  const docId = useDocId();
  if (!showDocId || !docId) return null;
  return (
    <div className={styles.box}>
      <span>{t('docs.id', { id: docId })}</span>
      <CopyButton value={docId} />
    </div>
  );
}

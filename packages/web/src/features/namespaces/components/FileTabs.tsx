import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { nameOf } from '../fileQueries.ts';
import styles from './NamespaceFiles.module.css';

interface FileTabsProps {
  paths: readonly string[];
  active: string | undefined;
  isDirty: (path: string) => boolean;
  onShow: (path: string) => void;
  onClose: (path: string) => void;
}

export function FileTabs({ paths, active, isDirty, onShow, onClose }: FileTabsProps) {
  const { t } = useTranslation();
  if (paths.length === 0) return null;
  return (
    <nav className={styles.tabs} aria-label={t('file.open')}>
      {paths.map((path) => (
        <span key={path} className={styles.tab} data-active={path === active || undefined}>
          <button
            type="button"
            title={path}
            aria-current={path === active ? 'page' : undefined}
            onClick={() => onShow(path)}
          >
            <span className={isDirty(path) ? styles.dirty : undefined}>{nameOf(path)}</span>
          </button>
          <CloseButton
            size="xs"
            aria-label={t('file.close', { name: nameOf(path) })}
            onClick={() => onClose(path)}
          />
        </span>
      ))}
    </nav>
  );
}

import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EditorTab } from '../editorTab.ts';
import styles from './NamespaceFiles.module.css';

interface FileTabsProps {
  tabs: readonly EditorTab[];
  active: string | undefined;
  onShow: (path: string) => void;
  onClose: (path: string) => void;
}

export function FileTabs({ tabs, active, onShow, onClose }: FileTabsProps) {
  const { t } = useTranslation();
  if (tabs.length === 0) return null;
  return (
    <nav className={styles.tabs} aria-label={t('file.open')}>
      {tabs.map(({ name, path, persistent, dirty }) => (
        <span key={path} className={styles.tab} data-active={path === active || undefined}>
          <button
            type="button"
            title={path || undefined}
            aria-current={path === active ? 'page' : undefined}
            onClick={() => onShow(path)}
          >
            <span className={dirty ? styles.dirty : undefined} data-dirty={dirty || undefined}>
              {name}
            </span>
          </button>
          {!persistent && (
            <CloseButton size="xs" aria-label={t('file.close', { name })} onClick={() => onClose(path)} />
          )}
        </span>
      ))}
    </nav>
  );
}

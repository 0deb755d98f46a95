import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots, IconFile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardProblem } from '../../../ui/CardProblem.tsx';
import { SkeletonList } from '../../../ui/Skeleton.tsx';
import { useCopy } from '../../../ui/useCopy.ts';
import { folderQuery, joinPath } from '../fileQueries.ts';
import type { FileQuestion } from './FileDialog.tsx';
import styles from './NamespaceFiles.module.css';

interface FolderLevelProps {
  namespace: string;
  folder: string;
  active: string | undefined;
  onOpen: (path: string) => void;
  onAsk: (question: FileQuestion) => void;
}

/** One level of a folder; what is inside loads when it is unfolded. */
export function FolderLevel(props: FolderLevelProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(folderQuery(props.namespace, props.folder));
  if (error && !data) return <CardProblem message={error.message} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonList rows={3} rowHeight={30} />;
  if (data.length === 0) {
    return <p className={styles.note}>{t(props.folder === '/' ? 'file.none' : 'file.emptyFolder')}</p>;
  }
  return (
    <ul style={props.folder === '/' ? { margin: 0, padding: 0, border: 'none' } : undefined}>
      {data.map(({ fileName, type }) => (
        <FileNode
          key={fileName}
          {...props}
          path={joinPath(props.folder, fileName)}
          name={fileName}
          type={type}
        />
      ))}
    </ul>
  );
}

interface FileNodeProps extends FolderLevelProps {
  path: string;
  name: string;
  type: 'File' | 'Directory';
}

function FileNode({ path, name, type, ...level }: FileNodeProps) {
  const { t } = useTranslation();
  const { active, onOpen, onAsk } = level;
  const { copy } = useCopy();
  const isFolder = type === 'Directory';
  const [isOpen, setOpen] = useState(() => isFolder && (active?.startsWith(`${path}/`) ?? false));
  const Icon = isFolder ? (isOpen ? IconChevronDown : IconChevronRight) : IconFile;
  return (
    <li>
      <div className={styles.node} data-active={path === active || undefined}>
        <button
          type="button"
          className={styles.name}
          aria-expanded={isFolder ? isOpen : undefined}
          onClick={() => (isFolder ? setOpen(!isOpen) : onOpen(path))}
          onKeyDown={(event) => event.key === 'Delete' && onAsk({ kind: 'delete', path, type })}
        >
          <Icon size={15} stroke={1.7} aria-hidden="true" />
          <span>{name}</span>
        </button>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={24} aria-label={t('file.more', { name })}>
              <IconDots size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isFolder && (
              <>
                <Menu.Item onClick={() => onAsk({ kind: 'create', type: 'File', folder: path })}>
                  {t('file.newFile')}
                </Menu.Item>
                <Menu.Item onClick={() => onAsk({ kind: 'create', type: 'Directory', folder: path })}>
                  {t('file.newFolder')}
                </Menu.Item>
              </>
            )}
            <Menu.Item onClick={() => onAsk({ kind: 'rename', path, type })}>{t('file.rename')}</Menu.Item>
            <Menu.Item onClick={() => void copy(path)}>{t('file.copyPath')}</Menu.Item>
            <Menu.Item color="var(--mr-danger)" onClick={() => onAsk({ kind: 'delete', path, type })}>
              {t('action.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {isFolder && isOpen && <FolderLevel {...level} folder={path} />}
    </li>
  );
}

import { ActionIcon, FileButton, Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { namespaceFiles } from '@millrace/contract';
import {
  IconChevronDown,
  IconChevronRight,
  IconDots,
  IconDownload,
  IconFile,
  IconFilePlus,
  IconFolderPlus,
  IconUpload,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/download.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { CardError } from '../../../ui/Card.tsx';
import { Hint } from '../../../ui/Hint.tsx';
import { useCopy } from '../../../ui/Id.tsx';
import { SkeletonList } from '../../../ui/Skeleton.tsx';
import { FileDialog, type FileQuestion } from './FileDialog.tsx';
import { fileSearchQuery, folderQuery, joinPath, useFileAction, writeFile } from './fileQueries.ts';
import styles from './NamespaceFiles.module.css';

interface FileExplorerProps {
  namespace: string;
  active: string | undefined;
  onOpen: (path: string) => void;
  /** A file or a folder is deleted or has another name. */
  onGone: (path: string) => void;
}

export function FileExplorer({ namespace, active, onOpen, onGone }: FileExplorerProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const [question, ask] = useState<FileQuestion>();
  const { data: found } = useQuery({ ...fileSearchQuery(namespace, q), enabled: q !== '' });
  const action = useFileAction(namespace);
  const upload = (files: File[]) =>
    action.mutate(
      () => Promise.all(files.map((file) => writeFile(namespace, joinPath('/', file.name), file))),
      { onSuccess: () => showSuccess(t('file.uploaded', { count: files.length })) },
    );
  return (
    <div className={styles.explorer}>
      <div className={styles.tools}>
        <TextInput
          size="xs"
          type="search"
          placeholder={t('file.search')}
          aria-label={t('file.search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Tool label={t('file.newFile')} onClick={() => ask({ kind: 'create', type: 'File', folder: '/' })}>
          <IconFilePlus size={16} stroke={1.7} />
        </Tool>
        <Tool
          label={t('file.newFolder')}
          onClick={() => ask({ kind: 'create', type: 'Directory', folder: '/' })}
        >
          <IconFolderPlus size={16} stroke={1.7} />
        </Tool>
        <FileButton multiple onChange={upload}>
          {({ onClick }) => (
            <Tool label={t('file.upload')} onClick={onClick}>
              <IconUpload size={16} stroke={1.7} />
            </Tool>
          )}
        </FileButton>
        <Hint label={t('file.export')}>
          <ActionIcon
            component="a"
            size={28}
            aria-label={t('file.export')}
            href={urlOf(namespaceFiles.exportNamespaceFiles, { params: { namespace } })}
            download
            onClick={checkedDownload}
          >
            <IconDownload size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </div>
      {q === '' ? (
        <div className={styles.tree}>
          <FolderLevel namespace={namespace} folder="/" active={active} onOpen={onOpen} onAsk={ask} />
        </div>
      ) : (
        <ul className={styles.tree} aria-label={t('file.search')}>
          {found?.length === 0 && <li className={styles.note}>{t('filter.nothing')}</li>}
          {found?.map((path) => (
            <li key={path} className={styles.node} data-active={path === active || undefined}>
              <button type="button" className={styles.name} onClick={() => onOpen(path)}>
                <span>{path}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {question && (
        <FileDialog
          namespace={namespace}
          question={question}
          onClose={() => ask(undefined)}
          onOpen={onOpen}
          onGone={onGone}
        />
      )}
    </div>
  );
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Hint label={label}>
      <ActionIcon size={28} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Hint>
  );
}

interface FolderLevelProps {
  namespace: string;
  folder: string;
  active: string | undefined;
  onOpen: (path: string) => void;
  onAsk: (question: FileQuestion) => void;
}

/** One level of a folder; what is inside loads when it is unfolded. */
function FolderLevel(props: FolderLevelProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(folderQuery(props.namespace, props.folder));
  if (error && !data) return <CardError message={error.message} onRetry={() => void refetch()} />;
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

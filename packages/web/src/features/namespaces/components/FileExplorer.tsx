import { ActionIcon, FileButton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { namespaceFiles } from '@millrace/contract';
import { IconDownload, IconFilePlus, IconFolderPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/checkedDownload.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { fileSearchQuery, joinPath, useFileAction, writeFile } from '../fileQueries.ts';
import { FileDialog, type FileQuestion } from './FileDialog.tsx';
import { FolderLevel } from './FolderLevel.tsx';
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

import { ActionIcon, Button, FileButton, Loader, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { namespaceFiles } from '@millrace/contract';
import { IconDownload, IconFilePlus, IconFolderPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/download.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { FileDialog, type FileQuestion } from './FileDialog.tsx';
import { fileSearchQuery } from './fileQueries.ts';
import styles from './NamespaceFiles.module.css';
import tree from './tree/FileTree.module.css';
import { FileTree } from './tree/FileTree.tsx';
import { useFileActions } from './tree/useFileActions.tsx';
import type { OpenFiles } from './useOpenFiles.ts';

/** The files of a namespace with a search, and the buttons that add files. */
export function FileExplorer({ files }: { files: OpenFiles }) {
  const { namespace, active, open: onOpen } = files;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const [question, ask] = useState<FileQuestion>();
  const { data: found } = useQuery({ ...fileSearchQuery(namespace, q), enabled: q !== '' });
  const actions = useFileActions(files);
  const upload = (chosen: File[]) =>
    void actions.upload(
      chosen.map((file) => ({ path: file.name, file })),
      '/',
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
        <FileTree namespace={namespace} active={active} actions={actions} onOpen={onOpen} onAsk={ask} />
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
      {actions.progress && (
        <div className={tree.progress} role="status">
          <Loader size={14} />
          <span>{t('file.progress', { done: actions.progress.done, total: actions.progress.total })}</span>
          <Button size="compact-xs" variant="default" onClick={actions.stop}>
            {t('file.stop')}
          </Button>
        </div>
      )}
      {actions.dialog}
      {question && (
        <FileDialog
          namespace={namespace}
          question={question}
          onClose={() => ask(undefined)}
          onOpen={onOpen}
          onMove={(paths, folder) => void actions.move(paths, folder)}
          onDelete={(paths) => void actions.remove(paths)}
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

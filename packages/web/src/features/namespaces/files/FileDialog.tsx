import { Select, TextInput } from '@mantine/core';
import { namespaceFiles } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import {
  fileSearchQuery,
  folderQuery,
  joinPath,
  listedFolders,
  nameOf,
  parentOf,
  useFileAction,
  writeFile,
} from './fileQueries.ts';
import { moveProblem } from './tree/fileBatch.ts';
import type { FileRow, FileType } from './tree/fileRows.ts';

export type FileQuestion =
  | { kind: 'create'; type: FileType; folder: string }
  | { kind: 'move'; paths: readonly string[] }
  | { kind: 'delete'; rows: readonly Pick<FileRow, 'path' | 'type'>[] };

interface FileDialogProps {
  namespace: string;
  question: FileQuestion;
  onClose: () => void;
  onOpen: (path: string) => void;
  onMove: (paths: readonly string[], folder: string) => void;
  onDelete: (paths: readonly string[]) => void;
}

/** Asks for the name of a new file or folder, for the folder to move to, or whether to delete. */
export function FileDialog({ question, ...props }: FileDialogProps) {
  if (question.kind === 'create') return <CreateDialog {...props} {...question} />;
  if (question.kind === 'move') return <MoveDialog {...props} {...question} />;
  return <DeleteDialog {...props} {...question} />;
}

type DialogProps = Omit<FileDialogProps, 'question'>;

function CreateDialog(props: DialogProps & { type: FileType; folder: string }) {
  const { namespace, type, folder, onClose, onOpen } = props;
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const { data: siblings = [] } = useQuery(folderQuery(namespace, folder));
  const action = useFileAction(namespace);
  const path = joinPath(folder, name.trim());
  const isTaken = siblings.some(({ fileName }) => fileName === name.trim());
  const args = { params: { namespace }, query: { path }, failures: 'handled' } as const;
  const act = (): Promise<unknown> =>
    type === 'File'
      ? writeFile(namespace, path, new Blob(['']), 'handled', 'new')
      : call(namespaceFiles.createNamespaceFolder, args);
  const done = () => {
    onClose();
    if (type === 'File') onOpen(path);
  };
  return (
    <ActionDialog
      title={t(`file.create${type}`)}
      confirm={t('action.save')}
      canConfirm={name.trim() !== '' && !isTaken}
      isPending={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate(act, { onSuccess: done })}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('file.name')}
        description={folder === '/' ? undefined : t('file.inFolder', { folder })}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isTaken && t('file.taken')}
      />
    </ActionDialog>
  );
}

function MoveDialog({ namespace, paths, onClose, onMove }: DialogProps & { paths: readonly string[] }) {
  const { t } = useTranslation();
  const { data: all = [] } = useQuery(fileSearchQuery(namespace, '/'));
  const [folder, setFolder] = useState<string | null>(null);
  const client = useQueryClient();
  const folders = [...new Set(['/', ...all.flatMap(foldersAbove), ...listedFolders(client, namespace)])]
    .filter((one) => paths.every((path) => moveProblem(path, one) !== 'inside'))
    .sort();
  const [only] = paths;
  const title =
    paths.length === 1
      ? t('file.moveOne', { name: nameOf(only ?? '') })
      : t('file.moveSeveral', { total: paths.length });
  return (
    <ActionDialog
      title={title}
      confirm={t('file.move')}
      canConfirm={folder !== null}
      isPending={false}
      onConfirm={() => {
        onClose();
        onMove(paths, folder ?? '/');
      }}
      onClose={onClose}
    >
      <Select
        data-autofocus
        searchable
        label={t('file.folder')}
        data={folders}
        value={folder}
        onChange={setFolder}
        nothingFoundMessage={t('filter.nothing')}
      />
    </ActionDialog>
  );
}

function DeleteDialog(props: DialogProps & { rows: readonly Pick<FileRow, 'path' | 'type'>[] }) {
  const { rows, onClose, onDelete } = props;
  const { t } = useTranslation();
  const [only] = rows;
  const isOne = rows.length === 1 && only !== undefined;
  return (
    <ActionDialog
      title={
        isOne
          ? t(`file.delete${only.type}`, { name: nameOf(only.path) })
          : t('file.deleteSeveral', { total: rows.length })
      }
      confirm={t('action.delete')}
      dangerous
      isPending={false}
      onConfirm={() => {
        onClose();
        onDelete(rows.map(({ path }) => path));
      }}
      onClose={onClose}
    >
      <p className={styles.text}>
        {t(
          isOne && only.type === 'File'
            ? 'file.deleteFileText'
            : isOne
              ? 'file.deleteDirectoryText'
              : 'file.deleteSeveralText',
        )}
      </p>
    </ActionDialog>
  );
}

/** The folders that a file is in, outermost first. */
function foldersAbove(path: string): string[] {
  const folder = parentOf(path);
  return folder === '/' ? [] : [...foldersAbove(folder), folder];
}

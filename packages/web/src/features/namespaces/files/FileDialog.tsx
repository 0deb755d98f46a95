import { TextInput } from '@mantine/core';
import { namespaceFiles } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { folderQuery, joinPath, nameOf, parentOf, useFileAction, writeFile } from './fileQueries.ts';

type FileType = 'File' | 'Directory';
export type FileQuestion =
  | { kind: 'create'; type: FileType; folder: string }
  | { kind: 'rename'; type: FileType; path: string }
  | { kind: 'delete'; type: FileType; path: string };

interface FileDialogProps {
  namespace: string;
  question: FileQuestion;
  onClose: () => void;
  onOpen: (path: string) => void;
  onGone: (path: string) => void;
}

/** Asks for the name of a new file or folder, for another name, or whether to delete. */
export function FileDialog({ namespace, question, onClose, onOpen, onGone }: FileDialogProps) {
  const { t } = useTranslation();
  const isDelete = question.kind === 'delete';
  const folder = question.kind === 'create' ? question.folder : parentOf(question.path);
  const [name, setName] = useState(question.kind === 'rename' ? nameOf(question.path) : '');
  const { data: siblings = [] } = useQuery(folderQuery(namespace, folder));
  const action = useFileAction(namespace);
  const path = joinPath(folder, name.trim());
  const isTaken =
    siblings.some(({ fileName }) => fileName === name.trim()) &&
    !(question.kind === 'rename' && path === question.path);
  const params = { namespace };
  const failures = 'handled' as const;
  const act = (): Promise<unknown> => {
    if (question.kind === 'delete') {
      return call(namespaceFiles.deleteNamespaceFile, { params, query: { path: question.path }, failures });
    }
    if (question.kind === 'rename') {
      const query = { from: question.path, to: path };
      return call(namespaceFiles.moveNamespaceFile, { params, query, failures });
    }
    return question.type === 'File'
      ? writeFile(namespace, path, new Blob(['']))
      : call(namespaceFiles.createNamespaceFolder, { params, query: { path }, failures });
  };
  const done = () => {
    onClose();
    if (question.kind !== 'create') onGone(question.path);
    if (question.kind !== 'delete' && question.type === 'File') onOpen(path);
  };
  const what = `${question.kind}${question.type}` as const;
  return (
    <ActionDialog
      title={t(`file.${what}`, { name: question.kind === 'create' ? '' : nameOf(question.path) })}
      confirm={t(isDelete ? 'action.delete' : 'action.save')}
      dangerous={isDelete}
      canConfirm={isDelete || (name.trim() !== '' && !isTaken)}
      isPending={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate(act, { onSuccess: done })}
      onClose={onClose}
    >
      {isDelete ? (
        <p className={styles.text}>
          {t(question.type === 'File' ? 'file.deleteFileText' : 'file.deleteDirectoryText')}
        </p>
      ) : (
        <TextInput
          data-autofocus
          label={t('file.name')}
          description={folder === '/' ? undefined : t('file.inFolder', { folder })}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isTaken && t('file.taken')}
        />
      )}
    </ActionDialog>
  );
}

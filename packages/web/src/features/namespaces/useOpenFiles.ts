import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess } from '../../shell/toasts.ts';
import { confirm } from '../../ui/index.ts';
import { type EditorTab, fileTab } from './editorTab.ts';
import { fileQuery, nameOf, useFileAction, writeFile } from './fileQueries.ts';

interface Place {
  /** The file on top. */
  readonly active: string | undefined;
  onShow(path: string | undefined): void;
}

/** The files of a namespace that are open in an editor, with what was typed in them and is not saved. */
export interface OpenFiles extends Place {
  readonly namespace: string;
  readonly tabs: readonly EditorTab[];
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  open(path: string): void;
  /** Asks first when something would be lost. */
  close(path: string): Promise<void>;
  /** A file or a folder is deleted or has another name. */
  forget(path: string): void;
  draftOf(path: string): string | undefined;
  draft(path: string, text: string | undefined): void;
  /** Forgets everything that is not saved. */
  reset(): void;
  /** Saves what was typed, one file after the other. False when one could not be saved: it stays as it is. */
  save(paths?: readonly string[]): Promise<boolean>;
}

export function useOpenFiles(namespace: string, { active, onShow }: Place): OpenFiles {
  const { t } = useTranslation();
  const client = useQueryClient();
  const saving = useFileAction(namespace);
  const [opened, setOpened] = useState<readonly string[]>(() => (active ? [active] : []));
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  // Back and forward may lead to a file whose tab was closed.
  const paths = active && !opened.includes(active) ? [...opened, active] : opened;

  const remove = (gone: (path: string) => boolean) => {
    const left = opened.filter((path) => !gone(path));
    setOpened(left);
    setDrafts((old) => Object.fromEntries(Object.entries(old).filter(([path]) => !gone(path))));
    if (active && gone(active)) onShow(left.at(-1));
  };
  const draft = (path: string, text: string | undefined) =>
    setDrafts(({ [path]: _, ...rest }) => (text === undefined ? rest : { ...rest, [path]: text }));
  return {
    namespace,
    active,
    onShow,
    tabs: paths.map((path) => fileTab(path, drafts[path] !== undefined)),
    isDirty: Object.keys(drafts).length > 0,
    isSaving: saving.isPending,
    open: (path) => {
      setOpened((old) => (old.includes(path) ? old : [...old, path]));
      onShow(path);
    },
    close: async (path) => {
      const mayGo =
        drafts[path] === undefined ||
        (await confirm({
          title: t('file.closeUnsaved', { name: nameOf(path) }),
          body: t('file.closeUnsavedText'),
          confirm: t('file.closeAnyway'),
          cancel: t('action.cancel'),
          dangerous: true,
        }));
      if (mayGo) remove((one) => one === path);
    },
    forget: (path) => remove((one) => one === path || one.startsWith(`${path}/`)),
    draftOf: (path) => drafts[path],
    draft,
    reset: () => setDrafts({}),
    save: async (wanted = Object.keys(drafts)) => {
      for (const path of wanted) {
        const text = drafts[path];
        if (text === undefined) continue;
        try {
          await saving.mutateAsync(() => writeFile(namespace, path, new Blob([text]), 'handled'));
        } catch (error) {
          showError(error as Error); // What `call` rejects with.
          return false;
        }
        client.setQueryData(fileQuery(namespace, path).queryKey, { text });
        showSuccess(t('file.saved', { name: nameOf(path) }));
        // Somebody may have typed on meanwhile.
        setDrafts(({ [path]: latest, ...rest }) =>
          latest === undefined || latest === text ? rest : { ...rest, [path]: latest },
        );
      }
      return true;
    },
  };
}

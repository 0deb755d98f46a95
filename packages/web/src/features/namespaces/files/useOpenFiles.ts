import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError, showSuccess } from '../../../shell/toasts.ts';
import { randomName } from '../../../storage/uid.ts';
import { confirm } from '../../../ui/index.ts';
import {
  dropFileDraft,
  type FileDraft,
  fileDraftKey,
  findFileDraft,
  listDraftPaths,
  type StoredFileDraft,
  writeFileDraft,
} from './fileDraft.ts';
import { fileQuery, nameOf, useFileAction, writeFile } from './fileQueries.ts';

const pauseMs = 400;

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
  /** Files or folders are deleted. */
  forget(paths: readonly string[]): void;
  /** Files or folders have other paths; their tabs and unsaved texts go along. */
  follow(moves: readonly { readonly from: string; readonly to: string }[]): void;
  draftOf(path: string): FileDraft | undefined;
  /** The draft that an earlier visit left behind, until it is saved or discarded. */
  restoredOf(path: string): FileDraft | undefined;
  /** Keeps what was typed into a file whose saved text is `base`; without a text, nothing of it is kept. */
  draft(path: string, text: string | undefined, base: string): void;
  /** Keeps what is not saved in the browser only. */
  leave(): void;
  /** Saves what was typed, one file after the other. False when one could not be saved: it stays as it is. */
  save(paths?: readonly string[]): Promise<boolean>;
}

interface Options extends Place {
  /** Opens every file that an earlier visit left unsaved, and not only those that are asked for. */
  readonly opensDrafts?: boolean;
}

type Drafts = Readonly<Record<string, FileDraft>>;
type StoredDrafts = Readonly<Record<string, StoredFileDraft>>;

export function useOpenFiles(namespace: string, { active, onShow, opensDrafts = false }: Options): OpenFiles {
  const { t } = useTranslation();
  const client = useQueryClient();
  const saving = useFileAction(namespace);
  const [editor] = useState(randomName);
  const keyOf = (path: string) => fileDraftKey(namespace, editor, path);
  const [opened, setOpened] = useState<readonly string[]>(() => {
    const left = opensDrafts ? listDraftPaths(namespace) : [];
    return active && !left.includes(active) ? [active, ...left] : left;
  });
  const [restored, setRestored] = useState<StoredDrafts>(() => findDrafts(namespace, opened));
  const [drafts, setDrafts] = useState<Drafts>(restored);
  useKeepDrafts(drafts, restored, keyOf);
  // Back and forward may lead to a file whose tab was closed.
  const paths = active && !opened.includes(active) ? [...opened, active] : opened;

  const drop = (path: string) => {
    dropFileDraft(keyOf(path));
    setDrafts(({ [path]: _, ...rest }) => rest);
    setRestored(({ [path]: _, ...rest }) => rest);
  };
  const remove = (gone: (path: string) => boolean) => {
    const left = opened.filter((path) => !gone(path));
    setOpened(left);
    for (const path of Object.keys(drafts)) if (gone(path)) drop(path);
    if (active && gone(active)) onShow(left.at(-1));
  };
  return {
    namespace,
    active,
    onShow,
    tabs: paths.map((path) => fileTab(path, drafts[path] !== undefined)),
    isDirty: Object.keys(drafts).length > 0,
    isSaving: saving.isPending,
    open: (path) => {
      if (!opened.includes(path)) {
        setOpened([...opened, path]);
        const found = findDrafts(namespace, [path]);
        setRestored((old) => ({ ...old, ...found }));
        setDrafts((old) => ({ ...found, ...old }));
      }
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
    forget: (gone) => remove((one) => gone.some((path) => one === path || one.startsWith(`${path}/`))),
    follow: (moves) => {
      const newPath = (path: string) => {
        const move = moves.find(({ from }) => path === from || path.startsWith(`${from}/`));
        return move ? move.to + path.slice(move.from.length) : path;
      };
      setOpened((paths) => [...new Set(paths.map(newPath))]);
      const renamed = <T>(texts: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(texts).map(([path, text]) => [newPath(path), text]));
      for (const path of Object.keys(drafts)) if (newPath(path) !== path) dropFileDraft(keyOf(path));
      setDrafts(renamed);
      setRestored(renamed);
      if (active && newPath(active) !== active) onShow(newPath(active));
    },
    draftOf: (path) => drafts[path],
    restoredOf: (path) => (drafts[path] ? restored[path] : undefined),
    draft: (path, text, base) => {
      if (text === undefined) return drop(path);
      const at = new Date().toISOString();
      setDrafts((old) => ({ ...old, [path]: { text, base: old[path]?.base ?? base, at } }));
    },
    leave: () => {
      keepDrafts(drafts, keyOf);
      setDrafts({});
    },
    save: async (wanted = Object.keys(drafts)) => {
      for (const path of wanted) {
        const text = drafts[path]?.text;
        if (text === undefined) continue;
        try {
          await saving.mutateAsync(() => writeFile(namespace, path, new Blob([text]), 'handled'));
        } catch (error) {
          showError(error as Error); // What `call` rejects with.
          return false;
        }
        client.setQueryData(fileQuery(namespace, path).queryKey, { text });
        showSuccess(t('file.saved', { name: nameOf(path) }));
        dropFileDraft(keyOf(path));
        setRestored(({ [path]: _, ...rest }) => rest);
        // The user may have typed on meanwhile.
        setDrafts(({ [path]: latest, ...rest }) =>
          latest === undefined || latest.text === text
            ? rest
            : { ...rest, [path]: { ...latest, base: text } },
        );
      }
      return true;
    },
  };
}

const findDrafts = (namespace: string, paths: readonly string[]): StoredDrafts =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const draft = findFileDraft(namespace, path);
      return draft ? [[path, draft]] : [];
    }),
  );

type KeyOf = (path: string) => StoredFileDraft['key'];

function keepDrafts(drafts: Drafts, keyOf: KeyOf): void {
  for (const [path, draft] of Object.entries(drafts)) writeFileDraft(keyOf(path), draft);
}

/** Keeps the drafts under the keys of this editor a moment after each change and when the page is left. */
function useKeepDrafts(drafts: Drafts, restored: StoredDrafts, keyOf: KeyOf): void {
  const keep = useEffectEvent(() => keepDrafts(drafts, keyOf));
  const takeOver = useEffectEvent(() => {
    keep();
    for (const [path, { key }] of Object.entries(restored)) if (key !== keyOf(path)) dropFileDraft(key);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a restored draft is the reason to take it over.
  useEffect(() => takeOver(), [restored]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the drafts is the reason to keep them.
  useEffect(() => {
    const timer = setTimeout(() => keep(), pauseMs);
    return () => clearTimeout(timer);
  }, [drafts]);
  // Another tab took a draft over or discarded it, but this editor still holds the text.
  const keepAgain = useEffectEvent(({ key, newValue }: StorageEvent) => {
    const path = Object.keys(drafts).find((one) => keyOf(one) === key);
    if (newValue === null && path !== undefined) keep();
  });
  useEffect(() => {
    const leave = () => keep();
    const follow = (event: StorageEvent) => keepAgain(event);
    window.addEventListener('pagehide', leave);
    window.addEventListener('storage', follow);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('storage', follow);
      leave();
    };
  }, []);
}

/** One thing that is open in an editor: the flow itself, or a file of its namespace. */
export interface EditorTab {
  readonly name: string;
  readonly path: string;
  readonly extension: string;
  /** It has no button to close it. */
  readonly persistent: boolean;
  /** Something in it is not saved. */
  readonly dirty: boolean;
  readonly flow: boolean;
}

export function fileTab(path: string, dirty: boolean): EditorTab {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  return { name, path, extension, persistent: false, dirty, flow: false };
}

/** The flow stands first among its files and cannot be closed. No file has an empty path. */
export const flowTab = (name: string, dirty: boolean): EditorTab => ({
  name,
  path: '',
  extension: 'yaml',
  persistent: true,
  dirty,
  flow: true,
});

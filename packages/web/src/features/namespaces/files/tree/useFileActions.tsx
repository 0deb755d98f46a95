import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/useTranslation.ts';
import { showError, showSuccess, showWarning } from '../../../../shell/toasts.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import form from '../../../../ui/dialog/DialogForm.module.css';
import { folderQuery, joinPath, nameOf, parentOf, readTextsAgain, useFileAction } from '../fileQueries.ts';
import type { OpenFiles } from '../useOpenFiles.ts';
import styles from './FileTree.module.css';
import {
  type ConflictChoice,
  copyStep,
  deleteStep,
  type FileStep,
  freeFileName,
  moveProblem,
  moveStep,
  type Outcome,
  runSteps,
  targetsIn,
  type UploadEntry,
  uploadStep,
} from './fileBatch.ts';

interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface FileActions {
  readonly progress: Progress | undefined;
  stop(): void;
  /** Resolves to the new paths. */
  move(paths: readonly string[], folder: string): Promise<readonly string[]>;
  rename(path: string, name: string): Promise<boolean>;
  duplicate(paths: readonly string[]): Promise<readonly string[]>;
  remove(paths: readonly string[]): Promise<void>;
  upload(entries: readonly UploadEntry[], folder: string): Promise<void>;
  readonly dialog: ReactNode;
}

type Verb = 'moved' | 'deleted' | 'copied' | 'uploaded';
const mostNamed = 3;

interface Asked {
  readonly names: readonly string[];
  answer(choice: ConflictChoice | undefined): void;
}

/** Everything that is done to one or several files, with the question about names that are taken and a truthful result. */
export function useFileActions(files: Pick<OpenFiles, 'namespace' | 'forget' | 'follow'>): FileActions {
  const { namespace } = files;
  const { t } = useTranslation();
  const client = useQueryClient();
  // A file that is open under its old path is not read again: it is gone, and its tab follows in a moment.
  const action = useFileAction(namespace, ['folder', 'search']);
  const [progress, setProgress] = useState<Progress>();
  const [asked, setAsked] = useState<Asked>();
  const isStopped = useRef(false);

  const namesIn = async (folder: string): Promise<ReadonlySet<string>> => {
    try {
      const entries = await client.fetchQuery({ ...folderQuery(namespace, folder), staleTime: 0 });
      return new Set(entries.map(({ fileName }) => fileName));
    } catch {
      // A folder that does not exist yet has no names.
      return new Set();
    }
  };
  const run = async (steps: readonly FileStep[], verb: Verb): Promise<Outcome> => {
    isStopped.current = false;
    let outcome: Outcome = { done: [], failed: [], isStopped: false };
    if (steps.length === 0) return outcome;
    await action.mutateAsync(async () => {
      outcome = await runSteps(
        steps,
        (done) => setProgress({ done, total: steps.length }),
        () => isStopped.current,
      );
    });
    setProgress(undefined);
    const { done, failed } = outcome;
    if (failed.length > 0) {
      const named = failed.slice(0, mostNamed).map(({ path, message }) => `${nameOf(path)}: ${message}`);
      if (failed.length > mostNamed) named.push(t('file.moreNames', { total: failed.length - mostNamed }));
      showWarning(named.join('\n'), t('file.partly', { done: done.length, total: steps.length }));
    } else if (outcome.isStopped) showWarning(t('file.stopped', { done: done.length, total: steps.length }));
    else showSuccess(t(`file.${verb}`, { count: done.length }));
    return outcome;
  };
  const ask = (names: readonly string[]): Promise<ConflictChoice | undefined> =>
    new Promise((resolve) => {
      setAsked({
        names,
        answer: (choice) => {
          setAsked(undefined);
          resolve(choice);
        },
      });
    });
  /** The targets of paths in a folder, as the user wants names that are taken to be treated. */
  const targetsFor = async (paths: readonly string[], folder: string) => {
    const taken = await namesIn(folder);
    const twice = paths.map(nameOf).filter((name, at, all) => taken.has(name) || all.indexOf(name) !== at);
    const choice = twice.length > 0 ? await ask([...new Set(twice)]) : 'replace';
    if (choice === undefined) return undefined;
    return targetsIn(folder, paths, taken, choice);
  };
  const follow = ({ done }: Outcome): string[] => {
    files.follow(done.flatMap(({ path, to }) => (to === undefined ? [] : [{ from: path, to }])));
    return done.flatMap(({ to }) => to ?? []);
  };

  return {
    progress,
    stop: () => {
      isStopped.current = true;
    },
    move: async (paths, folder) => {
      const inside = paths.find((path) => moveProblem(path, folder) === 'inside');
      if (inside !== undefined) {
        showWarning(t('file.intoItself', { name: nameOf(inside) }));
        return [];
      }
      const moving = paths.filter((path) => moveProblem(path, folder) === undefined);
      const targets = await targetsFor(moving, folder);
      if (!targets) return [];
      return follow(
        await run(
          targets.map(({ path, to }) => moveStep(namespace, path, to)),
          'moved',
        ),
      );
    },
    rename: async (path, name) => {
      const to = joinPath(parentOf(path), name);
      if (to === path) return true;
      try {
        await action.mutateAsync(() => moveStep(namespace, path, to).act());
        files.follow([{ from: path, to }]);
        return true;
      } catch (error) {
        showError(error as Error); // What `call` rejects with.
        return false;
      }
    },
    duplicate: async (paths) => {
      const steps: FileStep[] = [];
      const taken = new Map<string, Set<string>>();
      for (const path of paths) {
        const folder = parentOf(path);
        const names = taken.get(folder) ?? new Set(await namesIn(folder));
        const name = freeFileName(nameOf(path), names);
        taken.set(folder, names.add(name));
        steps.push(copyStep(namespace, path, joinPath(folder, name)));
      }
      return (await run(steps, 'copied')).done.flatMap(({ to }) => to ?? []);
    },
    remove: async (paths) => {
      const { done } = await run(
        paths.map((path) => deleteStep(namespace, path)),
        'deleted',
      );
      files.forget(done.map(({ path }) => path));
    },
    upload: async (entries, folder) => {
      // A folder that is there already takes the new files; only files that would be replaced are asked about.
      const roots = [...new Set(entries.map(({ path }) => path.split('/')[0] ?? ''))];
      const targets = await targetsFor(
        roots.map((root) => `/${root}`),
        folder,
      );
      if (!targets) return;
      const newRoot = new Map(targets.map(({ path, to }) => [path.slice(1), to]));
      const steps = entries.flatMap((entry) => {
        const root = entry.path.split('/')[0] ?? '';
        const to = newRoot.get(root);
        return to === undefined ? [] : [uploadStep(namespace, entry, to + entry.path.slice(root.length))];
      });
      await run(steps, 'uploaded');
      await readTextsAgain(client, namespace);
    },
    dialog: asked && <ConflictDialog names={asked.names} onChoose={asked.answer} />,
  };
}

interface ConflictDialogProps {
  names: readonly string[];
  onChoose: (choice: ConflictChoice | undefined) => void;
}

const mostShown = 8;

/** Asks what happens to files whose names are taken in the folder they go to. */
function ConflictDialog({ names, onChoose }: ConflictDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog onClose={() => onChoose(undefined)} title={t('file.conflict')}>
      <div className={form.form}>
        <p className={form.text}>{t('file.conflictText')}</p>
        <ul className={styles.names}>
          {names.slice(0, mostShown).map((name) => (
            <li key={name}>{name}</li>
          ))}
          {names.length > mostShown && <li>{t('file.moreNames', { total: names.length - mostShown })}</li>}
        </ul>
        <div className={form.foot}>
          <Button variant="default" onClick={() => onChoose(undefined)}>
            {t('action.cancel')}
          </Button>
          <Button variant="default" onClick={() => onChoose('skip')}>
            {t('file.skip')}
          </Button>
          <Button variant="default" onClick={() => onChoose('keepBoth')} data-autofocus>
            {t('file.keepBoth')}
          </Button>
          <Button color="red" onClick={() => onChoose('replace')}>
            {t('file.replace')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

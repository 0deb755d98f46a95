import { CloseButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, SplitPane } from '../../../ui/index.ts';
import { FileEditor } from './FileEditor.tsx';
import { FileExplorer } from './FileExplorer.tsx';
import styles from './NamespaceFiles.module.css';
import type { EditorTab, OpenFiles } from './useOpenFiles.ts';

interface FilesViewProps {
  /** The name under which the place of the divider is remembered. */
  name: string;
  files: OpenFiles;
  /** The flow that the files stand beside: its tab comes first, and it shows while no file is on top. */
  flow?: { readonly tab: EditorTab; readonly content: ReactNode } | undefined;
  /** In a panel the tree has all of the room until a file is open. */
  isPanel?: boolean;
  /** Where everything that is open is saved at once. */
  onSave?: (() => void) | undefined;
}

/** An explorer beside the files that are open. It takes between a fifth and two fifths of the width. */
export function FilesView({ name, files, flow, isPanel = false, onSave }: FilesViewProps) {
  const { t } = useTranslation();
  const { namespace, active } = files;
  const saveOne = useCallback(() => void (active && files.save([active])), [active, files]);
  const isNarrow = useMediaQuery('(max-width: 767px)') ?? false;
  const explorer = <FileExplorer files={files} />;
  const isAlone = !active && !flow && (isPanel || isNarrow);
  return (
    <SplitPane
      name={name}
      isAlone={isAlone}
      defaultPercent={isPanel ? 40 : 25}
      minPercent={20}
      maxPercent={isPanel ? 70 : 40}
      start={explorer}
      end={
        <div className={styles.files}>
          <FileTabs
            tabs={flow ? [flow.tab, ...files.tabs] : files.tabs}
            active={active ?? flow?.tab.path}
            onShow={(path) => files.onShow(path === flow?.tab.path ? undefined : path)}
            onClose={(path) => void files.close(path)}
          />
          {active && (
            <FileEditor
              key={active}
              namespace={namespace}
              path={active}
              draft={files.draftOf(active)?.text}
              restored={files.restoredOf(active)}
              onDraft={(text, base) => files.draft(active, text, base)}
              isSaving={files.isSaving}
              onSave={onSave ?? saveOne}
              hasButton={onSave === undefined}
            />
          )}
          {/* The flow keeps its editor, with the cursor and what can be undone, while a file is on top. */}
          {flow && (
            <div className={styles.flow} hidden={active !== undefined}>
              {flow.content}
            </div>
          )}
          {!active && !flow && (
            <EmptyState illustration="dryRace" title={t('file.choose')} text={t('file.chooseText')} />
          )}
        </div>
      }
    />
  );
}

interface FileTabsProps {
  tabs: readonly EditorTab[];
  active: string | undefined;
  onShow: (path: string) => void;
  onClose: (path: string) => void;
}

function FileTabs({ tabs, active, onShow, onClose }: FileTabsProps) {
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

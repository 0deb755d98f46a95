import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { EmptyState, SplitPane } from '../../../ui/index.ts';
import { FileEditor } from './FileEditor.tsx';
import { FileExplorer } from './FileExplorer.tsx';
import { FileTabs } from './FileTabs.tsx';
import styles from './NamespaceFiles.module.css';

/** The files of a namespace: an explorer beside the files that are open. The file on top is in the address. */
export function NamespaceFiles({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const { file: active } = useSearch({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const navigate = useNavigate({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const [opened, setOpened] = useState<readonly string[]>(() => (active ? [active] : []));
  /** What was typed and is not saved, by path. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const isDirty = (path: string) => drafts[path] !== undefined;
  useUnsavedGuard(
    () => Object.keys(drafts).length > 0,
    () => setDrafts({}),
  );

  const show = (path: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, file: path }), params: true, to: '.' });
  const open = (path: string) => {
    setOpened((old) => (old.includes(path) ? old : [...old, path]));
    show(path);
  };
  const close = (gone: (path: string) => boolean) => {
    const left = opened.filter((path) => !gone(path));
    setOpened(left);
    setDrafts((old) => Object.fromEntries(Object.entries(old).filter(([path]) => !gone(path))));
    if (active && gone(active)) show(left.at(-1));
  };
  const draft = (path: string, text: string | undefined) =>
    setDrafts(({ [path]: _, ...rest }) => (text === undefined ? rest : { ...rest, [path]: text }));
  // Back and forward may lead to a file whose tab was closed.
  const tabs = active && !opened.includes(active) ? [...opened, active] : opened;

  return (
    <SplitPane
      name="namespace-files"
      defaultPercent={25}
      minPercent={20}
      maxPercent={40}
      start={
        <FileExplorer
          namespace={namespace}
          active={active}
          onOpen={open}
          onGone={(path) => close((one) => one === path || one.startsWith(`${path}/`))}
        />
      }
      end={
        <div className={styles.files}>
          <FileTabs
            paths={tabs}
            active={active}
            isDirty={isDirty}
            onShow={show}
            onClose={(path) => close((one) => one === path)}
          />
          {active ? (
            <FileEditor
              key={active}
              namespace={namespace}
              path={active}
              draft={drafts[active]}
              onDraft={(text) => draft(active, text)}
            />
          ) : (
            <EmptyState illustration="dryRace" title={t('file.choose')} text={t('file.chooseText')} />
          )}
        </div>
      }
    />
  );
}

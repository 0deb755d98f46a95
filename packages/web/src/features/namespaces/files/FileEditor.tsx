import { Button } from '@mantine/core';
import { namespaceFiles } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/download.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CodeEditor } from '../../../ui/code/index.ts';
import { DraftNote } from '../../../ui/DraftNote.tsx';
import { BrokenFile } from '../../../ui/ErrorBoundary.tsx';
import { EmptyState, Loading } from '../../../ui/index.ts';
import type { FileDraft } from './fileDraft.ts';
import { fileQuery, nameOf } from './fileQueries.ts';
import styles from './NamespaceFiles.module.css';

interface FileEditorProps {
  namespace: string;
  path: string;
  /** What was typed and is not saved. */
  draft: string | undefined;
  /** The draft of an earlier visit that the text began with. */
  restored: FileDraft | undefined;
  onDraft: (text: string | undefined, base: string) => void;
  isSaving: boolean;
  onSave: () => void;
  /** False where another button of the page saves the file. */
  hasButton: boolean;
}

export function FileEditor(props: FileEditorProps) {
  const { namespace, path, draft, restored, onDraft, isSaving, onSave, hasButton } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(fileQuery(namespace, path));
  const isSaved = restored !== undefined && draft === restored.text && draft === data?.text;
  const dropSaved = useEffectEvent(() => onDraft(undefined, ''));
  useEffect(() => {
    // Another tab has saved the same text.
    if (isSaved) dropSaved();
  }, [isSaved]);
  if (!data) return error ? <BrokenFile error={error} onRetry={() => void refetch()} /> : <Loading />;
  const href = urlOf(namespaceFiles.readNamespaceFile, { params: { namespace }, query: { path } });
  if (data.text === undefined) {
    return (
      <EmptyState
        illustration="closedGate"
        title={t('file.binary')}
        text={t('file.binaryText')}
        action={
          <Button component="a" href={href} download={nameOf(path)} onClick={checkedDownload}>
            {t('file.download')}
          </Button>
        }
      />
    );
  }
  const saved = data.text;
  const text = draft ?? saved;
  return (
    <div className={styles.editor}>
      <div className={styles.bar}>
        <span>{path}</span>
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          href={href}
          download={nameOf(path)}
          onClick={checkedDownload}
        >
          {t('file.download')}
        </Button>
        {hasButton && (
          <Button size="compact-sm" disabled={draft === undefined} loading={isSaving} onClick={onSave}>
            {t('action.save')}
          </Button>
        )}
      </div>
      {restored && (
        <DraftNote
          text={t(restored.base === saved ? 'draft.restored' : 'file.restoredOutdated')}
          at={restored.at}
          onDiscard={() => onDraft(undefined, saved)}
        />
      )}
      <div className={styles.code}>
        <CodeEditor
          ariaLabel={path}
          language={languageOf(path)}
          value={text}
          onChange={(next) => onDraft(next === saved ? undefined : next, saved)}
          onSave={onSave}
        />
      </div>
    </div>
  );
}

const languages: Readonly<Record<string, string>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'csv',
  tsv: 'csv',
  py: 'python',
  sh: 'shell',
  bash: 'shell',
  sql: 'sql',
  md: 'markdown',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  r: 'r',
  html: 'html',
  xml: 'xml',
  ini: 'ini',
  toml: 'ini',
  properties: 'ini',
  dockerfile: 'dockerfile',
};

/** The editor's name for the language of a file, by its extension. */
export const languageOf = (path: string): string =>
  languages[path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1).toLowerCase()] ??
  'plaintext';

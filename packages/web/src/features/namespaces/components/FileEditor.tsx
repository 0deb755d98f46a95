import { Button } from '@mantine/core';
import { namespaceFiles } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/checkedDownload.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import { BrokenFile } from '../../../ui/BrokenFile.tsx';
import { CodeEditor } from '../../../ui/code/index.ts';
import { EmptyState, Loading } from '../../../ui/index.ts';
import { fileQuery, nameOf, useFileAction, writeFile } from '../fileQueries.ts';
import { languageOf } from '../languageOf.ts';
import styles from './NamespaceFiles.module.css';

interface FileEditorProps {
  namespace: string;
  path: string;
  /** What was typed and is not saved. */
  draft: string | undefined;
  onDraft: (text: string | undefined) => void;
}

export function FileEditor({ namespace, path, draft, onDraft }: FileEditorProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = fileQuery(namespace, path);
  const { data, error, refetch } = useQuery(query);
  const saving = useFileAction(namespace);
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
  const text = draft ?? data.text;
  const save = () => {
    if (draft === undefined || saving.isPending) return;
    saving.mutate(() => writeFile(namespace, path, new Blob([draft])), {
      onSuccess: () => {
        client.setQueryData(query.queryKey, { text: draft });
        onDraft(undefined);
        showSuccess(t('file.saved', { name: nameOf(path) }));
      },
    });
  };
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
        <Button size="compact-sm" disabled={draft === undefined} loading={saving.isPending} onClick={save}>
          {t('action.save')}
        </Button>
      </div>
      <div className={styles.code}>
        <CodeEditor
          ariaLabel={path}
          language={languageOf(path)}
          value={text}
          onChange={(next) => onDraft(next === data.text ? undefined : next)}
          onSave={save}
        />
      </div>
    </div>
  );
}

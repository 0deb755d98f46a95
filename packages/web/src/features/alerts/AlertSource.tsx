import { Button } from '@mantine/core';
import { alerts } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { CodeEditor } from '../../ui/code/index.ts';
import { BrokenPart, Loading } from '../../ui/index.ts';
import styles from './alerts.module.css';
import { alertSourceQuery } from './queries.ts';

/** All rules and channels as one YAML document, to edit, to copy to another instance, or to keep in Git. */
export function AlertSource() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(alertSourceQuery());
  if (data === undefined)
    return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  return <Editor key={dataUpdatedAt} saved={data} />;
}

function Editor({ saved }: { saved: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [source, setSource] = useState(saved);
  const checked = useDeferredValue(source);
  const isDirty = source !== saved;
  useUnsavedGuard(
    () => isDirty,
    () => setSource(saved),
  );
  const { data: validation } = useQuery({
    queryKey: ['alert-source-check', checked],
    queryFn: ({ signal }) => call(alerts.validateAlerts, { body: checked, signal, failures: 'handled' }),
    enabled: checked !== saved,
    gcTime: 10_000,
  });
  const issues = isDirty ? (validation?.issues ?? []) : [];
  const saving = useMutation({
    mutationFn: () => call(alerts.importAlerts, { body: source }),
    onSuccess: async (done) => {
      showSuccess(t('alerts.imported', done));
      await client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  const save = () => isDirty && !saving.isPending && saving.mutate();
  const [first] = issues;
  return (
    <div className={styles.source}>
      <div className={styles.sourceBar}>
        <p role="status" className={first ? styles.failing : styles.quiet}>
          {first
            ? `${first.range ? `${first.range.start.line}: ` : ''}${first.path === '' ? '' : `${first.path}: `}${first.message}`
            : t('alerts.yamlText')}
        </p>
        <Button disabled={!isDirty || issues.length > 0} loading={saving.isPending} onClick={save}>
          {t('action.save')}
        </Button>
      </div>
      <div className={styles.editor}>
        <CodeEditor
          ariaLabel={t('alerts.tab.yaml')}
          language="yaml"
          path="alerts.document.yaml"
          value={source}
          onChange={setSource}
          markers={issues}
          onSave={save}
        />
      </div>
    </div>
  );
}

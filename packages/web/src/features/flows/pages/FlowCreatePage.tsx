import { useHotkeys } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess, showWarning } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { Page } from '../../../ui/index.ts';
import { FlowEditor } from '../../editor/index.ts';
import styles from '../components/FlowEditTab.module.css';
import { SaveButton } from '../components/SaveButton.tsx';
import { useSaveFlow } from '../queries.ts';

const firstFlow = (namespace: string) => `id: hello_world
namespace: ${namespace}

tasks:
  - id: hello
    type: core.log.Log
    message: Hello World!
`;

export function FlowCreatePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { namespace = 'company.team' } = useSearch({ from: '/{-$tenant}/flows/new' });
  const [initial] = useState(() => firstFlow(namespace));
  const [source, setSource] = useState(initial);
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useSaveFlow();
  const isDone = useRef(false);

  useUnsavedGuard(
    () => source !== initial && !isDone.current,
    () => setSource(initial),
  );

  const trySave = () => {
    const error = issues.find((issue) => issue.severity === 'error');
    if (error) showWarning(error.message, t('flow.invalid'));
    if (error || save.isPending) return;
    save.mutate(source, {
      onSuccess: ({ namespace, id, revision }) => {
        isDone.current = true;
        showSuccess(t('flow.saved', { id, revision }));
        void navigate({
          to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
          params: { namespace, id, tab: 'edit' },
          search: {},
        });
      },
      onError: showError,
    });
  };
  useHotkeys([['mod+S', trySave]], []);

  return (
    <Page
      title={t('flow.new')}
      layout="fill"
      breadcrumb={[
        <Link key="flows" to="/{-$tenant}/flows" search={{}}>
          {t('nav.flows')}
        </Link>,
      ]}
      actions={<SaveButton issues={issues} isDirty isSaving={save.isPending} onSave={trySave} primary />}
    >
      <div className={styles.edit} id="editor">
        <FlowEditor
          source={source}
          onChange={setSource}
          onSave={trySave}
          onIssues={setIssues}
          height="100%"
        />
      </div>
    </Page>
  );
}

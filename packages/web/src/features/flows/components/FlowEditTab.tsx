import { useHotkeys } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { confirm } from '../../../ui/index.ts';
import { FlowEditor } from '../../editor/index.ts';
import { useOpenFiles } from '../../namespaces/index.ts';
import { isReadOnly } from '../isReadOnly.ts';
import { keepIdentity } from '../keepIdentity.ts';
import { flowQuery, useSaveFlow } from '../queries.ts';
import { refusesSource, showSaveFailure } from '../saveProblems.ts';
import styles from './FlowEditTab.module.css';
import type { FlowTabProps } from './FlowTab.tsx';
import { SaveButton } from './SaveButton.tsx';
import { useFlowText } from './useFlowText.ts';

const checkIdentityAfterMs = 500;
const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

export function FlowEditTab({ flow, actions, onExecute }: FlowTabProps) {
  const { t } = useTranslation();
  const text = useFlowText(flow);
  const { source, setSource, isDirty, revision } = text;
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useSaveFlow();
  const client = useQueryClient();
  const isLocked = isReadOnly(flow);
  const { file } = useSearch({ from });
  const navigate = useNavigate({ from });
  const files = useOpenFiles(flow.namespace, {
    active: file,
    onShow: (path) => void navigate({ to: '.', search: (old) => ({ ...old, file: path }) }),
  });

  useUnsavedGuard(
    () => isDirty || files.isDirty,
    () => {
      text.reset();
      files.reset();
    },
  );
  useEffect(() => {
    const timer = setTimeout(() => {
      const kept = keepIdentity(source, flow);
      if (kept === undefined) return;
      showWarning(t('flow.identity'), t('flow.identityTitle'));
      setSource(kept);
    }, checkIdentityAfterMs);
    return () => clearTimeout(timer);
  }, [source, setSource, flow, t]);

  /** Somebody else may have saved since this page read the flow. Where that cannot be known, saving says what is wrong. */
  const mayOverwrite = async () => {
    const newest = await client.fetchQuery({ ...flowQuery(flow), staleTime: 0 }).catch(() => flow);
    return (
      newest.revision <= revision ||
      (await confirm({
        title: t('flow.outdatedTitle'),
        body: t('flow.outdatedText', { latest: newest.revision, revision }),
        confirm: t('flow.overwrite'),
        cancel: t('action.cancel'),
        dangerous: true,
      }))
    );
  };
  const trySave = async () => {
    if (isLocked || save.isPending || files.isSaving) return;
    // A flow that cannot be saved keeps its files back: they belong together.
    if (isDirty && refusesSource(issues, t)) return;
    if (isDirty && !(await mayOverwrite())) return;
    if (!(await files.save()) || !isDirty) return;
    save.mutate(
      { source, key: flow },
      {
        onSuccess: (saved) => {
          text.takeSaved({ source, revision: saved.revision });
          showSuccess(t('flow.saved', { id: saved.id, revision: saved.revision }));
        },
        onError: (error) => showSaveFailure(error, t),
      },
    );
  };
  useHotkeys(
    [
      ['mod+S', () => void trySave()],
      ['mod+E', onExecute],
    ],
    [],
  );

  return (
    <div className={styles.edit}>
      {isLocked && (
        <div className={styles.note}>{t(flow.deleted ? 'flow.isDeleted' : 'flow.isReadOnly')}</div>
      )}
      {text.isOutdated && (
        <div className={styles.note} role="status">
          {t('flow.outdatedNote', { latest: flow.revision, revision })}{' '}
          <Link
            to={from}
            params={{ namespace: flow.namespace, id: flow.id, tab: 'revisions' }}
            search={{ revisionLeft: revision, revisionRight: flow.revision }}
            target="_blank"
          >
            {t('flow.compare')}
          </Link>
        </div>
      )}
      <FlowEditor
        source={source}
        onChange={setSource}
        readOnly={isLocked}
        isSaved
        onSave={() => void trySave()}
        onIssues={setIssues}
        files={isLocked ? undefined : files}
        isDirty={isDirty}
        height="100%"
      />
      {actions &&
        !isLocked &&
        createPortal(
          <SaveButton
            issues={isDirty || !files.isDirty ? issues : []}
            isDirty={isDirty || files.isDirty}
            isSaving={save.isPending || files.isSaving}
            onSave={() => void trySave()}
          />,
          actions,
        )}
    </div>
  );
}

import { useHotkeys } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { confirm } from '../../../ui/index.ts';
import { FlowEditor } from '../../editor/index.ts';
import { isReadOnly } from '../isReadOnly.ts';
import { keepIdentity } from '../keepIdentity.ts';
import { flowQuery, useSaveFlow } from '../queries.ts';
import { refusesSource, showSaveFailure } from '../saveProblems.ts';
import styles from './FlowEditTab.module.css';
import type { FlowTabProps } from './FlowTab.tsx';
import { SaveButton } from './SaveButton.tsx';
import { useFlowText } from './useFlowText.ts';

const checkIdentityAfterMs = 500;

export function FlowEditTab({ flow, actions, onExecute }: FlowTabProps) {
  const { t } = useTranslation();
  const text = useFlowText(flow);
  const { source, setSource, isDirty, revision } = text;
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useSaveFlow();
  const client = useQueryClient();
  const isLocked = isReadOnly(flow);

  useUnsavedGuard(() => isDirty, text.reset);
  useEffect(() => {
    const timer = setTimeout(() => {
      const kept = keepIdentity(source, flow);
      if (kept === undefined) return;
      showWarning(t('flow.identity'), t('flow.identityTitle'));
      setSource(kept);
    }, checkIdentityAfterMs);
    return () => clearTimeout(timer);
  }, [source, setSource, flow, t]);

  const trySave = async () => {
    if (refusesSource(issues, t) || !isDirty || isLocked || save.isPending) return;
    // Somebody else may have saved since this page read the flow. Where that cannot be known, saving says what is wrong.
    const newest = await client.fetchQuery({ ...flowQuery(flow), staleTime: 0 }).catch(() => flow);
    if (newest.revision > revision) {
      const agreed = await confirm({
        title: t('flow.outdatedTitle'),
        body: t('flow.outdatedText', { latest: newest.revision, revision }),
        confirm: t('flow.overwrite'),
        cancel: t('action.cancel'),
        dangerous: true,
      });
      if (!agreed) return;
    }
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
            to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
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
        height="100%"
      />
      {actions &&
        !isLocked &&
        createPortal(
          <SaveButton
            issues={issues}
            isDirty={isDirty}
            isSaving={save.isPending}
            onSave={() => void trySave()}
          />,
          actions,
        )}
    </div>
  );
}

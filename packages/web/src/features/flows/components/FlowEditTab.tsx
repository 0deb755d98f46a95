import { useHotkeys } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { DraftNote } from '../../../ui/DraftNote.tsx';
import { confirm } from '../../../ui/index.ts';
import { FlowEditor } from '../../editor/index.ts';
import { useOpenFiles } from '../../namespaces/index.ts';
import type { StoredDraft } from '../flowDraft.ts';
import { isReadOnly } from '../isReadOnly.ts';
import { keepIdentity } from '../keepIdentity.ts';
import { flowQuery } from '../queries.ts';
import { isConflict, refusesSource, showSaveFailure } from '../saveProblems.ts';
import { useReportUnsaved } from '../unsavedFlow.ts';
import { useFlowSave } from '../useFlowSave.ts';
import styles from './FlowEditTab.module.css';
import type { FlowTabProps } from './FlowTab.tsx';
import { SaveButton } from './SaveButton.tsx';
import { SaveNote } from './SaveNote.tsx';
import { useFlowText } from './useFlowText.ts';

const checkIdentityAfterMs = 500;
const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

export function FlowEditTab({ flow, actions, onExecute }: FlowTabProps) {
  const { t } = useTranslation();
  const text = useFlowText(flow);
  const { source, setSource, isDirty, revision } = text;
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useFlowSave();
  const client = useQueryClient();
  const isLocked = isReadOnly(flow);
  const { file } = useSearch({ from });
  const navigate = useNavigate({ from });
  const files = useOpenFiles(flow.namespace, {
    active: file,
    onShow: (path) => void navigate({ to: '.', search: (old) => ({ ...old, file: path }) }),
  });

  const isLeaving = useRef(false);
  useUnsavedGuard(
    () => (isDirty || files.isDirty) && !isLeaving.current,
    () => {
      isLeaving.current = true;
      text.keepDraft();
      files.leave();
    },
    { text: t(isDirty ? 'draft.leave' : 'file.leave') },
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

  const mayOverwrite = async (latest: number) =>
    await confirm({
      title: t('flow.outdatedTitle'),
      body: t('flow.outdatedText', { latest, revision }),
      confirm: t('flow.overwrite'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
  /** Another user may have saved since this page read the flow: the server refuses then, and the author decides. */
  const saveText = async (baseRevision: number, onWait: () => void): Promise<boolean> => {
    try {
      text.markSent(source);
      const saved = await save.save({ source, key: flow, baseRevision }, onWait);
      if (!saved) return false;
      text.takeSaved({ source, revision: saved.revision });
      showSuccess(t('flow.saved', { id: saved.id, revision: saved.revision }));
      return true;
    } catch (error) {
      text.markSent(undefined);
      if (isConflict(error)) {
        const { revision: latest } = await client.fetchQuery({ ...flowQuery(flow), staleTime: 0 });
        return (await mayOverwrite(latest)) && (await saveText(latest, onWait));
      }
      showSaveFailure(error as Error, t); // What `call` rejects with.
      return false;
    }
  };
  /** True when everything is saved; false as soon as it turns out that it is not, or has to wait. */
  const trySave = async (): Promise<boolean> => {
    if (save.status.is === 'waiting') save.tryNow();
    if (isLocked || save.status.is !== 'idle' || files.isSaving) return false;
    // A flow that cannot be saved keeps its files back: they belong together.
    if (isDirty && refusesSource(issues, t)) return false;
    if (!(await files.save())) return false;
    if (!isDirty) return true;
    return await new Promise((resolve) => {
      void saveText(revision, () => resolve(false)).then(resolve, () => resolve(false));
    });
  };
  const hasErrors = issues.some(({ severity }) => severity === 'error');
  const { namespace, id } = flow;
  useReportUnsaved(
    (isDirty || files.isDirty) && !isLocked
      ? { namespace, id, revision: flow.revision, canSave: !(isDirty && hasErrors), save: trySave }
      : undefined,
  );
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
      <SaveNote status={save.status} onTryNow={save.tryNow} onStop={save.stop} />
      {text.restored && (
        <DraftNote text={t('draft.restored')} at={text.restored.at} onDiscard={text.discard} />
      )}
      {text.others[0] && (
        <OtherDraft draft={text.others[0]} onExchange={text.exchange} onDiscard={text.discardOther} />
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
        onChange={(next) => {
          isLeaving.current = false;
          setSource(next);
        }}
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
            isSaving={save.status.is === 'saving' || files.isSaving}
            onSave={() => void trySave()}
          />,
          actions,
        )}
    </div>
  );
}

interface OtherDraftProps {
  draft: StoredDraft;
  onExchange: (draft: StoredDraft) => void;
  onDiscard: (draft: StoredDraft) => void;
}

function OtherDraft({ draft, onExchange, onDiscard }: OtherDraftProps) {
  const { t } = useTranslation();
  return (
    <DraftNote
      text={t('draft.other')}
      at={draft.at}
      onRestore={() => onExchange(draft)}
      onDiscard={() => onDiscard(draft)}
    />
  );
}

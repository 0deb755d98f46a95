import { Button } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError, showSuccess, showWarning } from '../../../shell/toasts.ts';
import { usePageKeys } from '../../../shell/usePageKeys.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { useStableCallback } from '../../../state/useStableCallback.ts';
import { DraftNote } from '../../../ui/DraftNote.tsx';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { FlowEditor } from '../../editor/index.ts';
import { mayBeSaved } from '../../flowTests/index.ts';
import { useOpenFiles } from '../../namespaces/index.ts';
import { useDraftRevisions } from '../drafts.ts';
import type { FlowTabProps } from '../page/flowTabProps.ts';
import { isReadOnly } from '../queries.ts';
import styles from './FlowEditTab.module.css';
import type { StoredDraft } from './flowDraft.ts';
import { keepIdentity } from './keepIdentity.ts';
import { SaveButton, SaveNote } from './SaveButton.tsx';
import { DraftState, OfferedDraft, useServerDraft } from './serverDraft.tsx';
import { useReportUnsaved } from './unsavedFlow.ts';
import { isConflict, refusesSource, showSaveFailure, useFlowSave } from './useFlowSave.ts';
import { useFlowText } from './useFlowText.ts';
import { useMerge } from './useMerge.tsx';

const MessageDialog = lazyPart(() => import('./MessageDialog.tsx'), 'MessageDialog', Nothing);

const checkIdentityAfterMs = 500;
const noIssues: readonly Issue[] = [];
const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

interface TextToSave {
  readonly written: string;
  readonly baseRevision: number;
  readonly message: string | undefined;
}

export function FlowEditTab({ flow, actions, onExecute }: FlowTabProps) {
  const { t } = useTranslation();
  const text = useFlowText(flow);
  const { source, setSource, isDirty, revision } = text;
  const [issues, setIssues] = useState<Issue[]>([]);
  const [asking, setAsking] = useState<'revision' | 'draft'>();
  const openedDraft = useRef<string>(undefined);
  const drafts = useDraftRevisions(flow);
  const save = useFlowSave();
  const isLocked = isReadOnly(flow);
  const { file, draft: wantedDraft } = useSearch({ from });
  const navigate = useNavigate({ from });
  const files = useOpenFiles(flow.namespace, {
    active: file,
    onShow: (path) => void navigate({ to: '.', search: (old) => ({ ...old, file: path }) }),
  });

  const serverDraft = useServerDraft({
    flow,
    changes: isDirty ? { source, revision } : undefined,
    isOff: isLocked,
  });

  const isLeaving = useRef(false);
  /** The text that was last saved as a draft: leaving it loses nothing. */
  const draftedText = useRef<string>(undefined);
  useUnsavedGuard(
    () => ((isDirty && source !== draftedText.current) || files.isDirty) && !isLeaving.current,
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

  const merging = useMerge(flow);
  /** Another user may have saved since this page read the flow: the server refuses then, and the author decides. */
  const saveText = async (saving: TextToSave, onWait: () => void): Promise<boolean> => {
    const { written, baseRevision, message } = saving;
    try {
      text.markSent(written);
      const saved = await save.save({ source: written, key: flow, baseRevision, message }, onWait);
      if (!saved) {
        text.setSaveAgain(false);
        return false;
      }
      text.takeSaved({ source: written, revision: saved.revision });
      // The draft has become a revision.
      if (openedDraft.current !== undefined) drafts.remove.mutate(openedDraft.current);
      openedDraft.current = undefined;
      showSuccess(t('flow.saved', { id: saved.id, revision: saved.revision }));
      return true;
    } catch (error) {
      text.markSent(undefined);
      text.setSaveAgain(false);
      if (isConflict(error)) {
        const decision = await merging.ask({ mine: written, revision: baseRevision });
        if (!decision) return false;
        const { theirs } = decision;
        const next = decision.merged ?? written;
        if (decision.merged !== undefined) text.takeMerged(next, theirs);
        return await saveText({ written: next, baseRevision: theirs.revision, message }, onWait);
      }
      showSaveFailure(error as Error, t); // What `call` rejects with.
      return false;
    }
  };
  /** True when everything is saved; false as soon as it turns out that it is not, or has to wait. */
  const trySave = async (message?: string): Promise<boolean> => {
    if (save.status.is === 'waiting') save.tryNow();
    if (save.status.is !== 'idle') text.setSaveAgain(true);
    if (isLocked || save.status.is !== 'idle' || files.isSaving) return false;
    // A flow that cannot be saved keeps its files back: they belong together.
    if (isDirty && refusesSource(issues, t)) return false;
    if (isDirty && !(await mayBeSaved(source, t))) return false;
    if (!(await files.save())) return false;
    if (!isDirty) return true;
    return await new Promise((resolve) => {
      const saving = { written: source, baseRevision: revision, message };
      void saveText(saving, () => resolve(false)).then(resolve, () => resolve(false));
    });
  };
  const saveNow = useEffectEvent(() => {
    text.setSaveAgain(false);
    void trySave();
  });
  const savesAgain = text.saveAgain && save.status.is === 'idle';
  useEffect(() => {
    if (savesAgain) saveNow();
  }, [savesAgain]);
  const saveDraft = (message: string) =>
    drafts.save.mutate(
      { source, message },
      {
        onSuccess: () => {
          draftedText.current = source;
          showSuccess(t('draftRevision.saved', { id: flow.id }));
        },
        onError: showError,
      },
    );
  /** Takes the other user's changes into the text without saving it. */
  const merge = async () => {
    const decision = await merging.ask({ mine: source, revision, isOnlyMerge: true });
    if (decision?.merged !== undefined) text.takeMerged(decision.merged, decision.theirs);
  };
  const hasErrors = issues.some(({ severity }) => severity === 'error');
  const { namespace, id } = flow;
  useReportUnsaved(
    (isDirty || files.isDirty) && !isLocked
      ? { namespace, id, revision: flow.revision, canSave: !(isDirty && hasErrors), save: () => trySave() }
      : undefined,
  );
  usePageKeys([
    ['mod+S', () => void trySave()],
    ['mod+E', () => onExecute(true)],
  ]);

  // Stable functions: the button is not rendered again at each key.
  const saveByButton = useStableCallback(() => void trySave());
  const askForMessage = useCallback(() => setAsking('revision'), []);
  const askForDraft = useCallback(() => setAsking('draft'), []);

  const elsewhere = serverDraft.found;
  return (
    <div className={styles.edit}>
      {isLocked && (
        <div className={styles.note}>{t(flow.deleted ? 'flow.isDeleted' : 'flow.isReadOnly')}</div>
      )}
      <SaveNote status={save.status} onTryNow={save.tryNow} onStop={save.stop} />
      {text.restored && (
        <DraftNote
          text={t('draft.restored')}
          at={text.restored.at}
          onDiscard={() => {
            openedDraft.current = undefined;
            text.discard();
          }}
        />
      )}
      {elsewhere && (
        <DraftNote
          text={t('draft.elsewhere')}
          at={elsewhere.updated}
          onRestore={() => {
            text.adopt({ ...elsewhere, at: elsewhere.updated });
            serverDraft.settle(false);
          }}
          onDiscard={() => serverDraft.settle(true)}
        />
      )}
      {!isLocked && (
        <OfferedDraft
          flow={flow}
          source={source}
          wanted={wantedDraft}
          onOpen={(draft) => {
            text.adopt({ source: draft.source, revision: draft.revision, at: draft.updated });
            openedDraft.current = draft.id;
            if (wantedDraft !== undefined)
              void navigate({ to: '.', search: (old) => ({ ...old, draft: undefined }), replace: true });
          }}
        />
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
          </Link>{' '}
          <Button size="compact-xs" variant="default" onClick={() => void merge()}>
            {t('revisions.merge')}
          </Button>
        </div>
      )}
      {merging.dialog}
      {asking && (
        <MessageDialog
          isDraft={asking === 'draft'}
          onSave={(message) => {
            setAsking(undefined);
            if (asking === 'draft') saveDraft(message);
            else void trySave(message);
          }}
          onClose={() => setAsking(undefined)}
        />
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
        layoutOf={flow}
        height="100%"
      />
      {actions &&
        !isLocked &&
        createPortal(
          <>
            {serverDraft.state && (
              <DraftState
                state={serverDraft.state}
                isConflict={text.isOutdated || serverDraft.found !== undefined}
              />
            )}
            <SaveButton
              issues={isDirty || !files.isDirty ? issues : noIssues}
              isDirty={isDirty || files.isDirty}
              isSaving={save.status.is === 'saving' || files.isSaving}
              onSave={saveByButton}
              onSaveWithMessage={askForMessage}
              onSaveDraft={askForDraft}
            />
          </>,
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

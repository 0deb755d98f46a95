import { useHotkeys } from '@mantine/hooks';
import type { FlowWithSource, Issue } from '@millrace/contract';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showError, showSuccess, showWarning } from '../../../shell/toasts.ts';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { FlowEditor } from '../../editor/index.ts';
import { keepIdentity } from '../keepIdentity.ts';
import { useSaveFlow } from '../queries.ts';
import styles from './FlowEditTab.module.css';
import { SaveButton } from './SaveButton.tsx';

const checkIdentityAfterMs = 500;

interface FlowEditTabProps {
  flow: Omit<FlowWithSource, 'source'> & { source?: string | undefined };
  /** The place in the page's header where the save button belongs. */
  actions: HTMLElement | null;
  onExecute: () => void;
}

export function FlowEditTab({ flow, actions, onExecute }: FlowEditTabProps) {
  const { t } = useTranslation();
  const saved = flow.source ?? '';
  const [source, setSource] = useState(saved);
  const [issues, setIssues] = useState<Issue[]>([]);
  const save = useSaveFlow(flow);
  const isReadOnly = flow.deleted || isMarkedReadOnly(flow);
  const isDirty = source !== saved;

  useUnsavedGuard(
    () => isDirty,
    () => setSource(saved),
  );
  useEffect(() => {
    const timer = setTimeout(() => {
      const kept = keepIdentity(source, flow);
      if (kept === undefined) return;
      showWarning(t('flow.identity'), t('flow.identityTitle'));
      setSource(kept);
    }, checkIdentityAfterMs);
    return () => clearTimeout(timer);
  }, [source, flow, t]);

  const trySave = () => {
    const error = issues.find((issue) => issue.severity === 'error');
    if (error) showWarning(error.message, t('flow.invalid'));
    if (error || !isDirty || isReadOnly) return;
    save.mutate(source, {
      onSuccess: ({ id, revision }) => showSuccess(t('flow.saved', { id, revision })),
      onError: showError,
    });
  };
  useHotkeys(
    [
      ['mod+S', trySave],
      ['mod+E', onExecute],
    ],
    [],
  );

  return (
    <div className={styles.edit}>
      {isReadOnly && (
        <div className={styles.note}>{t(flow.deleted ? 'flow.isDeleted' : 'flow.isReadOnly')}</div>
      )}
      <FlowEditor
        source={source}
        onChange={setSource}
        readOnly={isReadOnly}
        isSaved
        onSave={trySave}
        onIssues={setIssues}
        height="100%"
      />
      {actions &&
        !isReadOnly &&
        createPortal(
          <SaveButton issues={issues} isDirty={isDirty} isSaving={save.isPending} onSave={trySave} />,
          actions,
        )}
    </div>
  );
}

const isMarkedReadOnly = ({ labels = [] }: FlowEditTabProps['flow']): boolean =>
  labels.some(({ key, value }) => key === 'system.readOnly' && value === 'true');

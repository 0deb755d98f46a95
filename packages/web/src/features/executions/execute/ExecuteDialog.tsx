import { Button } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError } from '../../../shell/toasts.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { BrokenPart, Loading } from '../../../ui/index.ts';
import { type FlowQueryData, flowQuery, type UnsavedFlow, useUnsavedFlow } from '../../flows/index.ts';
import { useTour } from '../../tour/index.ts';
import { ExecuteForm, useStart, usesTriggerBlindly } from './ExecuteForm.tsx';
import { parseLinkedValues } from './InputSetMenu.tsx';

export interface ExecuteDialogProps {
  namespace: string;
  flowId: string;
  /** An execution whose inputs and labels the form can take over. */
  like?: Execution | undefined;
  /** Inputs of a link, as JSON. */
  linkedInputs?: string | undefined;
  /** Starts without a question when nothing is unclear: the flow is saved and has no inputs. */
  isQuick?: boolean;
  onClose: () => void;
}

/** Asks for a flow's inputs and starts it. The server checks the inputs as they are typed. */
export function ExecuteDialog(props: ExecuteDialogProps) {
  const { namespace, flowId, like, linkedInputs, isQuick, onClose } = props;
  const { t } = useTranslation();
  const { data: flow, error, refetch } = useQuery(flowQuery({ namespace, id: flowId }));
  const isTour = useTourHold(onClose);
  const unsaved = useUnsavedFlow({ namespace, id: flowId });
  /** The saved revision that runs although there are changes. */
  const [revision, setRevision] = useState<number>();
  if (isQuick && flow && !unsaved && isClear(flow)) return <QuickStart flow={flow} onClose={onClose} />;
  return (
    <Dialog
      onClose={isTour ? () => {} : onClose}
      withCloseButton={!isTour}
      title={t('execute.title', { id: flowId })}
      size="lg"
    >
      {!flow && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {flow && unsaved && revision === undefined && (
        <UnsavedChoice flow={unsaved} onRunSaved={() => setRevision(unsaved.revision)} onClose={onClose} />
      )}
      {flow && (!unsaved || revision !== undefined) && (
        <ExecuteForm
          flow={flow}
          like={like}
          revision={revision}
          given={parseLinkedValues(linkedInputs)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** Nothing to fill in, nothing to warn about. */
const isClear = (flow: FlowQueryData): boolean =>
  !flow.disabled && !flow.inputs?.length && !flow.checks?.length && !usesTriggerBlindly(flow.source);

/** Starts the flow at once, and says so only if that fails. */
function QuickStart({ flow, onClose }: { flow: FlowQueryData; onClose: () => void }) {
  const { mutate } = useStart(flow, onClose);
  const start = useEffectEvent(() => {
    mutate(
      { values: {}, labels: [], scheduleDate: undefined, revision: undefined },
      {
        onError: (error) => {
          showError(error);
          onClose();
        },
      },
    );
  });
  const isStarted = useRef(false);
  useEffect(() => {
    // Strict mode mounts twice; an execution starts once.
    if (isStarted.current) return;
    isStarted.current = true;
    start();
  }, []);
  return null;
}

/** The tour explains the dialog: it stays open until its button is clicked, or the tour goes a step back. */
function useTourHold(onClose: () => void): boolean {
  const { index } = useTour();
  const before = useRef(index);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (before.current === 5 && index === 4) close();
    before.current = index;
  }, [index]);
  return index >= 0;
}

interface UnsavedChoiceProps {
  flow: UnsavedFlow;
  onRunSaved: () => void;
  onClose: () => void;
}

/** Asks which text of a flow runs while the editor has changes that are not saved. */
function UnsavedChoice({ flow, onRunSaved, onClose }: UnsavedChoiceProps) {
  const { t } = useTranslation();
  const [isSaving, setSaving] = useState(false);
  const { revision, canSave } = flow;
  const save = async () => {
    setSaving(true);
    // The form follows when everything is saved; otherwise the editor says what keeps it from that.
    if (await flow.save()) setSaving(false);
    else onClose();
  };
  return (
    <div className={styles.form}>
      <p className={styles.text}>{t('execute.unsaved', { id: flow.id, revision })}</p>
      {!canSave && <p className={styles.warning}>{t('execute.unsavedErrors')}</p>}
      <div className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button
          variant="default"
          onClick={onRunSaved}
          disabled={isSaving}
          data-autofocus={!canSave || undefined}
        >
          {t('execute.saved', { revision })}
        </Button>
        <Button
          onClick={() => void save()}
          loading={isSaving}
          disabled={!canSave}
          leftSection={<IconBolt size={16} />}
          data-autofocus={canSave || undefined}
        >
          {t('execute.saveFirst')}
        </Button>
      </div>
    </div>
  );
}

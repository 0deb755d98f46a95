import { Modal } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrokenPart, Loading } from '../../../ui/index.ts';
import { flowQuery, useUnsavedFlow } from '../../flows/index.ts';
import { useTour } from '../../tour/index.ts';
import { ExecuteForm } from './ExecuteForm.tsx';
import { UnsavedChoice } from './UnsavedChoice.tsx';

export interface ExecuteDialogProps {
  namespace: string;
  flowId: string;
  /** An execution whose inputs and labels the form can take over. */
  like?: Execution | undefined;
  onClose: () => void;
}

/** Asks for a flow's inputs and starts it. The server checks the inputs as they are typed. */
export function ExecuteDialog({ namespace, flowId, like, onClose }: ExecuteDialogProps) {
  const { t } = useTranslation();
  const { data: flow, error, refetch } = useQuery(flowQuery({ namespace, id: flowId }));
  const isTour = useTourHold(onClose);
  const unsaved = useUnsavedFlow({ namespace, id: flowId });
  /** The saved revision that runs although there are changes. */
  const [revision, setRevision] = useState<number>();
  return (
    <Modal
      opened
      onClose={isTour ? () => {} : onClose}
      withCloseButton={!isTour}
      title={t('execute.title', { id: flowId })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {!flow && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {flow && unsaved && revision === undefined && (
        <UnsavedChoice flow={unsaved} onRunSaved={() => setRevision(unsaved.revision)} onClose={onClose} />
      )}
      {flow && (!unsaved || revision !== undefined) && (
        <ExecuteForm flow={flow} like={like} revision={revision} onClose={onClose} />
      )}
    </Modal>
  );
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

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../dialog/ActionDialog.tsx';
import styles from '../dialog/DialogForm.module.css';
import { type BulkButton, BulkButtons } from './BulkButtons.tsx';

/** One thing that can be done to what is selected in a list, and how it is asked for. */
export interface BulkAction extends BulkButton {
  title: string;
  text: string;
  dangerous?: boolean;
  /** Does it and says that it is done; a failure keeps the question open with its reason. */
  act: () => Promise<void>;
}

interface BulkActionsProps {
  actions: readonly BulkAction[];
  /** The rarer ones, behind three dots. */
  more?: readonly BulkAction[];
  /** Called when one is done: what was selected is no longer. */
  onDone: () => void;
}

/** The buttons of a bulk bar. Each asks before it acts. */
export function BulkActions({ actions, more = [], onDone }: BulkActionsProps) {
  const [asked, ask] = useState<BulkAction>();
  const acting = useMutation({
    mutationFn: ({ act }: BulkAction) => act(),
    onSuccess: () => {
      ask(undefined);
      onDone();
    },
  });
  const close = () => {
    acting.reset();
    ask(undefined);
  };
  return (
    <>
      <BulkButtons buttons={actions} more={more} onChoose={ask} />
      {asked && (
        <ActionDialog
          title={asked.title}
          confirm={asked.name}
          dangerous={asked.dangerous === true}
          isPending={acting.isPending}
          error={acting.error}
          onConfirm={() => acting.mutate(asked)}
          onClose={close}
        >
          <p className={styles.text}>{asked.text}</p>
        </ActionDialog>
      )}
    </>
  );
}

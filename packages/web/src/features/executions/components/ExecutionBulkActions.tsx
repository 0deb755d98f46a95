import type { Execution } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../../../ui/index.ts';
import { BulkButtons } from '../../../ui/list/BulkButtons.tsx';
import { actionIcons } from './actionIcons.ts';
import type { BulkAction } from './actOnMany.ts';
import { BulkActionDialog } from './BulkActionDialog.tsx';
import { BulkDeleteDialog } from './BulkDeleteDialog.tsx';
import { allows } from './executionActions.ts';

const visible = ['restart', 'replay', 'changeStatus', 'kill', 'delete'] as const satisfies BulkAction[];
const inMenu = ['setLabels', 'resume', 'pause', 'unqueue', 'forceRun'] as const satisfies BulkAction[];

interface ExecutionBulkActionsProps {
  selection: Selection<Execution>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

/** The actions on what is selected; one that none of the selected rows allows is greyed out. */
export function ExecutionBulkActions({ selection, filters, onDone }: ExecutionBulkActionsProps) {
  const { t } = useTranslation();
  const [asked, ask] = useState<BulkAction>();
  const close = () => ask(undefined);
  // Of everything that matches only the server knows the states.
  const isPossible = (action: BulkAction) =>
    selection.kind === 'all' || selection.rows.some(({ state }) => allows(state.current, action));
  const buttonOf = (action: BulkAction) => ({
    action,
    name: t(`executionAction.${action}.name`),
    Icon: actionIcons[action],
    isPossible: isPossible(action),
  });
  return (
    <>
      <BulkButtons
        buttons={visible.map(buttonOf)}
        more={inMenu.map(buttonOf)}
        onChoose={({ action }) => ask(action)}
      />
      {asked === 'delete' && (
        <BulkDeleteDialog selection={selection} filters={filters} onClose={close} onDone={onDone} />
      )}
      {asked && asked !== 'delete' && (
        <BulkActionDialog
          action={asked}
          selection={selection}
          filters={filters}
          onClose={close}
          onDone={onDone}
        />
      )}
    </>
  );
}

import { Button } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { actionIcons } from './actionIcons.ts';
import { BulkActionDialog } from './BulkActionDialog.tsx';
import { bulkActionNames } from './bulkActions.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { allows } from './executionActions.ts';

const actions = [...bulkActionNames, 'delete'] as const;

/** The actions on the selected rows; one that none of them allows is greyed out. */
export function ExecutionBulkActions({
  chosen,
  onDone,
}: {
  chosen: readonly Execution[];
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const [asked, ask] = useState<(typeof actions)[number]>();
  const close = () => ask(undefined);
  return (
    <>
      {actions.map((action) => {
        const Icon = actionIcons[action];
        return (
          <Button
            key={action}
            size="compact-sm"
            variant="default"
            leftSection={<Icon size={14} />}
            disabled={!chosen.some(({ state }) => allows(state.current, action))}
            onClick={() => ask(action)}
          >
            {t(`executionAction.${action}.name`)}
          </Button>
        );
      })}
      {asked === 'delete' && <DeleteDialog chosen={chosen} onClose={close} onDeleted={onDone} />}
      {asked && asked !== 'delete' && (
        <BulkActionDialog action={asked} chosen={chosen} onClose={close} onDone={onDone} />
      )}
    </>
  );
}

import { ActionIcon, Button, Menu } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../../../ui/index.ts';
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
  return (
    <>
      {visible.map((action) => {
        const Icon = actionIcons[action];
        return (
          <Button
            key={action}
            size="compact-sm"
            variant="default"
            leftSection={<Icon size={14} />}
            disabled={!isPossible(action)}
            onClick={() => ask(action)}
          >
            {t(`executionAction.${action}.name`)}
          </Button>
        );
      })}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={26} variant="default" aria-label={t('executionAction.more')}>
            <IconDots size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {inMenu.map((action) => {
            const Icon = actionIcons[action];
            return (
              <Menu.Item
                key={action}
                leftSection={<Icon size={15} stroke={1.7} />}
                disabled={!isPossible(action)}
                onClick={() => ask(action)}
              >
                {t(`executionAction.${action}.name`)}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
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

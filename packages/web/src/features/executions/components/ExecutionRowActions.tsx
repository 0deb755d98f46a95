import { ActionIcon, Menu } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExecutionActionDialog } from './ExecutionActionDialogLazy.tsx';
import { ExecutionActionItems } from './ExecutionActionItems.tsx';
import type { ExecutionAction } from './executionActions.ts';

export function ExecutionRowActions({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<ExecutionAction>();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('execution.more', { id: execution.id })}>
            <IconDots size={16} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ExecutionActionItems state={execution.state.current} onChoose={choose} />
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <ExecutionActionDialog
          action={chosen}
          execution={execution}
          onClose={() => choose(undefined)}
          onDeleted={() => {}}
        />
      )}
    </>
  );
}

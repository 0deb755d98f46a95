import { ActionIcon, Menu } from '@mantine/core';
import { isTerminal, type StateType } from '@millrace/contract';
import { IconDots, IconFlask, IconPencil } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { LinkMenuItem } from '../../../ui/LinkMenuItem.tsx';
import { CompareItem } from './CompareItem.tsx';
import { ExecutionActionItems } from './ExecutionActionItems.tsx';
import type { ExecutionAction } from './executionActions.ts';

interface ExecutionMenuProps {
  namespace: string;
  flowId: string;
  id: string;
  /** Undefined until the execution is there: nothing can be done to it before. */
  state: StateType | undefined;
  onChoose: (action: ExecutionAction) => void;
}

/** Everything that can be done to an execution, on its page. */
export function ExecutionMenu({ namespace, flowId, id, state, onChoose }: ExecutionMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={34} aria-label={t('execution.more', { id })}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkMenuItem
          to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
          params={{ namespace, id: flowId, tab: 'edit' }}
          search={{}}
          leftSection={<IconPencil size={15} stroke={1.7} />}
        >
          {t('flow.edit')}
        </LinkMenuItem>
        <CompareItem id={id} />
        {state && isTerminal(state) && (
          <LinkMenuItem
            to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
            params={{ namespace, id: flowId, tab: 'tests' }}
            search={{ record: id }}
            leftSection={<IconFlask size={15} stroke={1.7} />}
          >
            {t('flowTests.record')}
          </LinkMenuItem>
        )}
        {state && (
          <>
            <Menu.Divider />
            <ExecutionActionItems state={state} onChoose={onChoose} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

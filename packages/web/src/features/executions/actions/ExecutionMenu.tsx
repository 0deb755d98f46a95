import { ActionIcon, Menu } from '@mantine/core';
import { isTerminal, type StateType } from '@millrace/contract';
import { IconDots, IconFlask, IconGitCompare, IconPencil } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { LinkMenuItem } from '../../../ui/menu/LinkMenuItem.tsx';
import { actionIcons, actionsIn, type ExecutionAction } from './executionActions.ts';

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

interface ExecutionActionItemsProps {
  state: StateType;
  onChoose: (action: ExecutionAction) => void;
}

/** One menu item for each action that the state allows. */
export function ExecutionActionItems({ state, onChoose }: ExecutionActionItemsProps) {
  const { t } = useTranslation();
  return actionsIn(state).map((action) => {
    const Icon = actionIcons[action];
    return (
      <Fragment key={action}>
        {action === 'delete' && <Menu.Divider />}
        <Menu.Item
          {...(action === 'delete' && { color: 'var(--mr-danger)' })}
          leftSection={<Icon size={15} stroke={1.7} />}
          onClick={() => onChoose(action)}
        >
          {t(`executionAction.${action}.name`)}
        </Menu.Item>
      </Fragment>
    );
  });
}

/** Opens the comparison of an execution with the last successful run of its flow. */
export function CompareItem({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <LinkMenuItem
      to="/{-$tenant}/executions/compare"
      search={{ right: id }}
      leftSection={<IconGitCompare size={15} stroke={1.7} />}
    >
      {t('compare.open')}
    </LinkMenuItem>
  );
}

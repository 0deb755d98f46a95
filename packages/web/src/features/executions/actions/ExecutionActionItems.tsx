import { Menu } from '@mantine/core';
import type { StateType } from '@millrace/contract';
import { Fragment } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { actionIcons, actionsIn, type ExecutionAction } from './executionActions.ts';

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

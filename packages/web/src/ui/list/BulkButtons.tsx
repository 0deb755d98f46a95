import { ActionIcon, Button, Menu } from '@mantine/core';
import { type Icon, IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

export interface BulkButton {
  name: string;
  Icon?: Icon;
  /** False when it would change nothing. */
  isPossible?: boolean;
}

interface BulkButtonsProps<B extends BulkButton> {
  buttons: readonly B[];
  /** The rarer ones, behind three dots. */
  more: readonly B[];
  onChoose: (chosen: B) => void;
}

/** What can be done to what is selected. */
export function BulkButtons<B extends BulkButton>({ buttons, more, onChoose }: BulkButtonsProps<B>) {
  const { t } = useTranslation();
  return (
    <>
      {buttons.map((button) => (
        <Button
          key={button.name}
          size="compact-sm"
          variant="default"
          leftSection={button.Icon && <button.Icon size={14} />}
          disabled={button.isPossible === false}
          title={button.Icon && button.name}
          data-icon={button.Icon && true}
          onClick={() => onChoose(button)}
        >
          {button.name}
        </Button>
      ))}
      {more.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={26} variant="default" aria-label={t('executionAction.more')}>
              <IconDots size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((button) => (
              <Menu.Item
                key={button.name}
                leftSection={button.Icon && <button.Icon size={15} stroke={1.7} />}
                disabled={button.isPossible === false}
                onClick={() => onChoose(button)}
              >
                {button.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

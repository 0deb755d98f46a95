import { ActionIcon, Button, Menu } from '@mantine/core';
import { type Icon, IconDots, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ActionDialog } from '../dialog/ActionDialog.tsx';
import styles from '../dialog/DialogForm.module.css';

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

type BulkDeleteProps = Pick<BulkAction, 'title' | 'text' | 'act'> & { onDone: () => void };

/** For lists whose rows can be deleted and nothing else. */
export function BulkDelete({ onDone, ...question }: BulkDeleteProps) {
  const { t } = useTranslation();
  return (
    <BulkActions
      onDone={onDone}
      actions={[{ ...question, name: t('action.delete'), Icon: IconTrash, dangerous: true }]}
    />
  );
}

interface BulkButton {
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

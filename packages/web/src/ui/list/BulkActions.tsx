import { ActionIcon, Button, Menu } from '@mantine/core';
import { type Icon, IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../dialog/ActionDialog.tsx';
import styles from '../dialog/DialogForm.module.css';

/** One thing that can be done to what is selected in a list, and how it is asked for. */
export interface BulkAction {
  name: string;
  Icon?: Icon;
  title: string;
  text: string;
  dangerous?: boolean;
  /** False when it would change nothing. */
  isPossible?: boolean;
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
  const { t } = useTranslation();
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
      {actions.map((action) => (
        <Button
          key={action.name}
          size="compact-sm"
          variant="default"
          leftSection={action.Icon && <action.Icon size={14} />}
          disabled={action.isPossible === false}
          onClick={() => ask(action)}
        >
          {action.name}
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
            {more.map((action) => (
              <Menu.Item key={action.name} onClick={() => ask(action)}>
                {action.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
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

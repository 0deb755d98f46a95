import { ActionIcon, Button, Menu } from '@mantine/core';
import type { TriggerWithDefinition } from '@millrace/contract';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../../shell/toasts.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import type { Selection } from '../../../ui/index.ts';
import { actOnTriggers, type TriggerBulkName, triggerBulkNames } from './triggerBulk.ts';

interface TriggerBulkActionsProps {
  selection: Selection<TriggerWithDefinition>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

const visible = ['enable', 'disable', 'unlock'] as const satisfies TriggerBulkName[];

export function TriggerBulkActions({ selection, filters, onDone }: TriggerBulkActionsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, ask] = useState<TriggerBulkName>();
  const acting = useMutation({
    mutationFn: (name: TriggerBulkName) =>
      actOnTriggers(
        name,
        selection.kind === 'rows'
          ? { kind: 'list', triggers: selection.rows.map(({ triggerContext }) => triggerContext) }
          : { kind: 'query', filters },
      ),
    onSuccess: ({ count }, name) => {
      showSuccess(t(`triggerBulk.${name}.done`, { count }));
      ask(undefined);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['triggers'] }),
  });
  return (
    <>
      {visible.map((name) => (
        <Button key={name} size="compact-sm" variant="default" onClick={() => ask(name)}>
          {t(`triggerBulk.${name}.name`)}
        </Button>
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={26} variant="default" aria-label={t('executionAction.more')}>
            <IconDots size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {triggerBulkNames
            .filter((name) => !visible.some((one) => one === name))
            .map((name) => (
              <Menu.Item key={name} onClick={() => ask(name)}>
                {t(`triggerBulk.${name}.name`)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <ActionDialog
          title={t(`triggerBulk.${asked}.title`, { count: selection.count })}
          confirm={t(`triggerBulk.${asked}.name`)}
          dangerous={asked === 'unlock' || asked === 'forget' || asked === 'deleteBackfill'}
          isPending={acting.isPending}
          error={acting.error}
          onConfirm={() => acting.mutate(asked)}
          onClose={() => {
            acting.reset();
            ask(undefined);
          }}
        >
          <p className={styles.text}>{t(`triggerBulk.${asked}.text`)}</p>
        </ActionDialog>
      )}
    </>
  );
}

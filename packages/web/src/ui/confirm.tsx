import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

interface Question {
  title: string;
  body: ReactNode;
  confirm: string;
  cancel: string;
  dangerous?: boolean;
}

/** Asks before something that cannot be taken back. Resolves to true only when the user agrees. */
export function confirm({
  title,
  body,
  confirm: yes,
  cancel,
  dangerous = false,
}: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: (
        <Text size="md" component="div">
          {body}
        </Text>
      ),
      labels: { confirm: yes, cancel },
      ...(dangerous && { confirmProps: { color: 'red' } }),
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      // Closing by Escape or by the cross is a "no" as well; a promise keeps its first answer.
      onClose: () => resolve(false),
    });
  });
}
